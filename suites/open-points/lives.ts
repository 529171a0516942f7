import type { Directory } from '../directory/facts/directory.ts'
import { type LivesReading, placesInCommon } from '../directory/lives/lives-reading.ts'
import { at, placeOf, typeOf } from '../directory/readings/json.ts'
import { distinctNames } from '../directory/readings/names.ts'
import type { Read } from '../engine/check/readers.ts'
import type { Exchange } from '../engine/http/client/exchange.ts'
import { answerText } from './shared/answers.ts'
import { media, namesOf, outline, unopenedText } from './shared/lists.ts'
import { observe, observeAbsence } from './shared/observe.ts'

async function livesOfFirst({ cats, lives }: Directory, read: Read) {
  const [cat] = await distinctNames(cats, read)
  return cat === undefined ? undefined : lives(cat)
}

/** The place of the count of the first cat, in words that fit the second too. */
async function usualPlace(names: readonly string[], { lives }: Directory, read: Read): Promise<string> {
  const counts = await Promise.all(
    names.slice(0, 2).map(async (cat) => {
      const reading = await read(lives(cat))
      return reading.kind === 'count' ? [{ place: reading.place, cat }] : []
    }),
  )
  return placesInCommon(counts.flat())[0] ?? ''
}

function saidOfNobody(reading: LivesReading, exchange: Exchange | undefined): string {
  switch (reading.kind) {
    case 'count':
      return `a count${reading.place === '' ? '' : ` at ${reading.place}`}`
    case 'no-count':
      return reading.place === undefined
        ? `JSON without a count: ${outline(exchange)}`
        : `${typeOf(at(jsonIn(exchange), placeOf(reading.place)))} at ${reading.place || 'the top'}`
    case 'ambiguous':
      return `several numbers: ${outline(exchange)}`
    case 'refused':
    case 'nothing':
    case 'failed':
    case 'not-json':
      return unopenedText(reading, exchange)
  }
}

const jsonIn = (exchange: Exchange | undefined): unknown =>
  exchange?.outcome.kind === 'response' && exchange.outcome.body.kind === 'json'
    ? exchange.outcome.body.value
    : undefined

export const ofLives = [
  observe('O-LIVES-SHAPE', 'getLivesLeft', async ({ target: { directory }, readings }) => {
    const subject = await livesOfFirst(directory, readings.read)
    const reading = subject && (await readings.read(subject))
    if (!subject || reading?.kind !== 'count') return undefined
    const names = await distinctNames(directory.cats, readings.read)
    const value =
      reading.place === '' ? 'bare number' : `number at ${await usualPlace(names, directory, readings.read)}`
    const instances = () =>
      names
        .flatMap((name) => readings.evidence(directory.lives(name)))
        .filter(({ outcome }) => outcome.kind === 'response' && outcome.status < 300)
        .map((exchange) => ({ value: jsonIn(exchange), exchange }))
    return { value, shownBy: [subject], instances, isData: await namesOf(directory, readings.read) }
  }),
  media('getLivesLeft', livesOfFirst),
  observe('O-UNKNOWN-CAT', 'getLivesLeft', async ({ target: { directory }, readings }) => {
    const subject = directory.lives(directory.controlName())
    return { value: saidOfNobody(await readings.read(subject), readings.evidence(subject)[0]), shownBy: [subject] }
  }),
  observeAbsence('O-V2-LIVES', 'getLivesLeft', async ({ target: { directory }, readings }) => {
    const subject = await livesOfFirst(directory, readings.read)
    if (!subject) return undefined
    await readings.read(subject)
    const [exchange] = readings.evidence(subject)
    if (!exchange) return undefined
    const isMoved = exchange.redirectedFrom.length > 0
    return { value: `${isMoved ? 'redirected, then ' : ''}${answerText(exchange)}`, shownBy: [subject] }
  }),
]

import type { Directory } from '../directory/facts/directory.ts'
import { findUsuallyEncodedTexts } from '../directory/facts/sent-texts.ts'
import { findUsualPlace } from '../directory/lives/count-places.ts'
import type { LivesReading } from '../directory/lives/lives-reading.ts'
import { jsonTypeOf, parseJsonPointer, valueAt } from '../directory/readings/json.ts'
import { indexNames } from '../directory/readings/name-index.ts'
import { readDistinctNames } from '../directory/readings/names.ts'
import { encodeSegment } from '../directory/shared/encodings.ts'
import { scopeSelectors } from '../directory/shared/versions.ts'
import type { Read, Reader } from '../engine/check/readers.ts'
import type { Exchange } from '../engine/http/client/exchange.ts'
import { describeResponse } from './shared/describe-response.ts'
import { createListedNamePredicate } from './shared/list-shape.ts'
import { createMediaTypeObserver, describeJsonTypeOrKeys, describeStatusAndBody } from './shared/lists.ts'
import { createObserver } from './shared/observe.ts'

async function findLivesOfFirstCat({ cats, lives }: Directory, read: Read) {
  const [cat] = await readDistinctNames(cats, read)
  return cat === undefined ? undefined : lives(cat)
}

/**
 * Finds the JSON Pointer of the count of lives for the first two cats, with a placeholder where the cat's name is part of
 * it. Returns an empty text, i.e. the whole body, if there is no count.
 */
async function findPlaceOfFirstCounts(names: readonly string[], { lives }: Directory, read: Read): Promise<string> {
  const counts = await Promise.all(
    names.slice(0, 2).map(async (cat) => {
      const reading = await read(lives(cat))
      return reading.kind === 'count' ? [{ place: reading.place, cat }] : []
    }),
  )
  return findUsualPlace(counts.flat()) ?? ''
}

/** Describes the response to a request for the lives of an unlisted cat. */
function describeUnlistedCat(reading: LivesReading, exchange: Exchange | undefined): string {
  if (reading.kind === 'count') return `a count${reading.place === '' ? '' : ` at ${reading.place}`}`
  if (reading.kind === 'ambiguous') return `several numbers: ${describeJsonTypeOrKeys(exchange)}`
  if (reading.kind !== 'no-count') return describeStatusAndBody(reading, exchange)
  return reading.place === undefined
    ? `JSON without a count: ${describeJsonTypeOrKeys(exchange)}`
    : `${jsonTypeOf(valueAt(jsonBodyOf(exchange), parseJsonPointer(reading.place)))} at ${reading.place || 'the top'}`
}

/** Returns the JSON value of the body; undefined if there is none. */
const jsonBodyOf = (exchange: Exchange | undefined): unknown =>
  exchange?.outcome.kind === 'response' && exchange.outcome.body.kind === 'json'
    ? exchange.outcome.body.value
    : undefined

/** Selects the listed names whose lives were read. */
const selectNamesRead = (names: readonly string[], directory: Directory, readings: Reader): readonly string[] => {
  const listed = indexNames(names)
  return findUsuallyEncodedTexts(readings, directory.raw.lives, encodeSegment).filter((name) => listed.has(name))
}

export const livesObservers = [
  createObserver({ id: 'O-LIVES-SHAPE', operation: 'getLivesLeft' }, async ({ target: { directory }, readings }) => {
    const resource = await findLivesOfFirstCat(directory, readings.read)
    const reading = resource && (await readings.read(resource))
    if (!resource || reading?.kind !== 'count') return undefined
    const names = await readDistinctNames(directory.cats, readings.read)
    const value =
      reading.place === ''
        ? 'bare number'
        : `number at ${await findPlaceOfFirstCounts(names, directory, readings.read)}`
    const instances = () =>
      selectNamesRead(names, directory, readings)
        .flatMap((name) => readings.exchangesFor(directory.lives(name)))
        .filter(({ outcome }) => outcome.kind === 'response' && outcome.status < 300)
        .map((exchange) => ({ value: jsonBodyOf(exchange), exchange }))
        .filter(({ value }) => value !== undefined)
    return { value, shownBy: [resource], instances, isData: await createListedNamePredicate(directory, readings.read) }
  }),
  createMediaTypeObserver('getLivesLeft', findLivesOfFirstCat),
  createObserver({ id: 'O-UNKNOWN-CAT', operation: 'getLivesLeft' }, async ({ target: { directory }, readings }) => {
    const resource = directory.lives(directory.controlName())
    return {
      value: describeUnlistedCat(await readings.read(resource), readings.exchangesFor(resource)[0]),
      shownBy: [resource],
    }
  }),
  createObserver(
    { id: 'O-V2-LIVES', operation: 'getLivesLeft', scopes: scopeSelectors.without('getLivesLeft') },
    async ({ target: { directory }, readings }) => {
      const resource = await findLivesOfFirstCat(directory, readings.read)
      if (!resource) return undefined
      await readings.read(resource)
      const [exchange] = readings.exchangesFor(resource)
      if (!exchange) return undefined
      const isMoved = exchange.redirectedFrom.length > 0
      return { value: `${isMoved ? 'redirected, then ' : ''}${describeResponse(exchange)}`, shownBy: [resource] }
    },
  ),
]

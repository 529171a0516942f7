import type { OpenPointId } from '../../../fixtures/contract/open-points.ts'
import type { OperationId, Version } from '../../../fixtures/contract/operations.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import type { LivesReading } from '../../directory/lives/lives-reading.ts'
import { arrayAt, INPUT, isContainer, type Place, pointer, typeOf } from '../../directory/readings/json.ts'
import { type ListReading, mediaTypeOf, openAnswer, type Unopened } from '../../directory/readings/list-reading.ts'
import { namesIn } from '../../directory/readings/names.ts'
import { whyUnopened } from '../../directory/readings/why-no-list.ts'
import type { Shape } from '../../directory/shapes/shapes.ts'
import { targetOf } from '../../directory/shared/targets.ts'
import type { Read, Reader, Subject } from '../../engine/check/readers.ts'

import type { Exchange } from '../../engine/http/client/exchange.ts'
import { field } from '../../engine/http/decode/response.ts'
import { answerText, statusText } from './answers.ts'
import { observe } from './observe.ts'

type Reading = ListReading | LivesReading

/** The first subject to observe, if there is one. */
type FirstOf<T> = (directory: Directory, read: Read) => Promise<Subject<T> | undefined>

function shapeText(shape: Shape): string | undefined {
  if (!shape) return undefined
  if ('unreadable' in shape) return 'cannot be told'
  const list = pointer(shape.list) === '' ? 'bare array' : `array at ${pointer(shape.list)}`
  const name = shape.name.length === 0 ? 'strings' : `name at ${pointer(shape.name)}`
  return `${list}, ${name}${shape.breed ? `, breed at ${pointer(shape.breed)}` : ''}`
}

/** The readable bodies of an operation, with the list in each. */
function bodiesOf(known: readonly Subject<unknown>[], place: Place, evidence: Reader['evidence']) {
  return known.flatMap(evidence).flatMap((exchange) => {
    const opened = openAnswer(exchange)
    const list = opened.kind === 'json' ? arrayAt(opened.value, place) : undefined
    return opened.kind === 'json' && list ? [{ body: opened.value, list, exchange }] : []
  })
}

/** A body with an empty list at a place; undefined if the list is the whole body, or its key is the requested name. */
function withoutList(body: unknown, [token, ...rest]: Place): unknown {
  if (token === undefined || token === INPUT || !isContainer(body)) return undefined
  const inner = rest.length === 0 ? [] : withoutList(body[token], rest)
  if (inner === undefined) return undefined
  if (Array.isArray(body)) return body.map((one, at) => (String(at) === token ? inner : one))
  return { ...body, [token]: inner }
}

/** The start and end of the keys of an operation's subjects. */
function keysOf(operation: OperationId, version: Version): readonly [before: string, after: string] {
  const [before = '', after = ''] = targetOf(operation, version, '\n').split('\n')
  return [before, after]
}

/** Returns whether a key is a listed name. */
export async function namesOf({ cats, breeds }: Directory, read: Read): Promise<(key: string) => boolean> {
  const lists = (await Promise.all([cats, breeds].map(read))).filter((one) => one.kind === 'list')
  return (key) => lists.some(({ has }) => has(key))
}

/** The observer of O-LIST-SHAPE of an operation. */
export const listShape = (operation: OperationId, of: keyof Directory['shapes'], firstOf: FirstOf<ListReading>) =>
  observe('O-LIST-SHAPE', operation, async ({ target: { directory }, readings }) => {
    const shape = await directory.shapes[of]()
    const [value, subject] = [shapeText(shape), await firstOf(directory, readings.read)]
    if (value === undefined || !subject) return undefined
    await readings.read(subject)
    if (!shape || 'unreadable' in shape) return { value, shownBy: [subject] }
    const [before, after] = keysOf(operation, directory.version)
    const isOne = ({ key }: Subject<unknown>) => key.startsWith(before) && key.endsWith(after)
    const bodies = () => bodiesOf(readings.known().filter(isOne), shape.list, readings.evidence)
    const instances = () => bodies().flatMap(({ list, exchange }) => list.map((one) => ({ value: one, exchange })))
    const envelopes = () =>
      bodies().flatMap(({ body, exchange }) => {
        const around = withoutList(body, shape.list)
        return around === undefined ? [] : [{ value: around, exchange }]
      })
    return { value, shownBy: [subject], instances, envelopes, isData: await namesOf(directory, readings.read) }
  })

function mediaText(exchange: Exchange): string {
  const { outcome } = exchange
  const coding = outcome.kind === 'response' ? field(outcome, 'content-encoding') : undefined
  return `${mediaTypeOf(exchange) || 'none'}${coding ? `, ${coding}` : ''}`
}

/** Returns whether a response is no success. */
const isRefusal = ({ kind }: Reading): boolean => kind === 'refused' || kind === 'failed'

/** The observer of O-MEDIA of an operation. */
export const media = (operation: OperationId, firstOf: FirstOf<Reading>) =>
  observe('O-MEDIA', operation, async ({ target: { directory }, readings }) => {
    const subject = await firstOf(directory, readings.read)
    if (!subject || isRefusal(await readings.read(subject))) return undefined
    const [exchange] = readings.evidence(subject)
    return exchange && { value: mediaText(exchange), shownBy: [subject] }
  })

/** The observer of the response to an unlisted or empty input. */
export const ofNothing = (
  id: OpenPointId,
  operation: OperationId,
  subjectOf: (directory: Directory) => Subject<ListReading>,
) =>
  observe(id, operation, async ({ target: { directory }, readings }) => {
    const subject = subjectOf(directory)
    const [reading, cats] = await Promise.all([subject, directory.cats].map(readings.read))
    if (!reading || !cats) return undefined
    return { value: foundText(reading, namesIn(cats), readings.evidence(subject)[0]), shownBy: [subject] }
  })

function foundText(reading: ListReading, cats: readonly string[], exchange: Exchange | undefined): string {
  const isAll = reading.kind === 'list' && reading.names.length > 0 && cats.every(reading.has)
  return isAll ? 'all cats' : listText(reading, exchange)
}

/** Describes a response that should be a list, independent of the listed names. */
export function listText(reading: ListReading, exchange: Exchange | undefined): string {
  switch (reading.kind) {
    case 'list':
      return reading.names.length === 0 ? 'empty list' : 'some cats'
    case 'not-a-list':
      return `JSON that holds no array: ${outline(exchange)}`
    case 'unreadable':
      return 'a list without names'
    case 'refused':
    case 'nothing':
    case 'failed':
    case 'not-json':
      return unopenedText(reading, exchange)
  }
}

/** Describes a response without readable JSON. */
export function unopenedText(reading: Unopened, exchange: Exchange | undefined): string {
  switch (reading.kind) {
    case 'refused':
      return statusText(reading.status, exchange)
    case 'nothing':
      return whyUnopened(reading)
    case 'failed':
    case 'not-json':
      return exchange ? answerText(exchange) : whyUnopened(reading)
  }
}

const MOST_KEYS = 8

/** The part of a JSON response that does not depend on the input: its type or its keys. */
export function outline(exchange: Exchange | undefined): string {
  const { outcome } = exchange ?? {}
  if (outcome?.kind !== 'response' || outcome.body.kind !== 'json') return 'nothing'
  const { value } = outcome.body
  return typeOf(value) === 'object'
    ? `{${Object.keys(Object(value)).sort().slice(0, MOST_KEYS).join(', ')}}`
    : typeOf(value)
}

import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import type { LivesReading } from '../../directory/lives/lives-reading.ts'
import { describeResponseWithoutData } from '../../directory/readings/describe-non-list.ts'
import { interpretResponse, type ResponseWithoutData } from '../../directory/readings/interpret-response.ts'
import {
  arrayAt,
  EVERY_MEMBER_PLACEHOLDER,
  INPUT_PLACEHOLDER,
  isContainer,
  type JsonPlace,
  jsonTypeOf,
  toJsonPointer,
} from '../../directory/readings/json.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { mediaTypeOf } from '../../directory/readings/media-type.ts'
import { namesOfReading } from '../../directory/readings/names.ts'
import type { InferredShape } from '../../directory/shapes/whole-list-shape.ts'
import { findOperationOfTarget } from '../../directory/shared/targets.ts'
import type { Read, Reader, Resource } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { headerValue } from '../../engine/http/decode/response.ts'
import { describeResponse } from './describe-response.ts'
import { createObserver, type ObservedPoint } from './observe.ts'

type ListOrLivesReading = ListReading | LivesReading

/** Finds a resource for an observation, e.g. the list of the first breed. Undefined if the directory has none. */
type FirstResourceFinder<T> = (directory: Directory, read: Read) => Promise<Resource<T> | undefined>

function describeShape(shape: InferredShape): string | undefined {
  if (!shape) return undefined
  if ('unreadable' in shape) return 'cannot be told'
  const list = toJsonPointer(shape.list) === '' ? 'bare array' : `array at ${toJsonPointer(shape.list)}`
  const name = shape.name.length === 0 ? 'strings' : `name at ${toJsonPointer(shape.name)}`
  return `${list}, ${name}${shape.breed ? `, breed at ${toJsonPointer(shape.breed)}` : ''}`
}

/**
 * Returns the responses whose body has an array at the given place: for each the whole body, the array, and the
 * exchange.
 */
function readableBodiesOf(known: readonly Resource<unknown>[], place: JsonPlace, evidence: Reader['exchangesFor']) {
  return known.flatMap(evidence).flatMap((exchange) => {
    const opened = interpretResponse(exchange)
    const list = opened.kind === 'json' ? arrayAt(opened.value, place) : undefined
    return opened.kind === 'json' && list ? [{ body: opened.value, list, exchange }] : []
  })
}

/**
 * Returns a copy of a body in which the list at the given place is empty. Undefined if the whole body is the list, if
 * the list consists of several arrays, or if its key is the requested name.
 */
function removeList(body: unknown, [token, ...rest]: JsonPlace): unknown {
  if (token === undefined || token === INPUT_PLACEHOLDER || token === EVERY_MEMBER_PLACEHOLDER || !isContainer(body))
    return undefined
  const inner = rest.length === 0 ? [] : removeList(body[token], rest)
  if (inner === undefined) return undefined
  if (Array.isArray(body)) return body.map((one, at) => (String(at) === token ? inner : one))
  return { ...body, [token]: inner }
}

/** Creates a function that returns whether a key is the name of a listed cat or breed. */
export async function createListedNamePredicate(
  { cats, breeds }: Directory,
  read: Read,
): Promise<(key: string) => boolean> {
  const lists = (await Promise.all([cats, breeds].map(read))).filter((one) => one.kind === 'list')
  return (key) => lists.some(({ has }) => has(key))
}

/** Creates an observer of how an operation wraps its list and what the elements look like (O-LIST-SHAPE). */
export const createListShapeObserver = (
  operation: OperationId,
  of: keyof Directory['shapes'],
  firstOf: FirstResourceFinder<ListReading>,
) =>
  createObserver({ id: 'O-LIST-SHAPE', operation }, async ({ target: { directory }, readings }) => {
    const shape = await directory.shapes[of]()
    const [value, resource] = [describeShape(shape), await firstOf(directory, readings.read)]
    if (value === undefined || !resource) return undefined
    await readings.read(resource)
    if (!shape || 'unreadable' in shape) return { value, shownBy: [resource] }
    const isOne = ({ key }: Resource<unknown>) => {
      const found = findOperationOfTarget(key)
      return found?.operation === operation && found.version === directory.version
    }
    const bodies = () => readableBodiesOf(readings.resourcesRead().filter(isOne), shape.list, readings.exchangesFor)
    const instances = () => bodies().flatMap(({ list, exchange }) => list.map((one) => ({ value: one, exchange })))
    const envelopes = () =>
      bodies().flatMap(({ body, exchange }) => {
        const envelope = removeList(body, shape.list)
        return envelope === undefined ? [] : [{ value: envelope, exchange }]
      })
    return {
      value,
      shownBy: [resource],
      instances,
      envelopes,
      isData: await createListedNamePredicate(directory, readings.read),
    }
  })

function describeMediaType(exchange: Exchange): string {
  const { outcome } = exchange
  const coding = outcome.kind === 'response' ? headerValue(outcome, 'content-encoding') : undefined
  return `${mediaTypeOf(exchange) || 'none'}${coding ? `, ${coding}` : ''}`
}

const isRefusal = ({ kind }: ListOrLivesReading): boolean => kind === 'refused' || kind === 'failed'

/** Creates an observer of the media type and content coding of an operation (O-MEDIA). */
export const createMediaTypeObserver = (operation: OperationId, firstOf: FirstResourceFinder<ListOrLivesReading>) =>
  createObserver({ id: 'O-MEDIA', operation }, async ({ target: { directory }, readings }) => {
    const resource = await firstOf(directory, readings.read)
    if (!resource || isRefusal(await readings.read(resource))) return undefined
    const [exchange] = readings.exchangesFor(resource)
    return exchange && { value: describeMediaType(exchange), shownBy: [resource] }
  })

/** Creates an observer of the response to an input that matches nothing, or is empty or absent. */
export const createNoMatchObserver = (
  point: ObservedPoint,
  resourceOf: (directory: Directory) => Resource<ListReading>,
) =>
  createObserver(point, async ({ target: { directory }, readings }) => {
    const resource = resourceOf(directory)
    const [reading, cats] = await Promise.all([resource, directory.cats].map(readings.read))
    if (!reading || !cats) return undefined
    return {
      value: describeFoundNames(reading, namesOfReading(cats), readings.exchangesFor(resource)[0]),
      shownBy: [resource],
    }
  })

function describeFoundNames(reading: ListReading, cats: readonly string[], exchange: Exchange | undefined): string {
  const isAll = reading.kind === 'list' && reading.names.length > 0 && cats.every(reading.has)
  return isAll ? 'all cats' : describeListResponse(reading, exchange)
}

/**
 * Describes a response that should be a list. The text contains no listed names, so that it is the same for different
 * data.
 */
export function describeListResponse(reading: ListReading, exchange: Exchange | undefined): string {
  if (reading.kind === 'list') return reading.names.length === 0 ? 'empty list' : 'some cats'
  if (reading.kind === 'not-a-list') return `JSON that contains no array: ${describeJsonTypeOrKeys(exchange)}`
  return reading.kind === 'unreadable' ? 'a list without names' : describeResponseWithoutJson(reading, exchange)
}

export const describeResponseWithoutJson = (reading: ResponseWithoutData, exchange: Exchange | undefined): string =>
  reading.kind === 'nothing'
    ? `status ${reading.status}, ${reading.shown}`
    : exchange
      ? describeResponse(exchange)
      : describeResponseWithoutData(reading)

const MAX_KEYS = 8

/**
 * Describes a JSON body by its keys if it is an object, else by its type: these do not depend on the requested name.
 */
export function describeJsonTypeOrKeys(exchange: Exchange | undefined): string {
  const { outcome } = exchange ?? {}
  if (outcome?.kind !== 'response' || outcome.body.kind !== 'json') return 'nothing'
  const { value } = outcome.body
  return jsonTypeOf(value) === 'object'
    ? `{${Object.keys(Object(value)).sort().slice(0, MAX_KEYS).join(', ')}}`
    : jsonTypeOf(value)
}

import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import type { LivesReading } from '../../directory/lives/lives-reading.ts'
import { describeResponseWithoutData } from '../../directory/readings/describe-non-list.ts'
import type { ResponseWithoutData } from '../../directory/readings/interpret-response.ts'
import { jsonTypeOf } from '../../directory/readings/json.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { mediaTypeOf } from '../../directory/readings/media-type.ts'
import { namesOfReading } from '../../directory/readings/names.ts'
import type { Resource } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { headerValue } from '../../engine/http/decode/response.ts'
import { describeResponse } from './describe-response.ts'
import type { FirstResourceFinder } from './list-shape.ts'
import { createObserver, type ObservedPoint } from './observe.ts'

type ListOrLivesReading = ListReading | LivesReading

/** Describes the media type and the content coding, e.g. `application/json, gzip`. */
function describeMediaType(exchange: Exchange): string {
  const { outcome } = exchange
  const coding = outcome.kind === 'response' ? headerValue(outcome, 'content-encoding') : undefined
  return `${mediaTypeOf(exchange) || 'none'}${coding ? `, ${coding}` : ''}`
}

/** Returns whether the response is a 4xx, a 5xx, or missing. */
const isRefusedOrFailed = ({ kind }: ListOrLivesReading): boolean => kind === 'refused' || kind === 'failed'

/** Creates an observer of the media type and content coding of an operation (O-MEDIA). */
export const createMediaTypeObserver = (operation: OperationId, findFirst: FirstResourceFinder<ListOrLivesReading>) =>
  createObserver({ id: 'O-MEDIA', operation }, async ({ target: { directory }, readings }) => {
    const resource = await findFirst(directory, readings.read)
    if (!resource || isRefusedOrFailed(await readings.read(resource))) return undefined
    const [exchange] = readings.exchangesFor(resource)
    return exchange && { value: describeMediaType(exchange), shownBy: [resource] }
  })

/** Creates an observer of the response to an input that matches nothing, or is empty or absent, e.g. O-SEARCH-NO-Q. */
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

/**
 * Describes the response to an input: `all cats` if it lists all of them.
 * @param cats all listed cats
 */
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
  return reading.kind === 'unreadable' ? 'a list without names' : describeStatusAndBody(reading, exchange)
}

/** Describes a response that has no JSON to interpret, e.g. `status 404, text/html` or `status 204, no content`. */
export const describeStatusAndBody = (reading: ResponseWithoutData, exchange: Exchange | undefined): string =>
  reading.kind === 'nothing'
    ? `status ${reading.status}, ${reading.shown}`
    : exchange
      ? describeResponse(exchange)
      : describeResponseWithoutData(reading)

/** The maximum number of keys in a description. */
const MAX_DESCRIBED_KEYS = 8

/**
 * Describes a JSON body by its keys if it is an object, e.g. `{error}`, else by its type, e.g. `string`. These do not
 * depend on the requested name.
 */
export function describeJsonTypeOrKeys(exchange: Exchange | undefined): string {
  const { outcome } = exchange ?? {}
  if (outcome?.kind !== 'response' || outcome.body.kind !== 'json') return 'nothing'
  const { value } = outcome.body
  return jsonTypeOf(value) === 'object'
    ? `{${Object.keys(Object(value)).sort().slice(0, MAX_DESCRIBED_KEYS).join(', ')}}`
    : jsonTypeOf(value)
}

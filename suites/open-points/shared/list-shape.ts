import type { OperationId } from '../../../fixtures/contract/operations.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import { interpretResponse } from '../../directory/readings/interpret-response.ts'
import {
  arrayAt,
  EVERY_MEMBER_PLACEHOLDER,
  INPUT_PLACEHOLDER,
  isContainer,
  type JsonPlace,
  toJsonPointer,
} from '../../directory/readings/json.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import type { InferredShape } from '../../directory/shapes/whole-list-shape.ts'
import { findOperationOfTarget } from '../../directory/shared/targets.ts'
import type { Read, Reader, Resource } from '../../engine/check/readers.ts'
import { createObserver } from './observe.ts'

/** Finds a resource for an observation, e.g. the list of the first breed. Undefined if the directory has none. */
export type FirstResourceFinder<T> = (directory: Directory, read: Read) => Promise<Resource<T> | undefined>

/** Describes the shape of a list, e.g. `array at /items, name at /name`. Returns undefined if there is no shape. */
function describeShape(shape: InferredShape): string | undefined {
  if (!shape) return undefined
  if ('unreadable' in shape) return 'cannot be told'
  const list = toJsonPointer(shape.list) === '' ? 'bare array' : `array at ${toJsonPointer(shape.list)}`
  const name = shape.name.length === 0 ? 'strings' : `name at ${toJsonPointer(shape.name)}`
  return `${list}, ${name}${shape.breed ? `, breed at ${toJsonPointer(shape.breed)}` : ''}`
}

/**
 * Finds the responses to some requests whose body has an array at the given place: for each the whole body, the array,
 * and the exchange.
 */
function findBodiesWithList(
  resources: readonly Resource<unknown>[],
  place: JsonPlace,
  exchangesFor: Reader['exchangesFor'],
) {
  return resources.flatMap(exchangesFor).flatMap((exchange) => {
    const decoded = interpretResponse(exchange)
    const list = decoded.kind === 'json' ? arrayAt(decoded.value, place) : undefined
    return decoded.kind === 'json' && list ? [{ body: decoded.value, list, exchange }] : []
  })
}

/**
 * Returns a copy of a body in which the list at the given place is empty, e.g. `{"items": []}`. Returns undefined if the
 * whole body is the list, if the list consists of several arrays, or if its key is the requested name.
 */
function copyWithEmptyList(body: unknown, [token, ...rest]: JsonPlace): unknown {
  if (token === undefined || token === INPUT_PLACEHOLDER || token === EVERY_MEMBER_PLACEHOLDER || !isContainer(body))
    return undefined
  const inner = rest.length === 0 ? [] : copyWithEmptyList(body[token], rest)
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
  listKind: keyof Directory['shapes'],
  findFirstList: FirstResourceFinder<ListReading>,
) =>
  createObserver({ id: 'O-LIST-SHAPE', operation }, async ({ target: { directory }, readings }) => {
    const shape = await directory.shapes[listKind]()
    const [value, resource] = [describeShape(shape), await findFirstList(directory, readings.read)]
    if (value === undefined || !resource) return undefined
    await readings.read(resource)
    if (!shape || 'unreadable' in shape) return { value, shownBy: [resource] }
    const isOfOperation = ({ key }: Resource<unknown>) => {
      const found = findOperationOfTarget(key)
      return found?.operation === operation && found.version === directory.version
    }
    const findBodies = () =>
      findBodiesWithList(readings.resourcesRead().filter(isOfOperation), shape.list, readings.exchangesFor)
    const instances = () => findBodies().flatMap(({ list, exchange }) => list.map((one) => ({ value: one, exchange })))
    const envelopes = () =>
      findBodies().flatMap(({ body, exchange }) => {
        const envelope = copyWithEmptyList(body, shape.list)
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

import { toJsonPointer, valueAt } from '../readings/json.ts'
import { type ArrayCandidate, findArrays, type ListShapeCandidate, nameStringsOf } from '../readings/name-candidates.ts'
import { everySampledValuePasses, filterAsync } from './candidate-tests.ts'
import type { NameTest } from './name-tests.ts'

/**
 * Returns whether an array is in the first element of another. If so, either the outer array only wraps a list, or the
 * inner one is a part of an element.
 */
const isNestedIn = (inner: ArrayCandidate, outer: ArrayCandidate): boolean =>
  `${toJsonPointer(inner.place)}/`.startsWith(`${toJsonPointer(outer.place)}/0/`)

/**
 * Returns whether the arrays of some candidates are inside those of others. Only other responses show which array is
 * the list.
 */
export const hasNestedCandidates = (candidates: readonly ListShapeCandidate[]): boolean =>
  candidates.some((one) => candidates.some((another) => isNestedIn(one.list, another.list)))

/**
 * Removes candidates that cannot be the list, as the arrays of several responses show. Removes none if none were left.
 */
export function removeRefutedCandidates<T>(
  some: readonly T[],
  candidateOf: (one: T) => ListShapeCandidate,
  responses: readonly (readonly ArrayCandidate[])[],
): readonly T[] {
  const left = some.filter(
    (one) =>
      !some.some((another) => responses.some((arrays) => isRefutedBy(candidateOf(another), candidateOf(one), arrays))),
  )
  return left.length > 0 ? left : some
}

export const fetchOutermostArrays = async (
  fetchResponse: (() => Promise<unknown>) | undefined,
): Promise<readonly ArrayCandidate[]> => (fetchResponse ? findArrays(await fetchResponse()) : [])

/**
 * Returns whether the arrays of a response show that `another` is not the list: it is a part of `one`, or only wraps
 * it.
 */
const isRefutedBy = (
  one: ListShapeCandidate,
  another: ListShapeCandidate,
  arrays: readonly ArrayCandidate[],
): boolean =>
  isNestedIn(another.list, one.list)
    ? isNoEnvelope(one, another, arrays)
    : isNestedIn(one.list, another.list) && isEnvelopeOf(one, another, arrays)

const findElements = (
  arrays: readonly ArrayCandidate[],
  { list }: ListShapeCandidate,
): readonly unknown[] | undefined =>
  arrays.find(({ place }) => toJsonPointer(place) === toJsonPointer(list.place))?.elements

const hasStringName = ({ name }: ListShapeCandidate, element: unknown): boolean =>
  typeof valueAt(element, name) === 'string'

/**
 * Returns whether the outer array is the list, and not only a wrapper: it is empty, or it has several elements and a
 * name, or it has one element with a name in a row whose other cells are not all strings.
 */
function isNoEnvelope(
  outer: ListShapeCandidate,
  inner: ListShapeCandidate,
  arrays: readonly ArrayCandidate[],
): boolean {
  const [elements, cells] = [findElements(arrays, outer), findElements(arrays, inner)]
  if (!elements) return false
  if (elements.length !== 1) return elements.length === 0 || elements.some((one) => hasStringName(outer, one))
  const isRow = inner.list.place.length === outer.list.place.length + 1
  return (
    isRow &&
    hasStringName(outer, elements[0]) &&
    cells !== undefined &&
    cells.some((cell) => !hasStringName(inner, cell))
  )
}

/**
 * Returns whether the outer array only wraps the inner one: in another response, it still has one element although the
 * inner array is empty.
 */
function isEnvelopeOf(
  inner: ListShapeCandidate,
  outer: ListShapeCandidate,
  arrays: readonly ArrayCandidate[],
): boolean {
  const [elements, inside] = [findElements(arrays, outer), findElements(arrays, inner)]
  return elements?.length === 1 && inside?.length === 0 && !hasStringName(outer, elements[0])
}

/** Returns whether the names of the outer list are inside the inner array. */
const hasNamesInside = (inner: ArrayCandidate, outer: ListShapeCandidate): boolean =>
  toJsonPointer([...outer.list.place, '0', ...outer.name]).startsWith(`${toJsonPointer(inner.place)}/`)

const MAX_STRINGS_TESTED = 8

/** Returns whether at least half of the first strings are not names of cats, e.g. attributes. */
async function areMostlyUnidentified(candidate: ListShapeCandidate, identifies: NameTest): Promise<boolean> {
  const texts = nameStringsOf(candidate).slice(0, MAX_STRINGS_TESTED)
  return (await filterAsync(texts, identifies)).length * 2 <= texts.length
}

/** Removes arrays inside an element of another list, e.g. keywords, whose strings are no names. */
export async function removeCandidatesInsideElements(
  some: readonly ListShapeCandidate[],
  identifies: NameTest,
): Promise<readonly ListShapeCandidate[]> {
  if (!hasNestedCandidates(some)) return some
  const [outerLists, others] = await Promise.all([
    filterAsync(some, (one) => everySampledValuePasses(nameStringsOf(one), identifies)),
    filterAsync(some, (one) => areMostlyUnidentified(one, identifies)),
  ])
  const isPartOf = (inner: ListShapeCandidate, outer: ListShapeCandidate) =>
    isNestedIn(inner.list, outer.list) && (others.includes(inner) || !hasNamesInside(inner.list, outer))
  return some.filter((one) => outerLists.includes(one) || !outerLists.some((outer) => isPartOf(one, outer)))
}

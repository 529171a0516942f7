import { toJsonPointer, valueAt } from '../readings/json.ts'
import { type ArrayCandidate, findArrays, type NameCandidate, nameStringsOf } from '../readings/name-candidates.ts'
import type { NameTest } from './name-tests.ts'
import { filterAsync, worksForEachValue } from './working-candidates.ts'

/**
 * Returns whether an array stands in the only element of another, which may be its envelope: or it is part of an
 * element, its cells.
 */
const isNestedIn = (inner: ArrayCandidate, outer: ArrayCandidate): boolean =>
  `${toJsonPointer(inner.place)}/`.startsWith(`${toJsonPointer(outer.place)}/0/`)

/** Returns whether some arrays contain others, so that other responses are needed to decide which of them are lists. */
export const areNested = (candidates: readonly NameCandidate[]): boolean =>
  candidates.some((one) => candidates.some((another) => isNestedIn(one.list, another.list)))

/** Candidates that other answers do not prove wrong. */
export function removeRefuted<T>(
  some: readonly T[],
  candidateOf: (one: T) => NameCandidate,
  answers: readonly (readonly ArrayCandidate[])[],
): readonly T[] {
  const left = some.filter(
    (one) =>
      !some.some((another) => answers.some((arrays) => isRefutedBy(candidateOf(another), candidateOf(one), arrays))),
  )
  return left.length > 0 ? left : some
}

/** The arrays of an answer in which some of the elements do not stand. */
export const fetchArrays = async (answer: (() => Promise<unknown>) | undefined): Promise<readonly ArrayCandidate[]> =>
  answer ? findArrays(await answer()) : []

const isRefutedBy = (one: NameCandidate, another: NameCandidate, arrays: readonly ArrayCandidate[]): boolean =>
  isNestedIn(another.list, one.list)
    ? isNoEnvelope(one, another, arrays)
    : isNestedIn(one.list, another.list) && isEnvelopeOf(one, another, arrays)

const findElements = (arrays: readonly ArrayCandidate[], { list }: NameCandidate): readonly unknown[] | undefined =>
  arrays.find(({ place }) => toJsonPointer(place) === toJsonPointer(list.place))?.elements

const hasStringName = ({ name }: NameCandidate, element: unknown): boolean => typeof valueAt(element, name) === 'string'

/**
 * An object that is empty elsewhere, or holds several names, is no envelope of one; cells that are no strings are no
 * names.
 */
function isNoEnvelope(outer: NameCandidate, inner: NameCandidate, arrays: readonly ArrayCandidate[]): boolean {
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

/** An object with an empty list and without a name is the envelope of a list. */
function isEnvelopeOf(inner: NameCandidate, outer: NameCandidate, arrays: readonly ArrayCandidate[]): boolean {
  const [elements, inside] = [findElements(arrays, outer), findElements(arrays, inner)]
  return elements?.length === 1 && inside?.length === 0 && !hasStringName(outer, elements[0])
}

/** Returns whether names stand in an array of each element, and not beside it. */
const hasNamesThrough = (inner: ArrayCandidate, outer: NameCandidate): boolean =>
  toJsonPointer([...outer.list.place, '0', ...outer.name]).startsWith(`${toJsonPointer(inner.place)}/`)

const MAX_STRINGS_IDENTIFIED = 8

/**
 * Returns whether half of the first strings or more identify nothing: names of one thing in other languages, its
 * attributes.
 */
async function areMostlyUnidentified(candidate: NameCandidate, identifies: NameTest): Promise<boolean> {
  const texts = nameStringsOf(candidate).slice(0, MAX_STRINGS_IDENTIFIED)
  return (await filterAsync(texts, identifies)).length * 2 <= texts.length
}

/**
 * Without what stands in the only element of another list and is part of it: keywords, of which some do not identify,
 * where a name beside them does.
 */
export async function removeElementParts(
  some: readonly NameCandidate[],
  identifies: NameTest,
): Promise<readonly NameCandidate[]> {
  if (!areNested(some)) return some
  const [whole, others] = await Promise.all([
    filterAsync(some, (one) => worksForEachValue(nameStringsOf(one), identifies)),
    filterAsync(some, (one) => areMostlyUnidentified(one, identifies)),
  ])
  const isPartOf = (inner: NameCandidate, outer: NameCandidate) =>
    isNestedIn(inner.list, outer.list) && (others.includes(inner) || !hasNamesThrough(inner.list, outer))
  return some.filter((one) => whole.includes(one) || !whole.some((outer) => isPartOf(one, outer)))
}

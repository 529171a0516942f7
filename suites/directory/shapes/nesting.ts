import { type ArrayCandidate, arraysIn, type NameCandidate, stringsOf } from '../readings/candidates.ts'
import { at, pointer } from '../readings/json.ts'
import type { Works } from './proof.ts'
import { eachWorks, filtered } from './working.ts'

/**
 * Returns whether an array stands in the only element of another, which may be its envelope: or it is part of an
 * element, its cells.
 */
const isIn = (inner: ArrayCandidate, outer: ArrayCandidate): boolean =>
  `${pointer(inner.place)}/`.startsWith(`${pointer(outer.place)}/0/`)

/** Returns whether some arrays contain others, so that other responses are needed to decide which of them are lists. */
export const areNested = (candidates: readonly NameCandidate[]): boolean =>
  candidates.some((one) => candidates.some((another) => isIn(one.list, another.list)))

/** Candidates that other answers do not prove wrong. */
export function notRefuted<T>(
  some: readonly T[],
  candidateOf: (one: T) => NameCandidate,
  answers: readonly (readonly ArrayCandidate[])[],
): readonly T[] {
  const left = some.filter(
    (one) => !some.some((another) => answers.some((arrays) => refutes(candidateOf(another), candidateOf(one), arrays))),
  )
  return left.length > 0 ? left : some
}

/** The arrays of an answer in which some of the elements do not stand. */
export const arraysOf = async (answer: (() => Promise<unknown>) | undefined): Promise<readonly ArrayCandidate[]> =>
  answer ? arraysIn(await answer()) : []

const refutes = (one: NameCandidate, another: NameCandidate, arrays: readonly ArrayCandidate[]): boolean =>
  isIn(another.list, one.list)
    ? isNoEnvelope(one, another, arrays)
    : isIn(one.list, another.list) && isEnvelopeOf(one, another, arrays)

const find = (arrays: readonly ArrayCandidate[], { list }: NameCandidate): readonly unknown[] | undefined =>
  arrays.find(({ place }) => pointer(place) === pointer(list.place))?.elements

const isNamed = ({ name }: NameCandidate, element: unknown): boolean => typeof at(element, name) === 'string'

/**
 * An object that is empty elsewhere, or holds several names, is no envelope of one; cells that are no strings are no
 * names.
 */
function isNoEnvelope(outer: NameCandidate, inner: NameCandidate, arrays: readonly ArrayCandidate[]): boolean {
  const [elements, cells] = [find(arrays, outer), find(arrays, inner)]
  if (!elements) return false
  if (elements.length !== 1) return elements.length === 0 || elements.some((one) => isNamed(outer, one))
  const isRow = inner.list.place.length === outer.list.place.length + 1
  return isRow && isNamed(outer, elements[0]) && cells !== undefined && cells.some((cell) => !isNamed(inner, cell))
}

/** An object with an empty list and without a name is the envelope of a list. */
function isEnvelopeOf(inner: NameCandidate, outer: NameCandidate, arrays: readonly ArrayCandidate[]): boolean {
  const [elements, inside] = [find(arrays, outer), find(arrays, inner)]
  return elements?.length === 1 && inside?.length === 0 && !isNamed(outer, elements[0])
}

/** Returns whether names stand in an array of each element, and not beside it. */
const isThrough = (inner: ArrayCandidate, outer: NameCandidate): boolean =>
  pointer([...outer.list.place, '0', ...outer.name]).startsWith(`${pointer(inner.place)}/`)

const MOST_IDENTIFIED = 8

/**
 * Returns whether half of the first strings or more identify nothing: names of one thing in other languages, its
 * attributes.
 */
async function areMostlyOthers(candidate: NameCandidate, identifies: Works): Promise<boolean> {
  const texts = stringsOf(candidate).slice(0, MOST_IDENTIFIED)
  return (await filtered(texts, identifies)).length * 2 <= texts.length
}

/**
 * Without what stands in the only element of another list and is part of it: keywords, of which some do not identify,
 * where a name beside them does.
 */
export async function withoutParts(
  some: readonly NameCandidate[],
  identifies: Works,
): Promise<readonly NameCandidate[]> {
  if (!areNested(some)) return some
  const [whole, others] = await Promise.all([
    filtered(some, (one) => eachWorks(stringsOf(one), identifies)),
    filtered(some, (one) => areMostlyOthers(one, identifies)),
  ])
  const isPartOf = (inner: NameCandidate, outer: NameCandidate) =>
    isIn(inner.list, outer.list) && (others.includes(inner) || !isThrough(inner.list, outer))
  return some.filter((one) => whole.includes(one) || !whole.some((outer) => isPartOf(one, outer)))
}

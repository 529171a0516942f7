import { type ArrayCandidate, arraysIn, type NameCandidate } from './candidates.ts'
import { at, pointer } from './json.ts'

/** Whether an array stands in the only element of another, which may be its envelope: or it is part of an element, its cells. */
const isIn = (inner: ArrayCandidate, outer: ArrayCandidate): boolean =>
  `${pointer(inner.place)}/`.startsWith(`${pointer(outer.place)}/0/`)

/** Whether some arrays stand in others, so that other answers should tell which of them are lists. */
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

/** What is empty elsewhere or holds several names is no envelope of one; and cells that are no strings are no names. */
function isNoEnvelope(outer: NameCandidate, inner: NameCandidate, arrays: readonly ArrayCandidate[]): boolean {
  const [elements, cells] = [find(arrays, outer), find(arrays, inner)]
  if (!elements) return false
  if (elements.length !== 1) return elements.length === 0 || elements.some((one) => isNamed(outer, one))
  const isRow = inner.list.place.length === outer.list.place.length + 1
  return isRow && isNamed(outer, elements[0]) && cells !== undefined && cells.some((cell) => !isNamed(inner, cell))
}

/** What holds an empty list and no name is the envelope of a list. */
function isEnvelopeOf(inner: NameCandidate, outer: NameCandidate, arrays: readonly ArrayCandidate[]): boolean {
  const [elements, inside] = [find(arrays, outer), find(arrays, inner)]
  return elements?.length === 1 && inside?.length === 0 && !isNamed(outer, elements[0])
}

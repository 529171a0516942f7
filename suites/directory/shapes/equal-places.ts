import { type JsonPlace, toJsonPointer } from '../readings/json.ts'
import type { ListShape } from '../readings/list-reading.ts'
import { type ElementKind, type NameCandidate, rankPlaceByKey } from '../readings/name-candidates.ts'
import type { StringAtPlace } from '../readings/other-arrays.ts'
import { findMissingStrings } from './competing-candidates.ts'
import type { NameTest } from './name-tests.ts'

const isSamePlace = (one: JsonPlace, other: JsonPlace): boolean => toJsonPointer(one) === toJsonPointer(other)

/** Finds the other places in the same list that have the same strings as the name, e.g. `title` beside `name`. */
export const findEqualPlaces = (chosen: NameCandidate, candidates: readonly NameCandidate[]): readonly JsonPlace[] =>
  candidates
    .filter(({ list, name }) => isSamePlace(list.place, chosen.list.place) && !isSamePlace(name, chosen.name))
    .filter((one) => findMissingStrings(chosen, one).length + findMissingStrings(one, chosen).length === 0)
    .map(({ name }) => name)

/**
 * Decides between places that had equal strings until now, e.g. `name` and `name_without_accents`: the string of an
 * element that works in requests is its name, and the others are not (R3.2). If requests do not decide, the keys do.
 * @param differing the strings of an element in which they differ
 * @param tests tests whether a string is a name, the most reliable first
 * @returns the shape with fewer places; undefined if neither requests nor keys decide
 */
export async function decideBetweenEqualPlaces(
  shape: ListShape,
  differing: readonly StringAtPlace[],
  kind: ElementKind,
  tests: readonly NameTest[],
): Promise<ListShape | undefined> {
  const right = (await findWorkingStrings(differing, tests)) ?? findLikeliestKeys(differing, kind)
  const wrong = differing.filter((one) => !right.includes(one)).map(({ place }) => place)
  if (wrong.length === 0) return undefined
  const isLeft = (place: JsonPlace) => !wrong.some((one) => isSamePlace(one, place))
  const [name, ...equalNamePlaces] = [shape.name, ...(shape.equalNamePlaces ?? [])].filter(isLeft)
  return name && { ...shape, name, equalNamePlaces }
}

async function findWorkingStrings(
  differing: readonly StringAtPlace[],
  tests: readonly NameTest[],
): Promise<readonly StringAtPlace[] | undefined> {
  for (const test of tests) {
    const works = await Promise.all(differing.map(({ text }) => test(text)))
    if (works.includes(true) && works.includes(false)) return differing.filter((_, nth) => works[nth])
  }
  return undefined
}

function findLikeliestKeys(differing: readonly StringAtPlace[], kind: ElementKind): readonly StringAtPlace[] {
  const rankOf = ({ place }: StringAtPlace) => rankPlaceByKey(place, kind)
  const best = Math.min(...differing.map(rankOf))
  return differing.filter((one) => rankOf(one) === best)
}

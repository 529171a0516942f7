import { areEqualPlaces, createValueReader, type JsonPlace } from '../readings/json.ts'
import type { ListShape } from '../readings/list-reading.ts'
import {
  type ElementKind,
  firstNameStringsOf,
  type ListShapeCandidate,
  rankPlaceByKey,
} from '../readings/name-candidates.ts'
import type { StringAtPlace } from '../readings/other-arrays.ts'
import { findStringsOnlyIn } from './candidate-comparison.ts'
import type { NameTest } from './name-tests.ts'

/**
 * Finds the other places in the same list that have the same strings as the name, e.g. `title` with the same as `name`.
 */
export const findEqualPlaces = (
  chosen: ListShapeCandidate,
  candidates: readonly ListShapeCandidate[],
): readonly JsonPlace[] =>
  candidates
    .filter(({ list, name }) => areEqualPlaces(list.place, chosen.list.place) && !areEqualPlaces(name, chosen.name))
    .filter((one) => hasFirstStringOf(one, chosen))
    .filter(
      (one) =>
        findStringsOnlyIn(one, { butNotIn: chosen }).length + findStringsOnlyIn(chosen, { butNotIn: one }).length === 0,
    )
    .map(({ name }) => name)

/** Returns whether a place has the first string of the chosen one. If not, their strings need not be compared. */
function hasFirstStringOf(one: ListShapeCandidate, chosen: ListShapeCandidate): boolean {
  const [[first], readValue] = [firstNameStringsOf(chosen), createValueReader(one.name)]
  return one.list.elements.some((element) => readValue(element) === first)
}

/**
 * Finds the wrong places among those that had equal strings in all earlier elements, e.g. `name` and
 * `name_without_accents`. The string of an element that works in requests is its name, and the others are not (R3.2).
 * If requests do not decide, only places whose keys are as likely as that of the first one are kept.
 * @param differing the different strings of one element; the first is at the likeliest place
 * @param tests tests whether a string is a name, the most reliable first
 * @returns no places if neither requests nor keys decide
 */
export async function findWrongPlaces(
  differing: readonly StringAtPlace[],
  kind: ElementKind,
  tests: readonly NameTest[],
): Promise<readonly JsonPlace[]> {
  const right = (await findPassingStrings(differing, tests)) ?? findEquallyLikelyPlaces(differing, kind)
  return differing.filter((one) => !right.includes(one)).map(({ place }) => place)
}

/** Returns the shape without the wrong places of the name. At least one place must be left. */
export function removeWrongPlaces(shape: ListShape, wrong: readonly JsonPlace[]): ListShape {
  const isLeft = (place: JsonPlace) => !wrong.some((one) => areEqualPlaces(one, place))
  const [name = shape.name, ...equalNamePlaces] = [shape.name, ...(shape.equalNamePlaces ?? [])].filter(isLeft)
  return { ...shape, name, equalNamePlaces }
}

/** Returns the strings that pass the first test which only some of them pass; undefined if there is no such test. */
async function findPassingStrings(
  differing: readonly StringAtPlace[],
  tests: readonly NameTest[],
): Promise<readonly StringAtPlace[] | undefined> {
  for (const test of tests) {
    const works = await Promise.all(differing.map(({ text }) => test(text)))
    if (works.includes(true) && works.includes(false)) return differing.filter((_, nth) => works[nth])
  }
  return undefined
}

function findEquallyLikelyPlaces(differing: readonly StringAtPlace[], kind: ElementKind): readonly StringAtPlace[] {
  const ranks = differing.map(({ place }) => rankPlaceByKey(place, kind))
  return differing.filter((_, nth) => ranks[nth] === ranks[0])
}

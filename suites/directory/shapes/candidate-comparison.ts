import {
  type ElementKind,
  type ListShapeCandidate,
  nameStringsOf,
  rankPlaceByKey,
} from '../readings/name-candidates.ts'
import { essentialFormOf, foldText } from '../shared/text.ts'
import {
  anySampledValuePasses,
  filterAsync,
  measureShareOfPassing,
  sampleEvenly,
  type ValueSampler,
} from './candidate-tests.ts'
import type { NameTest } from './name-tests.ts'

type Fold = (text: string) => string

const keepSpelling: Fold = (text) => text

/** Returns the strings of `one` that `another` lacks. Strings with equal results of `fold` count as the same. */
export function findStringsOnlyIn(
  one: ListShapeCandidate,
  { butNotIn: another }: { readonly butNotIn: ListShapeCandidate },
  fold = keepSpelling,
): string[] {
  const known = new Set(nameStringsOf(another).map(fold))
  return nameStringsOf(one).filter((text) => !known.has(fold(text)))
}

/**
 * Returns the one of two places whose strings work as names in requests. Tests only strings that the other place lacks.
 * If both places pass, leaves out strings that may work because paths ignore case or punctuation: e.g. the code `MANX`
 * of the breed `Manx`. Returns undefined if no place passes, or both still do.
 */
async function choosePlaceWithPassingStrings(
  one: ListShapeCandidate,
  another: ListShapeCandidate,
  isName: NameTest,
  sample?: ValueSampler,
): Promise<ListShapeCandidate | undefined> {
  for (const fold of [keepSpelling, foldText, essentialFormOf]) {
    const [oneWorks, anotherWorks] = await Promise.all([
      anySampledValuePasses(findStringsOnlyIn(one, { butNotIn: another }, fold), isName, sample),
      anySampledValuePasses(findStringsOnlyIn(another, { butNotIn: one }, fold), isName, sample),
    ])
    if (oneWorks !== anotherWorks) return oneWorks ? one : another
    if (!oneWorks) return undefined
  }
  return undefined
}

export const haveEquallyLikelyKeys = (
  one: ListShapeCandidate,
  another: ListShapeCandidate,
  kind: ElementKind,
): boolean => rankPlaceByKey(one.name, kind) === rankPlaceByKey(another.name, kind)

/**
 * Returns the candidates with other keys that fit better than `one`: where the strings of both differ, the strings of the
 * candidate work as names in requests, and those of `one` do not, or at most by chance. This evidence counts more than a
 * likely key: `name` may contain the names without accents (R3.2).
 */
export const findBetterPlaces = (
  one: ListShapeCandidate,
  others: readonly ListShapeCandidate[],
  kind: ElementKind,
  tests: readonly NameTest[],
): Promise<readonly ListShapeCandidate[]> =>
  filterAsync(others, async (another) => {
    const differing = haveEquallyLikelyKeys(one, another, kind) ? [] : findStringsOnlyIn(one, { butNotIn: another })
    if (differing.length === 0) return false
    for (const isName of tests) {
      const [share, otherShare] = await Promise.all([
        measureShareOfPassing(differing, isName),
        measureShareOfPassing(findStringsOnlyIn(another, { butNotIn: one }), isName),
      ])
      if (share + otherShare > 0) return share < 0.5 && otherShare > 0.5
    }
    return false
  })

/**
 * Returns the one of two places that has the names, as requests show. Returns undefined if they show nothing, or if the
 * keys of the places are not equally likely and therefore decide.
 */
export type PlaceComparison = (
  one: ListShapeCandidate,
  another: ListShapeCandidate,
) => Promise<ListShapeCandidate | undefined>

/**
 * Creates a comparison by the first test that only one of two places passes: paths may accept ids, too, which no search
 * finds.
 */
export const createPlaceComparison =
  (kind: ElementKind, tests: readonly NameTest[]): PlaceComparison =>
  async (one, another) => {
    if (!haveEquallyLikelyKeys(one, another, kind)) return undefined
    for (const [nth, isName] of tests.entries()) {
      // The further tests are for ties. They may need many names, e.g. if few of many breeds have cats.
      const chosen = await choosePlaceWithPassingStrings(one, another, isName, nth === 0 ? undefined : sampleEvenly)
      if (chosen) return chosen
    }
    return undefined
  }

/** Returns the place that is better than every other place with different strings; undefined if there is none. */
export async function findBestCandidate(
  candidates: readonly ListShapeCandidate[],
  compare: PlaceComparison,
): Promise<ListShapeCandidate | undefined> {
  const isBest = async (one: ListShapeCandidate) => {
    const others = candidates.filter((other) => findStringsOnlyIn(other, { butNotIn: one }).length > 0)
    return (await Promise.all(others.map((other) => compare(one, other)))).every((better) => better === one)
  }
  return (await filterAsync(candidates, isBest))[0]
}

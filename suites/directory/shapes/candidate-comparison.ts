import { createValueReader, toJsonPointer, valueAt } from '../readings/json.ts'
import {
  type ElementKind,
  findArrays,
  findNameCandidates,
  firstNameStringsOf,
  hasNameKey,
  limitToFirstElements,
  type NameCandidate,
  nameStringsOf,
  rankPlaceByKey,
  sampleThreeValues,
} from '../readings/name-candidates.ts'
import { essentialFormOf, foldText } from '../shared/text.ts'
import {
  anySampledValuePasses,
  everySampledValuePasses,
  filterAsync,
  findPassingCandidates,
  measureShareOfPassing,
  sampleEvenly,
  type ValueSampler,
} from './candidate-tests.ts'
import type { NameTest } from './name-tests.ts'

type Fold = (text: string) => string

const keepSpelling: Fold = (text) => text

/** Returns the strings of `one` that `another` lacks. */
export function findMissingStrings(another: NameCandidate, one: NameCandidate, fold = keepSpelling): string[] {
  const known = new Set(nameStringsOf(another).map(fold))
  return nameStringsOf(one).filter((text) => !known.has(fold(text)))
}

/**
 * Returns the one of two places whose strings work as names in requests. Tests only strings that the other place lacks.
 * If both places pass, leaves out strings that may work because paths ignore case or punctuation, e.g. the code `MANX`
 * beside the name `Manx`.
 */
async function choosePlaceWithPassingStrings(
  one: NameCandidate,
  another: NameCandidate,
  isName: NameTest,
  some?: ValueSampler,
): Promise<NameCandidate | undefined> {
  for (const fold of [keepSpelling, foldText, essentialFormOf]) {
    const [oneWorks, anotherWorks] = await Promise.all([
      anySampledValuePasses(findMissingStrings(another, one, fold), isName, some),
      anySampledValuePasses(findMissingStrings(one, another, fold), isName, some),
    ])
    if (oneWorks !== anotherWorks) return oneWorks ? one : another
    if (!oneWorks) return undefined
  }
  return undefined
}

export const haveEquallyLikelyKeys = (one: NameCandidate, another: NameCandidate, kind: ElementKind): boolean =>
  rankPlaceByKey(one.name, kind) === rankPlaceByKey(another.name, kind)

/**
 * Returns the places with other keys that are better than `one`: where the strings differ, theirs work as names in
 * requests, and those of `one` do not, or at most by chance. This evidence counts more than a key such as `name`
 * (R3.2), which may have the names without accents.
 */
export const findBetterPlaces = (
  one: NameCandidate,
  others: readonly NameCandidate[],
  kind: ElementKind,
  tests: readonly NameTest[],
): Promise<readonly NameCandidate[]> =>
  filterAsync(others, async (another) => {
    const differing = haveEquallyLikelyKeys(one, another, kind) ? [] : findMissingStrings(another, one)
    if (differing.length === 0) return false
    for (const isName of tests) {
      const [works, otherWorks] = await Promise.all([
        measureShareOfPassing(differing, isName),
        measureShareOfPassing(findMissingStrings(one, another), isName),
      ])
      if (works + otherWorks > 0) return works < 0.5 && otherWorks > 0.5
    }
    return false
  })

/**
 * Returns the one of two places that has the names, as requests show; undefined if they show nothing, or if the keys of
 * the places differ and therefore decide.
 */
type PlaceComparison = (one: NameCandidate, another: NameCandidate) => Promise<NameCandidate | undefined>

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

/** Returns the place that is better than every other place with different strings. */
export async function findBestCandidate(
  candidates: readonly NameCandidate[],
  compare: PlaceComparison,
): Promise<NameCandidate | undefined> {
  const isBest = async (one: NameCandidate) => {
    const others = candidates.filter((other) => findMissingStrings(one, other).length > 0)
    return (await Promise.all(others.map((other) => compare(one, other)))).every((better) => better === one)
  }
  return (await filterAsync(candidates, isBest))[0]
}

type StringPair = readonly [one: string, another: string]

function pairStrings(one: NameCandidate, another: NameCandidate): StringPair[] {
  const [read, readOther] = [createValueReader(one.name), createValueReader(another.name)]
  return one.list.elements.flatMap((element) => {
    const [text, other] = [read(element), readOther(element)]
    return typeof text === 'string' && typeof other === 'string' ? [[text, other] as const] : []
  })
}

/**
 * Returns whether the first text of each pair is a slug of the second, e.g. `old-deuteronomy`. Some slugs may lack
 * letters.
 */
const areSlugs = (pairs: readonly StringPair[]): boolean => {
  const withEqualForm = pairs.filter(([slug, name]) => essentialFormOf(slug) === essentialFormOf(name))
  return pairs.every(([slug]) => /^[^\s\p{Lu}]*$/u.test(slug)) && withEqualForm.length * 2 > pairs.length
}

/** Returns whether the first text of each pair is the second in lower case, or the second in upper case. */
function areCaseVariants(pairs: readonly StringPair[]): boolean {
  const areFoldedBy = (fold: (name: string) => string) => pairs.every(([text, name]) => text === fold(name))
  return areFoldedBy((name) => name.toLowerCase()) || areFoldedBy((name) => name.toUpperCase())
}

function isDerivedFrom(one: NameCandidate, another: NameCandidate): boolean {
  const pairs = pairStrings(one, another)
  return pairs.some(([text, name]) => text !== name) && (areSlugs(pairs) || areCaseVariants(pairs))
}

/**
 * Returns which of two places has derived strings, e.g. slugs. If only the strings of one work as names, those at the
 * other are derived: ids may look like slugs, e.g. `3` of the breed `3a` (R3.2).
 */
async function findDerivedCandidate(
  first: NameCandidate,
  second: NameCandidate,
  compare: PlaceComparison,
): Promise<NameCandidate | undefined> {
  const isSecondDerived = isDerivedFrom(second, first)
  if (!isSecondDerived && !isDerivedFrom(first, second)) return undefined
  const original = (await compare(first, second)) ?? (isSecondDerived ? first : second)
  return original === first ? second : first
}

export async function removeDerivedCandidates(
  candidates: readonly NameCandidate[],
  compare: PlaceComparison,
): Promise<readonly NameCandidate[]> {
  const found = candidates.flatMap((first, nth) =>
    candidates.slice(nth + 1).map((second) => findDerivedCandidate(first, second, compare)),
  )
  const derived = new Set(await Promise.all(found))
  return candidates.filter((one) => !derived.has(one))
}

/** Returns whether each element has a value, and all values differ. Otherwise the values are not names. */
export function hasUniqueValues(candidate: NameCandidate): boolean {
  const texts = firstNameStringsOf(candidate).filter((text) => text !== '')
  return texts.length === limitToFirstElements(candidate.list).elements.length && new Set(texts).size === texts.length
}

/** Returns the places with a different value in each element; all places if only derived strings differ. */
export async function preferCandidatesWithUniqueValues(
  candidates: readonly NameCandidate[],
  compare: PlaceComparison,
): Promise<readonly NameCandidate[]> {
  const unique = (await removeDerivedCandidates(candidates, compare)).filter(hasUniqueValues)
  return unique.length > 0 ? unique : candidates
}

export type SearchFetcher = (text: string) => Promise<unknown>

/**
 * Returns whether searches find the strings at the candidate's place, not at that of a competitor. E.g. a search for
 * the cat in `friend/name` returns an element that has the string at `name`.
 */
export async function isConsistentWithSearches(
  candidate: NameCandidate,
  competitors: readonly NameCandidate[],
  hits: SearchFetcher | undefined,
): Promise<boolean> {
  return !hits || competitors.length < 2 || (await scoreCandidatePlace(candidate, competitors, hits)) >= 0
}

/**
 * Searches for three strings. Adds 1 for each string that is found at this place, and subtracts 1 if it is found only
 * at the place of a competitor.
 */
async function scoreCandidatePlace(
  one: NameCandidate,
  competitors: readonly NameCandidate[],
  hits: SearchFetcher,
): Promise<number> {
  const scores = sampleThreeValues(nameStringsOf(one)).map(async (text) => {
    const elements = findArrays(await hits(text)).flatMap((list) => limitToFirstElements(list).elements)
    const isAt = ({ name }: NameCandidate) => elements.some((element) => valueAt(element, name) === text)
    if (isAt(one)) return 1
    // In searches, elements may have another form, without this place.
    const belongsToOther = elements.some(
      (element) =>
        typeof valueAt(element, one.name) === 'string' &&
        competitors.some(({ name }) => valueAt(element, name) === text),
    )
    return belongsToOther ? -1 : 0
  })
  return (await Promise.all(scores)).reduce<number>((sum, sign) => sum + sign, 0)
}

/** Returns whether a list has all names of another, and otherwise only repetitions or strings that are no names. */
async function isDerivedList(one: NameCandidate, another: NameCandidate, isNoName: NameTest): Promise<boolean> {
  if (one.list === another.list || !hasUniqueValues(another) || findMissingStrings(one, another).length > 0)
    return false
  const others = findMissingStrings(another, one)
  return others.length > 0 ? everySampledValuePasses(others, isNoName) : !hasUniqueValues(one)
}

/**
 * Removes the lists that have all names of another list and else no names, e.g. the options of a filter with an
 * additional "All", or a log of deleted cats (R3.2).
 */
export async function removeDerivedLists(
  some: readonly NameCandidate[],
  isNoName: NameTest,
): Promise<readonly NameCandidate[]> {
  const isOwn = async (one: NameCandidate) =>
    (await filterAsync(some, (another) => isDerivedList(one, another, isNoName))).length === 0
  const left = await filterAsync(some, isOwn)
  return (left.length > 0 ? left : some).toSorted((one, other) => countDistinctNames(other) - countDistinctNames(one))
}

/**
 * Removes the arrays whose strings only refer to elements of another array, which has all of them beside its names, e.g.
 * the breed ids of included cats. Names occur once (R5.1); unique ids are no names if the other key is likelier (R3.6).
 */
export function removeReferences(
  some: readonly NameCandidate[],
  working: readonly NameCandidate[],
  kind: ElementKind,
): readonly NameCandidate[] {
  const refersTo = (one: NameCandidate, another: NameCandidate) =>
    one.list !== another.list &&
    (!hasUniqueValues(one) || rankPlaceByKey(one.name, kind) > rankPlaceByKey(another.name, kind)) &&
    working.some(
      (ids) =>
        ids.list === another.list &&
        ids !== another &&
        hasUniqueValues(ids) &&
        findMissingStrings(ids, one).length === 0,
    )
  return some.filter((one) => !some.some((another) => refersTo(one, another)))
}

const countDistinctNames = (one: NameCandidate): number => new Set(nameStringsOf(one)).size

/** Returns the place of the key `name` with wrong strings: results of searches have the right names at this key. */
export async function findCandidateWithWrongNames(
  candidates: readonly NameCandidate[],
  found: readonly NameCandidate[],
  kind: ElementKind,
  { nameTests, fetchSearch }: { readonly nameTests: readonly NameTest[]; readonly fetchSearch?: SearchFetcher },
): Promise<NameCandidate | undefined> {
  const [one] = found
  const withNameKey = candidates.find(
    (other) => hasNameKey(other, kind) && other.list === one?.list && hasUniqueValues(other),
  )
  if (!fetchSearch || !one || !withNameKey || found.some((other) => hasNameKey(other, kind))) return undefined
  const results = await Promise.all(sampleThreeValues(nameStringsOf(one)).map(fetchSearch))
  const foundStrings = results
    .flatMap((result) => findNameCandidates(result, kind))
    .filter(({ name }) => toJsonPointer(name) === toJsonPointer(withNameKey.name))
  return (await findPassingCandidates(foundStrings, nameTests)).candidates.length > 0 ? withNameKey : undefined
}

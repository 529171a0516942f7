import { createValueReader, valueAt } from '../readings/json.ts'
import {
  findArrays,
  firstNameStringsOf,
  limitToFirstElements,
  type NameCandidate,
  nameStringsOf,
  sampleThreeValues,
} from '../readings/name-candidates.ts'
import { essentialFormOf } from '../shared/text.ts'
import type { NameTest } from './name-tests.ts'
import { anySampledValuePasses } from './working-candidates.ts'

/** Compares the strings at two possible places of the names, and returns those of `one` that `another` lacks. */
export const findMissingStrings = (another: NameCandidate, one: NameCandidate): string[] => {
  const known = new Set(nameStringsOf(another))
  return nameStringsOf(one).filter((text) => !known.has(text))
}

/**
 * Compares two possible places of the names by the strings that only one of them has. Returns the place whose strings
 * work as names in requests; undefined if those of both or of neither do.
 */
export async function choosePlaceWithWorkingNames(
  one: NameCandidate,
  another: NameCandidate,
  isName: NameTest,
): Promise<NameCandidate | undefined> {
  const works = ([own, other]: readonly [NameCandidate, NameCandidate]) =>
    anySampledValuePasses(findMissingStrings(other, own), isName)
  const [oneWorks, anotherWorks] = await Promise.all([[one, another] as const, [another, one] as const].map(works))
  if (oneWorks === anotherWorks) return undefined
  return oneWorks ? one : another
}

type StringPair = readonly [one: string, another: string]

/** Returns, for each element, its strings at two possible places of the name. */
function pairStrings(one: NameCandidate, another: NameCandidate): StringPair[] {
  const [read, readOther] = [createValueReader(one.name), createValueReader(another.name)]
  return one.list.elements.flatMap((element) => {
    const [text, other] = [read(element), readOther(element)]
    return typeof text === 'string' && typeof other === 'string' ? [[text, other] as const] : []
  })
}

/**
 * Returns whether the first text of most pairs is a slug of the second, e.g. `old-deuteronomy`. Some slugs may lack
 * letters of other scripts.
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

function isVariantOf(one: NameCandidate, another: NameCandidate): boolean {
  const pairs = pairStrings(one, another)
  return pairs.length > 0 && (areSlugs(pairs) || areCaseVariants(pairs))
}

/**
 * Removes possible places of the names whose strings are derived from those at another place, e.g. slugs or names in
 * lower case. If the strings of each of two places may be derived from those of the other, the first place stays.
 */
export const removeDerivedCandidates = (candidates: readonly NameCandidate[]): NameCandidate[] =>
  candidates.filter(
    (one, nth) =>
      !candidates.some(
        (another, other) => other !== nth && isVariantOf(one, another) && (other < nth || !isVariantOf(another, one)),
      ),
  )

/** Returns whether each element has a value, and all values differ. Otherwise the values are not names. */
export function hasUniqueValues(candidate: NameCandidate): boolean {
  const texts = firstNameStringsOf(candidate).filter((text) => text !== '')
  return texts.length === limitToFirstElements(candidate.list).elements.length && new Set(texts).size === texts.length
}

/**
 * Returns the possible places of the name that have a different value in each element. Returns all places if no place
 * does, or if only places with derived strings do, e.g. slugs.
 */
export function preferCandidatesWithUniqueValues(candidates: readonly NameCandidate[]): readonly NameCandidate[] {
  const isOriginal = new Set(removeDerivedCandidates(candidates))
  const unique = candidates.filter((one) => isOriginal.has(one) && hasUniqueValues(one))
  return unique.length > 0 ? unique : candidates
}

export type SearchFetcher = (text: string) => Promise<unknown>

/**
 * Returns whether searches for the strings of a candidate return elements with these strings at the candidate's place,
 * not at that of a competitor. E.g. `friend/name` is not the place of a cat's name: a search for the friend returns an
 * element that has the string at `name`.
 */
export async function isFoundAtCandidatePlace(
  candidate: NameCandidate,
  competitors: readonly NameCandidate[],
  hits: SearchFetcher | undefined,
): Promise<boolean> {
  return !hits || competitors.length < 2 || (await scoreCandidatePlace(candidate, competitors, hits)) >= 0
}

/**
 * Searches for three strings of a possible place of the names. Adds 1 for each that is found at this place, and
 * subtracts 1 for each that is found only at the place of a competitor.
 */
async function scoreCandidatePlace(
  one: NameCandidate,
  competitors: readonly NameCandidate[],
  hits: SearchFetcher,
): Promise<number> {
  const scores = sampleThreeValues(nameStringsOf(one)).map(async (text) => {
    const elements = findArrays(await hits(text)).flatMap((list) => limitToFirstElements(list).elements)
    const isAt = ({ name }: NameCandidate) => elements.some((element) => valueAt(element, name) === text)
    return isAt(one) ? 1 : competitors.some(isAt) ? -1 : 0
  })
  return (await Promise.all(scores)).reduce<number>((sum, sign) => sum + sign, 0)
}

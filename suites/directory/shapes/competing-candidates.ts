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

export const findMissingStrings = (another: NameCandidate, one: NameCandidate): string[] => {
  const known = new Set(nameStringsOf(another))
  return nameStringsOf(one).filter((text) => !known.has(text))
}

/**
 * Returns the candidate of which a string works that the other candidate lacks; undefined if this holds for both or for
 * neither.
 */
export async function chooseByDifferentStrings(
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

/** Pairs the strings of each element at two places. */
function pairStrings(one: NameCandidate, another: NameCandidate): StringPair[] {
  const [read, readOther] = [createValueReader(one.name), createValueReader(another.name)]
  return one.list.elements.flatMap((element) => {
    const [text, other] = [read(element), readOther(element)]
    return typeof text === 'string' && typeof other === 'string' ? [[text, other] as const] : []
  })
}

/**
 * Returns whether each pair is a text and its slug, e.g. `old-deuteronomy`. A slug may drop letters of other scripts.
 */
const areSlugs = (pairs: readonly StringPair[]): boolean => {
  const withEqualForm = pairs.filter(([slug, name]) => essentialFormOf(slug) === essentialFormOf(name))
  return pairs.every(([slug]) => /^[^\s\p{Lu}]*$/u.test(slug)) && withEqualForm.length * 2 > pairs.length
}

/** Returns whether each pair is a text and the same in upper or lower case, e.g. for sorting. */
function areCaseVariants(pairs: readonly StringPair[]): boolean {
  const areFoldedBy = (fold: (name: string) => string) => pairs.every(([text, name]) => text === fold(name))
  return areFoldedBy((name) => name.toLowerCase()) || areFoldedBy((name) => name.toUpperCase())
}

function isVariantOf(one: NameCandidate, another: NameCandidate): boolean {
  const pairs = pairStrings(one, another)
  return pairs.length > 0 && (areSlugs(pairs) || areCaseVariants(pairs))
}

/**
 * Drops candidates derived from another one, e.g. slugs or names in lower case. If each may be derived from the other,
 * the first is kept.
 */
export const removeDerivedCandidates = (candidates: readonly NameCandidate[]): NameCandidate[] =>
  candidates.filter(
    (one, nth) =>
      !candidates.some(
        (another, other) => other !== nth && isVariantOf(one, another) && (other < nth || !isVariantOf(another, one)),
      ),
  )

/** Returns whether each element has a different value. Values that elements share or lack are no names. */
export function hasUniqueValues(candidate: NameCandidate): boolean {
  const texts = firstNameStringsOf(candidate).filter((text) => text !== '')
  return texts.length === limitToFirstElements(candidate.list).elements.length && new Set(texts).size === texts.length
}

/** Keeps the candidates with a different value in each element. Keeps all if those are derived from the others. */
export function preferCandidatesWithUniqueValues(candidates: readonly NameCandidate[]): readonly NameCandidate[] {
  const isOriginal = new Set(removeDerivedCandidates(candidates))
  const unique = candidates.filter((one) => isOriginal.has(one) && hasUniqueValues(one))
  return unique.length > 0 ? unique : candidates
}

export type SearchFetcher = (text: string) => Promise<unknown>

/**
 * Returns whether searches return the strings of a candidate at the candidate's place rather than at that of a
 * competitor. E.g. `friend.name` is not the name of a cat: a search for such a string returns the friend, with the
 * string at `name`.
 */
export async function isFoundAtCandidatePlace(
  candidate: NameCandidate,
  competitors: readonly NameCandidate[],
  hits: SearchFetcher | undefined,
): Promise<boolean> {
  return !hits || competitors.length < 2 || (await scoreCandidatePlace(candidate, competitors, hits)) >= 0
}

/**
 * Scores three strings: +1 for each that a search returns at this place, -1 for each that it returns only at another
 * place.
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

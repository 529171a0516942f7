import { createValueReader, toJsonPointer, valueAt } from '../readings/json.ts'
import {
  type ArrayCandidate,
  findArrays,
  firstNameStringsOf,
  keepFirstElements,
  type NameCandidate,
  nameStringsOf,
  sampleThree,
} from '../readings/name-candidates.ts'
import { areEqualLists } from '../readings/name-index.ts'
import { essentialFormOf } from '../shared/text.ts'

/** The strings of one list that another lacks. */
export const findMissingStrings = (another: NameCandidate, one: NameCandidate): string[] => {
  const known = new Set(nameStringsOf(another))
  return nameStringsOf(one).filter((text) => !known.has(text))
}

type StringPair = readonly [one: string, another: string]

/** The strings of each element at both places. */
function pairStrings(one: NameCandidate, another: NameCandidate): StringPair[] {
  const [read, readOther] = [createValueReader(one.name), createValueReader(another.name)]
  return one.list.elements.flatMap((element) => {
    const [text, other] = [read(element), readOther(element)]
    return typeof text === 'string' && typeof other === 'string' ? [[text, other] as const] : []
  })
}

/** Returns whether one is the slug of the other, e.g. `old-deuteronomy`. Slugs may drop letters of other scripts. */
const areSlugs = (pairs: readonly StringPair[]): boolean => {
  const alike = pairs.filter(([slug, name]) => essentialFormOf(slug) === essentialFormOf(name))
  return pairs.every(([slug]) => /^[^\s\p{Lu}]*$/u.test(slug)) && alike.length * 2 > pairs.length
}

/** Returns whether one is the other in a single case, as for sorting or lookup. */
function areCaseVariants(pairs: readonly StringPair[]): boolean {
  const areBy = (fold: (name: string) => string) => pairs.every(([text, name]) => text === fold(name))
  return areBy((name) => name.toLowerCase()) || areBy((name) => name.toUpperCase())
}

function isVariantOf(one: NameCandidate, another: NameCandidate): boolean {
  const pairs = pairStrings(one, another)
  return pairs.length > 0 && (areSlugs(pairs) || areCaseVariants(pairs))
}

/**
 * Drops candidates that are made from another one: slugs, names in one case. If either may be made from the other, the
 * first is kept.
 */
export const removeVariants = (candidates: readonly NameCandidate[]): NameCandidate[] =>
  candidates.filter(
    (one, nth) =>
      !candidates.some(
        (another, other) => other !== nth && isVariantOf(one, another) && (other < nth || !isVariantOf(another, one)),
      ),
  )

/** Returns whether each element has a value of its own: a value that some lack or share is no name. */
export function hasUniqueValues(candidate: NameCandidate): boolean {
  const texts = firstNameStringsOf(candidate).filter((text) => text !== '')
  return texts.length === keepFirstElements(candidate.list).elements.length && new Set(texts).size === texts.length
}

/** Candidates with a value of its own in each element; all, if those are made from others. */
export function preferUniqueValues(candidates: readonly NameCandidate[]): readonly NameCandidate[] {
  const isOriginal = new Set(removeVariants(candidates))
  const whole = candidates.filter((one) => isOriginal.has(one) && hasUniqueValues(one))
  return whole.length > 0 ? whole : candidates
}

/** The response to a search for a string. */
export type FetchSearch = (text: string) => Promise<unknown>

/**
 * Returns whether a search shows its strings at this place rather than at another one: a search for a friend's name
 * finds the friend, and shows the name at the friend's own place.
 */
export async function isShownAtOwnPlace(
  candidate: NameCandidate,
  rivals: readonly NameCandidate[],
  hits: FetchSearch | undefined,
): Promise<boolean> {
  return !hits || rivals.length < 2 || (await scoreOwnPlace(candidate, rivals, hits)) >= 0
}

/** The number of three strings shown at their own place, minus those shown at another's. */
async function scoreOwnPlace(one: NameCandidate, rivals: readonly NameCandidate[], hits: FetchSearch): Promise<number> {
  const signs = sampleThree(nameStringsOf(one)).map(async (text) => {
    const elements = findArrays(await hits(text)).flatMap((list) => keepFirstElements(list).elements)
    const isAt = ({ name }: NameCandidate) => elements.some((element) => valueAt(element, name) === text)
    return isAt(one) ? 1 : rivals.some(isAt) ? -1 : 0
  })
  return (await Promise.all(signs)).reduce<number>((sum, sign) => sum + sign, 0)
}

/** Returns whether a search for an unrelated string shows all its strings too, e.g. column headers or sponsors. */
export async function isInEverySearch(
  candidate: NameCandidate,
  rivals: readonly NameCandidate[],
  hits: FetchSearch | undefined,
): Promise<boolean> {
  if (!hits) return false
  const own = nameStringsOf(candidate)
  const others = sampleThree(rivals.flatMap((rival) => findMissingStrings(candidate, rival)))
  const answers = await Promise.all(others.map(async (text) => findArrays(await hits(text))))
  const served = answers.filter((arrays) => arrays.length > 0)
  const showsAll = (arrays: readonly ArrayCandidate[]) =>
    arrays.some(
      (list) =>
        toJsonPointer(list.place) === toJsonPointer(candidate.list.place) &&
        areEqualLists(nameStringsOf({ ...candidate, list }), own),
    )
  return served.length > 0 && served.every(showsAll)
}

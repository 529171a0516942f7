import {
  type ArrayCandidate,
  arraysIn,
  beginningOf,
  firstStringsOf,
  type NameCandidate,
  sampled,
  stringsOf,
} from '../readings/candidates.ts'
import { isSameList } from '../readings/index-of-names.ts'
import { at, pointer, reader } from '../readings/json.ts'
import { essential } from '../shared/text.ts'

/** The strings of one list that another lacks. */
export const missingIn = (another: NameCandidate, one: NameCandidate): string[] => {
  const known = new Set(stringsOf(another))
  return stringsOf(one).filter((text) => !known.has(text))
}

type Pair = readonly [one: string, another: string]

/** The strings of each element at both places. */
function pairsOf(one: NameCandidate, another: NameCandidate): Pair[] {
  const [read, readOther] = [reader(one.name), reader(another.name)]
  return one.list.elements.flatMap((element) => {
    const [text, other] = [read(element), readOther(element)]
    return typeof text === 'string' && typeof other === 'string' ? [[text, other] as const] : []
  })
}

/** Returns whether one is the slug of the other, e.g. `old-deuteronomy`. Slugs may drop letters of other scripts. */
const areSlugs = (pairs: readonly Pair[]): boolean => {
  const alike = pairs.filter(([slug, name]) => essential(slug) === essential(name))
  return pairs.every(([slug]) => /^[^\s\p{Lu}]*$/u.test(slug)) && alike.length * 2 > pairs.length
}

/** Returns whether one is the other in a single case, as for sorting or lookup. */
function areFolded(pairs: readonly Pair[]): boolean {
  const areBy = (fold: (name: string) => string) => pairs.every(([text, name]) => text === fold(name))
  return areBy((name) => name.toLowerCase()) || areBy((name) => name.toUpperCase())
}

function isMadeFrom(one: NameCandidate, another: NameCandidate): boolean {
  const pairs = pairsOf(one, another)
  return pairs.length > 0 && (areSlugs(pairs) || areFolded(pairs))
}

/**
 * Drops candidates that are made from another one: slugs, names in one case. If either may be made from the other, the
 * first is kept.
 */
export const originals = (candidates: readonly NameCandidate[]): NameCandidate[] =>
  candidates.filter(
    (one, nth) =>
      !candidates.some(
        (another, other) => other !== nth && isMadeFrom(one, another) && (other < nth || !isMadeFrom(another, one)),
      ),
  )

/** Returns whether each element has a value of its own: a value that some lack or share is no name. */
export function isWhole(candidate: NameCandidate): boolean {
  const texts = firstStringsOf(candidate).filter((text) => text !== '')
  return texts.length === beginningOf(candidate.list).elements.length && new Set(texts).size === texts.length
}

/** Candidates with a value of its own in each element; all, if those are made from others. */
export function wholeOnes(candidates: readonly NameCandidate[]): readonly NameCandidate[] {
  const isOriginal = new Set(originals(candidates))
  const whole = candidates.filter((one) => isOriginal.has(one) && isWhole(one))
  return whole.length > 0 ? whole : candidates
}

/** The response to a search for a string. */
export type Hits = (text: string) => Promise<unknown>

/**
 * Returns whether a search shows its strings at this place rather than at another one: a search for a friend's name
 * finds the friend, and shows the name at the friend's own place.
 */
export async function isOwnPlace(
  candidate: NameCandidate,
  rivals: readonly NameCandidate[],
  hits: Hits | undefined,
): Promise<boolean> {
  return !hits || rivals.length < 2 || (await balance(candidate, rivals, hits)) >= 0
}

/** The number of three strings shown at their own place, minus those shown at another's. */
async function balance(one: NameCandidate, rivals: readonly NameCandidate[], hits: Hits): Promise<number> {
  const signs = sampled(stringsOf(one)).map(async (text) => {
    const elements = arraysIn(await hits(text)).flatMap((list) => beginningOf(list).elements)
    const isAt = ({ name }: NameCandidate) => elements.some((element) => at(element, name) === text)
    return isAt(one) ? 1 : rivals.some(isAt) ? -1 : 0
  })
  return (await Promise.all(signs)).reduce<number>((sum, sign) => sum + sign, 0)
}

/** Returns whether a search for an unrelated string shows all its strings too, e.g. column headers or sponsors. */
export async function isConstant(
  candidate: NameCandidate,
  rivals: readonly NameCandidate[],
  hits: Hits | undefined,
): Promise<boolean> {
  if (!hits) return false
  const own = stringsOf(candidate)
  const others = sampled(rivals.flatMap((rival) => missingIn(candidate, rival)))
  const answers = await Promise.all(others.map(async (text) => arraysIn(await hits(text))))
  const served = answers.filter((arrays) => arrays.length > 0)
  const showsAll = (arrays: readonly ArrayCandidate[]) =>
    arrays.some(
      (list) =>
        pointer(list.place) === pointer(candidate.list.place) && isSameList(stringsOf({ ...candidate, list }), own),
    )
  return served.length > 0 && served.every(showsAll)
}

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

/** The strings that one shows and another lacks. */
export const missingIn = (another: NameCandidate, one: NameCandidate): string[] => {
  const known = new Set(stringsOf(another))
  return stringsOf(one).filter((text) => !known.has(text))
}

type Pair = readonly [one: string, another: string]

/** What the elements of one list show at both places. */
function pairsOf(one: NameCandidate, another: NameCandidate): Pair[] {
  const [read, readOther] = [reader(one.name), reader(another.name)]
  return one.list.elements.flatMap((element) => {
    const [text, other] = [read(element), readOther(element)]
    return typeof text === 'string' && typeof other === 'string' ? [[text, other] as const] : []
  })
}

/** The same names as they are put into addresses: `old-deuteronomy`. Letters of other scripts may be left out. */
const areSlugs = (pairs: readonly Pair[]): boolean => {
  const alike = pairs.filter(([slug, name]) => essential(slug) === essential(name))
  return pairs.every(([slug]) => /^[^\s\p{Lu}]*$/u.test(slug)) && alike.length * 2 > pairs.length
}

/** The same names in one case, as they are sorted or looked up by. */
function areFolded(pairs: readonly Pair[]): boolean {
  const areBy = (fold: (name: string) => string) => pairs.every(([text, name]) => text === fold(name))
  return areBy((name) => name.toLowerCase()) || areBy((name) => name.toUpperCase())
}

function isMadeFrom(one: NameCandidate, another: NameCandidate): boolean {
  const pairs = pairsOf(one, another)
  return pairs.length > 0 && (areSlugs(pairs) || areFolded(pairs))
}

/**
 * Of candidates in one list, those that are not made from another: no slugs, no names in one case. Of two that may each
 * be made from the other, as names in small letters are their own slugs, the first is one.
 */
export const originals = (candidates: readonly NameCandidate[]): NameCandidate[] =>
  candidates.filter(
    (one, nth) =>
      !candidates.some(
        (another, other) => other !== nth && isMadeFrom(one, another) && (other < nth || !isMadeFrom(another, one)),
      ),
  )

/** Whether each element has one, and no two have the same: what some lack or share is not theirs alone, a mother's name. */
export function isWhole(candidate: NameCandidate): boolean {
  const texts = firstStringsOf(candidate).filter((text) => text !== '')
  return texts.length === beginningOf(candidate.list).elements.length && new Set(texts).size === texts.length
}

/** Those that each element has for itself, whatever keys say; all, where those that have it are made from others. */
export function wholeOnes(candidates: readonly NameCandidate[]): readonly NameCandidate[] {
  const isOriginal = new Set(originals(candidates))
  const whole = candidates.filter((one) => isOriginal.has(one) && isWhole(one))
  return whole.length > 0 ? whole : candidates
}

/** What a search for a string answers. */
export type Hits = (text: string) => Promise<unknown>

/**
 * Whether a search does not show its strings at the place of another instead: a friend's name finds the friend, and
 * stands where she has her own.
 */
export async function isOwnPlace(
  candidate: NameCandidate,
  rivals: readonly NameCandidate[],
  hits: Hits | undefined,
): Promise<boolean> {
  return !hits || rivals.length < 2 || (await balance(candidate, rivals, hits)) >= 0
}

/** How many of three strings are shown at their place, less those that are shown at another's instead. */
async function balance(one: NameCandidate, rivals: readonly NameCandidate[], hits: Hits): Promise<number> {
  const signs = sampled(stringsOf(one)).map(async (text) => {
    const elements = arraysIn(await hits(text)).flatMap((list) => beginningOf(list).elements)
    const isAt = ({ name }: NameCandidate) => elements.some((element) => at(element, name) === text)
    return isAt(one) ? 1 : rivals.some(isAt) ? -1 : 0
  })
  return (await Promise.all(signs)).reduce<number>((sum, sign) => sum + sign, 0)
}

/** Whether a search for what only others hold shows, beside what it finds, all its strings: the heads of columns, sponsors. */
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

import { createValueReader } from '../readings/json.ts'
import {
  type ElementKind,
  firstNameStringsOf,
  type ListShapeCandidate,
  limitToFirstElements,
  nameStringsOf,
  rankPlaceByKey,
} from '../readings/name-candidates.ts'
import { essentialFormOf } from '../shared/text.ts'
import { findStringsOnlyIn, type PlaceComparison } from './candidate-comparison.ts'
import { everySampledValuePasses, filterAsync } from './candidate-tests.ts'
import type { NameTest } from './name-tests.ts'

type StringPair = readonly [one: string, another: string]

/** Returns the strings of two places in the same list, by pairs: those of the same element. */
function pairStrings(one: ListShapeCandidate, another: ListShapeCandidate): StringPair[] {
  const [read, readOther] = [createValueReader(one.name), createValueReader(another.name)]
  return one.list.elements.flatMap((element) => {
    const [text, other] = [read(element), readOther(element)]
    return typeof text === 'string' && typeof other === 'string' ? [[text, other] as const] : []
  })
}

/**
 * Returns whether the first text of each pair is a slug of the second, e.g. `old-deuteronomy`. A minority of the slugs
 * may lack letters of the name.
 */
const areSlugs = (pairs: readonly StringPair[]): boolean => {
  const withEqualForm = pairs.filter(([slug, name]) => essentialFormOf(slug) === essentialFormOf(name))
  return pairs.every(([slug]) => /^[^\s\p{Lu}]*$/u.test(slug)) && withEqualForm.length * 2 > pairs.length
}

/**
 * Returns whether the first text of each pair is the second in lower case, or in each pair the second in upper case.
 */
function areCaseVariants(pairs: readonly StringPair[]): boolean {
  const areFoldedBy = (fold: (name: string) => string) => pairs.every(([text, name]) => text === fold(name))
  return areFoldedBy((name) => name.toLowerCase()) || areFoldedBy((name) => name.toUpperCase())
}

function isDerivedFrom(one: ListShapeCandidate, another: ListShapeCandidate): boolean {
  const pairs = pairStrings(one, another)
  return pairs.some(([text, name]) => text !== name) && (areSlugs(pairs) || areCaseVariants(pairs))
}

/**
 * Returns which of two places has derived strings, e.g. slugs; undefined if neither has. If only the strings of one
 * place work as names, those at the other are derived: ids may look like slugs, e.g. `3` of the breed `3a` (R3.2).
 */
async function findDerivedCandidate(
  first: ListShapeCandidate,
  second: ListShapeCandidate,
  compare: PlaceComparison,
): Promise<ListShapeCandidate | undefined> {
  const isSecondDerived = isDerivedFrom(second, first)
  if (!isSecondDerived && !isDerivedFrom(first, second)) return undefined
  const original = (await compare(first, second)) ?? (isSecondDerived ? first : second)
  return original === first ? second : first
}

export async function removeDerivedCandidates(
  candidates: readonly ListShapeCandidate[],
  compare: PlaceComparison,
): Promise<readonly ListShapeCandidate[]> {
  const found = candidates.flatMap((first, nth) =>
    candidates.slice(nth + 1).map((second) => findDerivedCandidate(first, second, compare)),
  )
  const derived = new Set(await Promise.all(found))
  return candidates.filter((one) => !derived.has(one))
}

/** Returns whether each of the first elements has a string at the place, and all these strings differ. */
export function hasUniqueValues(candidate: ListShapeCandidate): boolean {
  const texts = firstNameStringsOf(candidate).filter((text) => text !== '')
  return texts.length === limitToFirstElements(candidate.list).elements.length && new Set(texts).size === texts.length
}

/** Returns the places with a different value in each element; all places if only derived strings differ. */
export async function preferCandidatesWithUniqueValues(
  candidates: readonly ListShapeCandidate[],
  compare: PlaceComparison,
): Promise<readonly ListShapeCandidate[]> {
  const unique = (await removeDerivedCandidates(candidates, compare)).filter(hasUniqueValues)
  return unique.length > 0 ? unique : candidates
}

/** Returns whether a list has all names of another, and otherwise only repetitions or strings that are no names. */
async function isDerivedList(
  one: ListShapeCandidate,
  another: ListShapeCandidate,
  isNoName: NameTest,
): Promise<boolean> {
  if (one.list === another.list || !hasUniqueValues(another)) return false
  if (findStringsOnlyIn(another, { butNotIn: one }).length > 0) return false
  const others = findStringsOnlyIn(one, { butNotIn: another })
  return others.length > 0 ? everySampledValuePasses(others, isNoName) : !hasUniqueValues(one)
}

/**
 * Removes the lists that have all names of another list and else no names (R3.2), e.g. the options of a filter with an
 * additional "All", or a log of deleted cats. Returns the others, those with the most names first.
 */
export async function removeDerivedLists(
  some: readonly ListShapeCandidate[],
  isNoName: NameTest,
): Promise<readonly ListShapeCandidate[]> {
  const isOwn = async (one: ListShapeCandidate) =>
    (await filterAsync(some, (another) => isDerivedList(one, another, isNoName))).length === 0
  const left = await filterAsync(some, isOwn)
  return (left.length > 0 ? left : some).toSorted((one, other) => countDistinctNames(other) - countDistinctNames(one))
}

const countDistinctNames = (one: ListShapeCandidate): number => new Set(nameStringsOf(one)).size

/**
 * Removes the arrays whose strings only refer to the elements of another array, e.g. the breed ids of included cats.
 * The other array has these strings at one place, and its names at another. Names occur once (R5.1). Strings that occur
 * once are no names if the key in the other array is likelier (R3.6).
 * @param passing all places whose strings work as names in requests
 */
export function removeReferences(
  some: readonly ListShapeCandidate[],
  passing: readonly ListShapeCandidate[],
  kind: ElementKind,
): readonly ListShapeCandidate[] {
  const refersTo = (one: ListShapeCandidate, another: ListShapeCandidate) =>
    one.list !== another.list &&
    (!hasUniqueValues(one) || rankPlaceByKey(one.name, kind) > rankPlaceByKey(another.name, kind)) &&
    passing.some(
      (ids) =>
        ids.list === another.list &&
        ids !== another &&
        hasUniqueValues(ids) &&
        findStringsOnlyIn(one, { butNotIn: ids }).length === 0,
    )
  return some.filter((one) => !some.some((another) => refersTo(one, another)))
}

import type { Exchange } from '../../engine/http/client/exchange.ts'
import { formatExcerpt, hasPartThat, toJsonPointer } from '../readings/json.ts'
import type { ListShape } from '../readings/list-reading.ts'
import {
  type ArrayCandidate,
  createKeyComparator,
  type ElementKind,
  findArrays,
  findNameCandidates,
  findNonStringNames,
  findUnevenRowItems,
  firstNameStringsOf,
  hasVariedValues,
  isUrlOrPath,
  type NameCandidate,
  nameStringsOf,
  rankByKey,
  sampleThree,
} from '../readings/name-candidates.ts'
import { textsMatchingNames } from '../shared/text.ts'
import {
  type FetchSearch,
  findMissingStrings,
  hasUniqueValues,
  isInEverySearch,
  isShownAtOwnPlace,
  preferUniqueValues,
  removeVariants,
} from './competing-candidates.ts'
import { type CollectBreedIdClues, createShape } from './create-shape.ts'
import { removeDerivedLists } from './derived-lists.ts'
import { jsonValueOf, type NameTest } from './name-tests.ts'
import { areNested, fetchArrays, removeElementParts, removeRefuted } from './nesting.ts'
import {
  filterAsync,
  findWorkingCandidates,
  findWorkingCandidatesThoroughly,
  type WorkingCandidates,
  worksForAnyValue,
  worksForEachValue,
} from './working-candidates.ts'

/** A shape, or the reason why it cannot be inferred; undefined without any evidence. */
export type InferredShape = ListShape | { readonly unreadable: string } | undefined

export interface OwnListClues {
  readonly nameTests: readonly NameTest[]
  /** True if a string is certainly no name: it is refused, or found nowhere. */
  readonly isNoName?: NameTest
  /** Distinguishes names among strings that searches find. */
  readonly identifiesCat?: NameTest | undefined
  /** The response to a search for a string, which contains elements too. */
  readonly fetchSearch?: FetchSearch
  /** Responses that contain some of the elements. */
  readonly fetchParts?: () => Promise<readonly unknown[]>
  /** The response of another operation: a list with one element resembles its envelope. */
  readonly fetchSibling?: () => Promise<unknown>
  /** The names of all breeds, to find the place of a cat's breed. */
  readonly breeds: readonly string[]
  /** To find the place of a cat's breed id. */
  readonly collectBreedIdClues?: CollectBreedIdClues | undefined
}

export const PIN_ADVICE = 'pin its list and name in a profile, at O-LIST-SHAPE'

export const describePlace = ({ list, name }: NameCandidate): string =>
  `${toJsonPointer(list.place)}/*${toJsonPointer(name)}`
export const hasNameKey = (candidate: NameCandidate, kind: ElementKind): boolean => rankByKey(candidate.name, kind) <= 2
const areReferences = (candidate: NameCandidate): boolean => firstNameStringsOf(candidate).every(isUrlOrPath)

const hasArray = (element: unknown): boolean =>
  hasPartThat(element, 4, (here) => Array.isArray(here) && here.length > 0)

/** Returns whether an object beside the list has these strings as keys: the names are then in it, or are its keys. */
function areKeys(candidate: NameCandidate, value: unknown): boolean {
  const keys = firstNameStringsOf(candidate)
  const isKeyed = (here: unknown) =>
    typeof here === 'object' && here !== null && !Array.isArray(here) && keys.every((key) => Object.hasOwn(here, key))
  return keys.length > 0 && hasPartThat(value, 6, isKeyed, (container) => !Array.isArray(container))
}

type NamePlaceChoice = NameCandidate | { readonly unreadable: string }

/** Selects the name by key among the candidates of one array; with equal keys the one that is not made from another. */
function chooseInArray(working: readonly NameCandidate[], kind: ElementKind): NamePlaceChoice {
  const [first, ...others] = preferUniqueValues(working).toSorted(createKeyComparator(kind))
  if (!first) return createUndecidedProblem(working, 'work alike')
  const rivals = others.filter(
    (one) => rankByKey(one.name, kind) === rankByKey(first.name, kind) && findMissingStrings(first, one).length > 0,
  )
  const [best = first, ...left] = removeVariants([first, ...rivals])
  const rival = left.find((one) => findMissingStrings(best, one).length > 0)
  return rival ? createUndecidedProblem([best, rival], 'work alike') : best
}

/** True if the string leads to lives while other strings of its element may not: a search finds titles too. */
const isPathName = async (one: NameCandidate, rivals: readonly NameCandidate[], identifies: NameTest | undefined) =>
  !identifies || rivals.length < 2 || worksForAnyValue(nameStringsOf(one), identifies)

/**
 * Selects the array that lacks no name of the others: one sponsor with the name of a cat does not make a list of cats.
 */
async function chooseAmongArrays(
  { candidates: all, nameTest }: WorkingCandidates,
  kind: ElementKind,
  { identifiesCat, fetchSearch, isNoName = async () => false }: OwnListClues,
): Promise<NamePlaceChoice> {
  // A search may find a colour, too, as part of a breed's name.
  const varied = all.filter((one) => hasVariedValues(nameStringsOf(one)))
  const working = await removeElementParts(
    varied.length > 0 ? varied : all,
    (kind === 'cat' && identifiesCat) || nameTest,
  )
  const arrays = [...new Set(working.map(({ list }) => list))]
  const choose = async (list: ArrayCandidate) => {
    const rivals = working.filter((one) => one.list === list)
    const own = await filterAsync(rivals, (one) => isShownAtOwnPlace(one, rivals, fetchSearch))
    const alike = own.length > 0 ? own : rivals
    const choice = chooseInArray(alike, kind)
    if (!identifiesCat || (!('unreadable' in choice) && (await isPathName(choice, alike, identifiesCat)))) return choice
    const identifying = await filterAsync(alike, (one) => worksForEachValue(nameStringsOf(one), identifiesCat))
    const otherNamePlaces = alike.filter((one) => !identifying.includes(one)).map(({ name }) => name)
    return identifying.length > 0 ? { ...chooseInArray(identifying, kind), otherNamePlaces } : choice
  }
  const chosen = await Promise.all(arrays.map(choose))
  const readable = chosen.filter((one): one is NameCandidate => !('unreadable' in one))
  const varying = await filterAsync(readable, async (one) => !(await isInEverySearch(one, readable, fetchSearch)))
  const found = varying.length > 0 ? varying : readable
  // An array with one element may be the envelope of the list.
  const isAround = (list: ArrayCandidate) =>
    found.some((one) => toJsonPointer(one.list.place).startsWith(`${toJsonPointer(list.place)}/0/`))
  const lacksNoneOf = (others: readonly NameCandidate[]) => async (one: NameCandidate) =>
    (await filterAsync(others, (another) => worksForAnyValue(findMissingStrings(one, another), nameTest))).length === 0
  /** Filters beside a list contain some of its names. */
  const isCovered = async (list: ArrayCandidate) =>
    (await filterAsync(found, lacksNoneOf(working.filter((one) => one.list === list)))).length > 0
  for (const [nth, list] of arrays.entries()) {
    const one = chosen[nth]
    if (one && 'unreadable' in one && !isAround(list) && !(await isCovered(list))) return one
  }
  const [best] = await removeDerivedLists(await filterAsync(found, lacksNoneOf(found)), isNoName)
  if (best) return best
  // Breeds that are included with their cats are found by searches too, but have no lives.
  const identifying = identifiesCat
    ? await filterAsync(found, (one) => worksForEachValue(nameStringsOf(one), identifiesCat))
    : []
  return identifying.length === 1 && identifying[0] ? identifying[0] : createUndecidedProblem(found, 'work alike')
}

/** Names in several arrays: the list that they belong to cannot be identified. */
export const createListOfListsProblem = (candidate: NameCandidate) => ({
  unreadable: `there are other names beside those at ${describePlace(candidate)}, and which make the list cannot be told`,
})

const createUndecidedProblem = (candidates: readonly NameCandidate[], why: string) => ({
  unreadable: `several strings of the answer ${why} as names (${candidates.slice(0, 4).map(describePlace).join(', ')}): ${PIN_ADVICE}`,
})

/** Decides by key if nothing can be tested. */
function chooseByKeys(candidates: readonly NameCandidate[], value: unknown, kind: ElementKind): NamePlaceChoice {
  const arrays = findArrays(value)
  const [first, second] = candidates.filter((one) => !areReferences(one) && !areKeys(one, value))
  const wrong = findNonStringNames(arrays, kind)
  if (wrong && !(first && hasNameKey(first, kind))) return wrong
  if (!first || rankByKey(first.name, kind) > 3 || (second && createKeyComparator(kind)(first, second) === 0))
    return {
      unreadable: `no string of ${formatExcerpt(candidates[0]?.list.elements[0] ?? value)} works as a name in the paths or in search: ${PIN_ADVICE}`,
    }
  return first
}

const MAX_CANDIDATES_TRIED = 16
const compareSizes = (one: NameCandidate, another: NameCandidate): number =>
  another.list.elements.length - one.list.elements.length

/** Finds list and name by evidence (R3.2); member names break ties (R3.6), and decide where nothing can be tested (R3.3). */
async function chooseNamePlace(
  value: unknown,
  kind: ElementKind,
  clues: OwnListClues,
): Promise<NamePlaceChoice | undefined> {
  const { nameTests, breeds } = clues
  const arrays = findArrays(value)
  if (arrays.every(({ elements }) => elements.length === 0)) return undefined
  const found = findNameCandidates(value, kind)
  const all = areNested(found)
    ? removeRefuted(found, (one) => one, [arrays, await fetchArrays(clues.fetchSibling)])
    : found
  const isOfBreeds = (one: NameCandidate) => {
    const texts = firstNameStringsOf(one)
    const found = textsMatchingNames(texts, breeds)
    return texts.every((text) => found.has(text))
  }
  const others = kind === 'cat' && breeds.length > 0 ? all.filter((one) => !isOfBreeds(one)) : all
  const candidates = others.length > 0 ? others : all
  const [first] = candidates
  // Breeds whose elements contain arrays, e.g. of their cats.
  if (first && others.length === 0 && first.list.elements.some(hasArray)) return createListOfListsProblem(first)
  const isOnly = candidates.length === 1 && first && hasNameKey(first, kind) && !areReferences(first)
  if (isOnly && !areKeys(first, value)) return first
  if (arrays.length === 1 && first && hasNameKey(first, kind)) {
    const { candidates: found, nameTest } = await findWorkingCandidates([first], nameTests)
    const isSure =
      kind === 'cat'
        ? await isPathName(first, candidates, clues.identifiesCat)
        : candidates.length === 1 || nameTest === nameTests[0]
    if (found[0] && isSure && hasUniqueValues(first) && (await isShownAtOwnPlace(first, candidates, clues.fetchSearch)))
      return first
  }
  const proven = await findWorkingCandidatesThoroughly(
    candidates.toSorted(compareSizes).slice(0, MAX_CANDIDATES_TRIED),
    nameTests,
  )
  if (proven.candidates.length === 0) {
    const chosenPlace =
      (await findPlaceOfParts(candidates, kind, clues)) ?? (await chooseAmongBreedNames(all, kind, clues))
    return chosenPlace ?? chooseByKeys(candidates, value, kind)
  }
  return (
    (await findFaultyNamePlace(candidates, proven.candidates, kind, clues)) ?? chooseAmongArrays(proven, kind, clues)
  )
}

/** The last resort: strings that identify elements although all of them are names of breeds. */
async function chooseAmongBreedNames(
  all: readonly NameCandidate[],
  kind: ElementKind,
  { identifiesCat }: OwnListClues,
): Promise<NamePlaceChoice | undefined> {
  if (!identifiesCat) return undefined
  const found = await filterAsync(all.filter(hasUniqueValues).slice(0, MAX_CANDIDATES_TRIED), (one) =>
    worksForEachValue(nameStringsOf(one), identifiesCat),
  )
  return found.length > 0 ? chooseInArray(found, kind) : undefined
}

/** The place of names that work in other lists: this list is then wrong. */
async function findPlaceOfParts(
  candidates: readonly NameCandidate[],
  kind: ElementKind,
  { nameTests, fetchParts = async () => [] }: OwnListClues,
): Promise<NameCandidate | undefined> {
  const shown = (await fetchParts()).flatMap((answer) => findNameCandidates(answer, kind))
  const { candidates: found } = await findWorkingCandidates(shown.slice(0, MAX_CANDIDATES_TRIED), nameTests)
  const places = new Set(found.map(({ name }) => toJsonPointer(name)))
  const [one, another] = candidates.filter(({ name }) => places.has(toJsonPointer(name)))
  return another ? undefined : one
}

/** A place named `name` that fails here and works in searches: this list is then wrong. */
async function findFaultyNamePlace(
  candidates: readonly NameCandidate[],
  found: readonly NameCandidate[],
  kind: ElementKind,
  { nameTests, fetchSearch }: OwnListClues,
): Promise<NameCandidate | undefined> {
  const [one] = found
  const called = candidates.find((other) => hasNameKey(other, kind) && other.list === one?.list)
  if (!fetchSearch || !one || !called || found.some((other) => hasNameKey(other, kind))) return undefined
  const answers = await Promise.all(sampleThree(nameStringsOf(one)).map(fetchSearch))
  const shown = answers
    .flatMap((answer) => findNameCandidates(answer, kind))
    .filter(({ name }) => toJsonPointer(name) === toJsonPointer(called.name))
  return (await findWorkingCandidates(shown, nameTests)).candidates.length > 0 ? called : undefined
}

/** Infers the shape of the list of all cats or breeds, from its own response and from strings that work. */
export async function inferOwnShape(
  exchange: Exchange,
  kind: ElementKind,
  clues: OwnListClues,
): Promise<InferredShape> {
  const chosen = await chooseNamePlace(jsonValueOf(exchange), kind, clues)
  if (!chosen || 'unreadable' in chosen) return chosen
  const beside = findUnevenRowItems(chosen)
  // Cells that some rows lack: a cat's breed is no other name of it.
  const known = textsMatchingNames(beside, clues.breeds)
  const others = beside.filter((text) => !known.has(text))
  const works = await Promise.all(clues.nameTests.map((proof) => worksForAnyValue(others, proof)))
  if (works.some(Boolean)) return createListOfListsProblem(chosen)
  return {
    ...(await createShape(chosen, clues.breeds, clues.collectBreedIdClues)),
    otherNamePlaces: chosen.otherNamePlaces,
  }
}

import type { Exchange } from '../../engine/http/client/exchange.ts'
import { agreesWithLists, type BreedIdClues, breedById } from '../readings/breed-ids.ts'
import { breedPlaces, isSurelyBreed } from '../readings/breed-place.ts'
import {
  type ArrayCandidate,
  arraysIn,
  besides,
  byKeys,
  candidatesOf,
  firstStringsOf,
  isReference,
  isVaried,
  type Kind,
  misnamed,
  type NameCandidate,
  rankOf,
  sampled,
  stringPlaces,
  stringsOf,
  widthOf,
} from '../readings/candidates.ts'
import { brief, type Place, pointer, reader, someWithin } from '../readings/json.ts'
import type { ListShape } from '../readings/list-reading.ts'
import { textsInEssence } from '../shared/text.ts'
import { areNested, arraysOf, notRefuted, withoutParts } from './nesting.ts'
import { withoutPadded } from './padded.ts'
import { valueOf, type Works } from './proof.ts'
import { type Hits, isConstant, isOwnPlace, isWhole, missingIn, originals, wholeOnes } from './rivals.ts'
import { anyWorks, eachWorks, filtered, type Working, working, workingAtLast } from './working.ts'

/** A shape, or the reason why it cannot be inferred; undefined without any evidence. */
export type Shape = ListShape | { readonly unreadable: string } | undefined

/** Finds the ids of breeds; called if cats show no name of a breed. */
export type TellBreedIds = () => Promise<BreedIdClues>

export interface OwnListClues {
  readonly proofs: readonly Works[]
  /** True if a string is certainly no name: it is refused, or found nowhere. */
  readonly leadsNowhere?: Works
  /** Distinguishes names among strings that searches find. */
  readonly identifies?: Works | undefined
  /** The response to a search for a string, which contains elements too. */
  readonly hits?: Hits
  /** Responses that contain some of the elements. */
  readonly parts?: () => Promise<readonly unknown[]>
  /** The response of another operation: a list with one element resembles its envelope. */
  readonly sibling?: () => Promise<unknown>
  /** The names of all breeds, to find the place of a cat's breed. */
  readonly breeds: readonly string[]
  /** To find the place of a cat's breed id. */
  readonly breedIds?: TellBreedIds | undefined
}

export const ADVICE = 'pin its list and name in a profile, at O-LIST-SHAPE'

export const placeText = ({ list, name }: NameCandidate): string => `${pointer(list.place)}/*${pointer(name)}`
export const isKey = (candidate: NameCandidate, kind: Kind): boolean => rankOf(candidate.name, kind) <= 2
const areReferences = (candidate: NameCandidate): boolean => firstStringsOf(candidate).every(isReference)

const holdsArray = (element: unknown): boolean =>
  someWithin(element, 4, (here) => Array.isArray(here) && here.length > 0)

/** Returns whether an object beside the list has these strings as keys: the names are then in it, or are its keys. */
function areKeys(candidate: NameCandidate, value: unknown): boolean {
  const keys = firstStringsOf(candidate)
  const isKeyed = (here: unknown) =>
    typeof here === 'object' && here !== null && !Array.isArray(here) && keys.every((key) => Object.hasOwn(here, key))
  return keys.length > 0 && someWithin(value, 6, isKeyed, (container) => !Array.isArray(container))
}

type Choice = NameCandidate | { readonly unreadable: string }

/** Selects the name by key among the candidates of one array; with equal keys the one that is not made from another. */
function chosenIn(working: readonly NameCandidate[], kind: Kind): Choice {
  const [first, ...others] = wholeOnes(working).toSorted(byKeys(kind))
  if (!first) return undecided(working, 'work alike')
  const rivals = others.filter(
    (one) => rankOf(one.name, kind) === rankOf(first.name, kind) && missingIn(first, one).length > 0,
  )
  const [best = first, ...left] = originals([first, ...rivals])
  const rival = left.find((one) => missingIn(best, one).length > 0)
  return rival ? undecided([best, rival], 'work alike') : best
}

/** True if the string leads to lives while other strings of its element may not: a search finds titles too. */
const isPathName = async (one: NameCandidate, rivals: readonly NameCandidate[], identifies: Works | undefined) =>
  !identifies || rivals.length < 2 || anyWorks(stringsOf(one), identifies)

/**
 * Selects the array that lacks no name of the others: one sponsor with the name of a cat does not make a list of cats.
 */
async function chosenOf(
  { found: all, works }: Working,
  kind: Kind,
  { identifies, hits, leadsNowhere = async () => false }: OwnListClues,
): Promise<Choice> {
  // A search may find a colour, too, as part of a breed's name.
  const varied = all.filter((one) => isVaried(stringsOf(one)))
  const working = await withoutParts(varied.length > 0 ? varied : all, (kind === 'cat' && identifies) || works)
  const arrays = [...new Set(working.map(({ list }) => list))]
  const choose = async (list: ArrayCandidate) => {
    const rivals = working.filter((one) => one.list === list)
    const own = await filtered(rivals, (one) => isOwnPlace(one, rivals, hits))
    const alike = own.length > 0 ? own : rivals
    const choice = chosenIn(alike, kind)
    if (!identifies || (!('unreadable' in choice) && (await isPathName(choice, alike, identifies)))) return choice
    const told = await filtered(alike, (one) => eachWorks(stringsOf(one), identifies))
    const also = alike.filter((one) => !told.includes(one)).map(({ name }) => name)
    return told.length > 0 ? { ...chosenIn(told, kind), also } : choice
  }
  const chosen = await Promise.all(arrays.map(choose))
  const readable = chosen.filter((one): one is NameCandidate => !('unreadable' in one))
  const varying = await filtered(readable, async (one) => !(await isConstant(one, readable, hits)))
  const found = varying.length > 0 ? varying : readable
  // An array with one element may be the envelope of the list.
  const isAround = (list: ArrayCandidate) =>
    found.some((one) => pointer(one.list.place).startsWith(`${pointer(list.place)}/0/`))
  const lacksNoneOf = (others: readonly NameCandidate[]) => async (one: NameCandidate) =>
    (await filtered(others, (another) => anyWorks(missingIn(one, another), works))).length === 0
  /** Filters beside a list contain some of its names. */
  const isCovered = async (list: ArrayCandidate) =>
    (await filtered(found, lacksNoneOf(working.filter((one) => one.list === list)))).length > 0
  for (const [nth, list] of arrays.entries()) {
    const one = chosen[nth]
    if (one && 'unreadable' in one && !isAround(list) && !(await isCovered(list))) return one
  }
  const [best] = await withoutPadded(await filtered(found, lacksNoneOf(found)), leadsNowhere)
  if (best) return best
  // Breeds that are included with their cats are found by searches too, but have no lives.
  const told = identifies ? await filtered(found, (one) => eachWorks(stringsOf(one), identifies)) : []
  return told.length === 1 && told[0] ? told[0] : undecided(found, 'work alike')
}

/** Names in several arrays: the list that they belong to cannot be identified. */
export const listOfLists = (candidate: NameCandidate) => ({
  unreadable: `there are other names beside those at ${placeText(candidate)}, and which make the list cannot be told`,
})

const undecided = (candidates: readonly NameCandidate[], why: string) => ({
  unreadable: `several strings of the answer ${why} as names (${candidates.slice(0, 4).map(placeText).join(', ')}): ${ADVICE}`,
})

/** Decides by key if nothing can be tested. */
function chosenByKeys(candidates: readonly NameCandidate[], value: unknown, kind: Kind): Choice {
  const arrays = arraysIn(value)
  const [first, second] = candidates.filter((one) => !areReferences(one) && !areKeys(one, value))
  const wrong = misnamed(arrays, kind)
  if (wrong && !(first && isKey(first, kind))) return wrong
  if (!first || rankOf(first.name, kind) > 3 || (second && byKeys(kind)(first, second) === 0))
    return {
      unreadable: `no string of ${brief(candidates[0]?.list.elements[0] ?? value)} works as a name in the paths or in search: ${ADVICE}`,
    }
  return first
}

const MOST_TRIED = 16
const bySize = (one: NameCandidate, another: NameCandidate): number =>
  another.list.elements.length - one.list.elements.length

/** Finds list and name by evidence (R3.2); member names break ties (R3.6), and decide where nothing can be tested (R3.3). */
async function choose(value: unknown, kind: Kind, clues: OwnListClues): Promise<Choice | undefined> {
  const { proofs, breeds } = clues
  const arrays = arraysIn(value)
  if (arrays.every(({ elements }) => elements.length === 0)) return undefined
  const found = candidatesOf(value, kind)
  const all = areNested(found) ? notRefuted(found, (one) => one, [arrays, await arraysOf(clues.sibling)]) : found
  const isOfBreeds = (one: NameCandidate) => {
    const texts = firstStringsOf(one)
    const found = textsInEssence(texts, breeds)
    return texts.every((text) => found.has(text))
  }
  const others = kind === 'cat' && breeds.length > 0 ? all.filter((one) => !isOfBreeds(one)) : all
  const candidates = others.length > 0 ? others : all
  const [first] = candidates
  // Breeds whose elements contain arrays, e.g. of their cats.
  if (first && others.length === 0 && first.list.elements.some(holdsArray)) return listOfLists(first)
  const isOnly = candidates.length === 1 && first && isKey(first, kind) && !areReferences(first)
  if (isOnly && !areKeys(first, value)) return first
  if (arrays.length === 1 && first && isKey(first, kind)) {
    const { found, works } = await working([first], proofs)
    const isSure =
      kind === 'cat'
        ? await isPathName(first, candidates, clues.identifies)
        : candidates.length === 1 || works === proofs[0]
    if (found[0] && isSure && isWhole(first) && (await isOwnPlace(first, candidates, clues.hits))) return first
  }
  const proven = await workingAtLast(candidates.toSorted(bySize).slice(0, MOST_TRIED), proofs)
  if (proven.found.length === 0) {
    const told = (await asInParts(candidates, kind, clues)) ?? (await calledAsBreeds(all, kind, clues))
    return told ?? chosenByKeys(candidates, value, kind)
  }
  return (await spoilt(candidates, proven.found, kind, clues)) ?? chosenOf(proven, kind, clues)
}

/** The last resort: strings that identify elements although all of them are names of breeds. */
async function calledAsBreeds(
  all: readonly NameCandidate[],
  kind: Kind,
  { identifies }: OwnListClues,
): Promise<Choice | undefined> {
  if (!identifies) return undefined
  const found = await filtered(all.filter(isWhole).slice(0, MOST_TRIED), (one) => eachWorks(stringsOf(one), identifies))
  return found.length > 0 ? chosenIn(found, kind) : undefined
}

/** The place of names that work in other lists: this list is then wrong. */
async function asInParts(
  candidates: readonly NameCandidate[],
  kind: Kind,
  { proofs, parts = async () => [] }: OwnListClues,
): Promise<NameCandidate | undefined> {
  const shown = (await parts()).flatMap((answer) => candidatesOf(answer, kind))
  const { found } = await working(shown.slice(0, MOST_TRIED), proofs)
  const places = new Set(found.map(({ name }) => pointer(name)))
  const [one, another] = candidates.filter(({ name }) => places.has(pointer(name)))
  return another ? undefined : one
}

/** A place named `name` that fails here and works in searches: this list is then wrong. */
async function spoilt(
  candidates: readonly NameCandidate[],
  found: readonly NameCandidate[],
  kind: Kind,
  { proofs, hits }: OwnListClues,
): Promise<NameCandidate | undefined> {
  const [one] = found
  const called = candidates.find((other) => isKey(other, kind) && other.list === one?.list)
  if (!hits || !one || !called || found.some((other) => isKey(other, kind))) return undefined
  const answers = await Promise.all(sampled(stringsOf(one)).map(hits))
  const shown = answers
    .flatMap((answer) => candidatesOf(answer, kind))
    .filter(({ name }) => pointer(name) === pointer(called.name))
  return (await working(shown, proofs)).found.length > 0 ? called : undefined
}

/** Infers the shape of the list of all cats or breeds, from its own response and from strings that work. */
export async function ownShape(exchange: Exchange, kind: Kind, clues: OwnListClues): Promise<Shape> {
  const chosen = await choose(valueOf(exchange), kind, clues)
  if (!chosen || 'unreadable' in chosen) return chosen
  const beside = besides(chosen)
  // Cells that some rows lack: a cat's breed is no other name of it.
  const known = textsInEssence(beside, clues.breeds)
  const others = beside.filter((text) => !known.has(text))
  const works = await Promise.all(clues.proofs.map((proof) => anyWorks(others, proof)))
  if (works.some(Boolean)) return listOfLists(chosen)
  return { ...(await shapeOf(chosen, clues.breeds, clues.breedIds)), also: chosen.also }
}

/** @param candidate the places of the list and of the names in its elements */
export async function shapeOf(
  { list, name }: NameCandidate,
  breeds: readonly string[],
  breedIds?: TellBreedIds,
): Promise<ListShape> {
  const breed = await shownBreed(list.elements, name, breeds, breedIds)
  const breedId = breed || !breedIds ? undefined : await breedById(list.elements, name, breedIds)
  return { list: list.place, name, breed, ...(breedId && { breedId }), row: widthOf({ list, name }) }
}

async function shownBreed(
  elements: readonly unknown[],
  name: Place,
  breeds: readonly string[],
  tell: TellBreedIds | undefined,
): Promise<Place | undefined> {
  const others = stringPlaces(elements).filter((place) => pointer(place) !== pointer(name))
  const places = breedPlaces(others, elements, name, (texts) => textsInEssence(texts, breeds))
  const { homes } = (places.every(isSurelyBreed) ? undefined : await tell?.()) ?? { homes: [] }
  return places.find((place) => {
    const read = reader(place)
    const shows = (element: unknown, breed: string) => textsInEssence([String(read(element))], [breed]).size > 0
    return isSurelyBreed(place) || agreesWithLists(elements, name, homes, shows)
  })
}

import {
  type ArrayCandidate,
  arraysIn,
  byKeys,
  candidatesOf,
  misnamed,
  type NameCandidate,
  stringsOf,
  widest,
} from '../readings/candidates.ts'
import { arrayAt, at, brief, pointer, reader } from '../readings/json.ts'
import type { ListShape } from '../readings/list-reading.ts'
import { ofTheirBreed, withLeast } from './lists-beside.ts'
import { areNested, notRefuted } from './nesting.ts'
import { type Evidence, evidenceOf, higher } from './place-evidence.ts'
import { ADVICE, isKey, listOfLists, type Shape, shapeOf, type TellBreedIds } from './shapes.ts'
import type { Cats, Sight } from './sights.ts'

/**
 * Returns whether the place has other cats for other breeds. If not, and another list is beside it, the cats may be
 * recommendations.
 */
export function showsOwn(sights: readonly Sight[], cats: Cats): boolean {
  const known = evidenceOf(sights).filter((one) => one.known(cats) > 0)
  return known.some((one) => !one.isAlwaysOne || sights.every(({ arrays }) => arrays.length < 2))
}

/** A control name and its response. */
export interface Uncalled {
  readonly input: string
  readonly value: unknown
}

/** Additional evidence, requested only if several places fit. */
export interface Tellers {
  /** The response to a control name. */
  readonly askUncalled?: () => Promise<Uncalled | undefined>
  /** Searches for breeds, one after the other. */
  readonly searchesForBreeds?: () => AsyncIterable<SearchForBreed>
  /** The response to a search for a breed, to distinguish lists of a breed's cats. */
  readonly searchFor?: (breed: string) => Promise<unknown>
}

/** The response to a search for a breed, and the list of its cats. */
export interface SearchForBreed {
  readonly value: unknown
  readonly cats: unknown
}

/** Drops places that a response disproves: parts of elements, and echoes. */
async function likelyOnes(
  sights: readonly Sight[],
  cats: Cats,
  { askUncalled, searchesForBreeds, searchFor }: Tellers,
): Promise<readonly Evidence[]> {
  const all = await ofTheirBreed(evidenceOf(sights), cats, searchFor)
  const known = all.filter((one) => one.known(cats) > 0)
  const areRivals = known.filter(({ inputs }) => inputs > 0).length > 1
  if (!areRivals && !areNested(known.map(({ first }) => first))) return all
  const uncalled = await askUncalled?.()
  const arrays = arraysIn(uncalled?.value)
  const own = known.filter(({ first }) => !arrays.some((list) => isEcho(list, first, uncalled?.input)))
  const left = notRefuted(own, ({ first }) => first, [...sights.map((one) => one.arrays), arrays])
  const isAlwaysThere = ({ first: { list, name }, isAlwaysOne }: Evidence) =>
    isAlwaysOne && (!uncalled || arrays.some((one) => isSamePlace(one, list) && hasAny(one, name, cats)))
  const likeliest = new Set(await showingCats(left, isAlwaysThere, cats, searchesForBreeds?.()))
  return likeliest.size > 0 ? all.filter((one) => likeliest.has(one) || !known.includes(one)) : all
}

/**
 * Selects the place where a search for a breed shows most of its cats; suggestions are similar to the query instead.
 */
async function showingCats(
  places: readonly Evidence[],
  isAlwaysThere: (place: Evidence) => boolean,
  cats: Cats,
  searches: AsyncIterable<SearchForBreed> | undefined,
): Promise<readonly Evidence[]> {
  if (!searches || places.filter((one) => one.inputs > 0 && !isAlwaysThere(one)).length < 2) return places
  for await (const search of searches) {
    const members = new Set(
      candidatesOf(search.cats, 'cat')
        .flatMap(stringsOf)
        .filter((name) => cats.has(name)),
    )
    const shown = places.map(({ first: { list, name } }) => {
      const elements = arrayAt(search.value, list.place) ?? []
      return new Set(elements.map(reader(name)).filter((text) => members.has(String(text)))).size
    })
    const most = Math.max(...shown)
    if (most > 1) return withLeast(places.filter((_, nth) => shown[nth] === most))
  }
  return withLeast(places)
}

const isSamePlace = (one: ArrayCandidate, other: ArrayCandidate): boolean => pointer(one.place) === pointer(other.place)

const hasAny = ({ elements }: ArrayCandidate, name: NameCandidate['name'], cats: Cats): boolean =>
  elements.map(reader(name)).some((text) => typeof text === 'string' && cats.has(text))

/** True if elements have the place of all cats but no value where these have their names. */
const showsNothingAt =
  ({ list, name }: ListShape) =>
  ({ arrays }: Sight): boolean =>
    arrays.some(
      ({ place, elements }) =>
        elements.length > 0 &&
        pointer(place) === pointer(list) &&
        elements.every((element) => at(element, name) === undefined),
    )

/** True if the place shows the requested name although nothing has that name. */
const isEcho = (one: ArrayCandidate, { list, name }: NameCandidate, input: string | undefined) =>
  input !== undefined && isSamePlace(one, list) && one.elements.some((element) => at(element, name) === input)

/**
 * Infers the shape of lists that an input selects, from a few responses and the names of all cats.
 * @param tellers used if several places fit
 */
export async function selectedShape(
  sights: readonly Sight[],
  cats: Cats,
  breeds: readonly string[],
  own: Shape,
  breedIds?: TellBreedIds,
  tellers: Tellers = {},
): Promise<Shape> {
  const alike = ({ name }: NameCandidate) => (own && 'name' in own && pointer(own.name) === pointer(name) ? 0 : 1)
  const [best] = (await likelyOnes(sights, cats, tellers))
    .map((evidence) => ({ evidence, first: evidence.first, score: evidence.score(cats, own) }))
    .sort((a, b) => higher(a.score, b.score) || alike(a.first) - alike(b.first) || byKeys('cat')(a.first, b.first))
  if (best?.evidence.isListOfLists) return listOfLists(best.first)
  if (best && best.evidence.known(cats) > 0)
    return { ...(await shapeOf(best.first, breeds, breedIds)), row: widest(best.evidence.rows) }
  if (own && 'list' in own && sights.some(({ isAsInOwn }) => isAsInOwn) && !sights.some(showsNothingAt(own))) return own
  const varied = best && !best.evidence.isConstant ? best.first : undefined
  const isNamed = varied && (alike(varied) === 0 || isKey(varied, 'cat'))
  const wrong = misnamed(
    sights.flatMap(({ arrays }) => arrays),
    'cat',
  )
  const called = isNamed ? varied : wrong
  if (called) return shapeOf(called, breeds)
  if (!varied) return own && 'unreadable' in own ? own : undefined
  return { unreadable: `no string of ${brief(varied.list.elements[0])} is the name of a listed cat: ${ADVICE}` }
}

import {
  type ArrayCandidate,
  arraysIn,
  byKeys,
  candidatesOf,
  misnamed,
  type NameCandidate,
  type Row,
  stringsOf,
  widest,
} from './candidates.ts'
import { arrayAt, at, brief, type Place, pointer, reader } from './json.ts'
import { areNested, notRefuted } from './nesting.ts'
import { ADVICE, isKey, listOfLists, placeText, type Shape, shapeOf, type TellBreedIds } from './shapes.ts'
import type { Cats, Seen, Sight } from './sights.ts'

/** What is known of an array and a place in it, over several answers. */
class Evidence {
  readonly first: NameCandidate
  private readonly seen: Seen[] = []

  constructor(first: NameCandidate) {
    this.first = first
  }

  add(seen: Seen): void {
    this.seen.push(seen)
  }

  /**
   * Higher is likelier: what was asked for stands in it; it is another one for another input; names stand there in the
   * list of all cats too; listed cats do, and not just where there are any: a mother's name, a friend's.
   */
  score(cats: Cats, own: Shape): number[] {
    const known = this.known(cats)
    const isAsInOwn = own && 'name' in own && pointer(own.name) === pointer(this.first.name)
    const share = known / Math.max(1, this.all.length)
    return [this.inputs, this.isAlwaysOne ? 0 : 1, isAsInOwn && share > 0.5 ? 1 : 0, share, known]
  }

  /** How often what was asked for stands there. */
  get inputs(): number {
    return this.seen.filter(({ holdsInput }) => holdsInput).length
  }

  known(cats: Cats): number {
    return this.all.filter((name) => cats.has(name)).length
  }

  get isListOfLists(): boolean {
    const isUneven = new Set(this.rows.map(({ most }) => most)).size > 1
    return this.seen.some(({ isListOfLists, hasOthers }) => isListOfLists || (isUneven && hasOthers))
  }

  /** Whether whatever is asked for is answered alike. */
  get isConstant(): boolean {
    return this.seen.length > 2 && this.isAlwaysOne
  }

  get rows(): readonly Row[] {
    return this.seen.flatMap(({ row }) => row ?? [])
  }

  private get all(): readonly string[] {
    return this.seen.flatMap(({ first }) => first)
  }

  get isAlwaysOne(): boolean {
    return this.seen.length > 1 && new Set(this.seen.map(({ signature }) => signature)).size === 1
  }
}

/** A cat may be called as the key of the list is: then the list stands there for others, too. */
function asItStands(one: Seen, sights: readonly Sight[]): Seen {
  const { literal, candidate } = one
  const isPlaceOf = ({ arrays }: Sight) => literal !== undefined && arrays.some(({ place }) => isAt(place, literal))
  if (literal === undefined || sights.filter(isPlaceOf).length < 2) return one
  return { ...one, candidate: { ...candidate, list: { ...candidate.list, place: literal } } }
}

const isAt = (one: Place, other: Place): boolean => pointer(one) === pointer(other)

function evidenceOf(sights: readonly Sight[]): Evidence[] {
  const found = new Map<string, Evidence>()
  for (const one of sights.flatMap(({ seen }) => seen.map((one) => asItStands(one, sights)))) {
    const evidence = found.get(placeText(one.candidate)) ?? new Evidence(one.candidate)
    evidence.add(one)
    found.set(placeText(one.candidate), evidence)
  }
  return [...found.values()]
}

/**
 * Whether cats stand where another breed has others. Where they do not, and another list stands beside, they may be
 * recommended whatever is asked for.
 */
export function showsOwn(sights: readonly Sight[], cats: Cats): boolean {
  const known = evidenceOf(sights).filter((one) => one.known(cats) > 0)
  return known.some((one) => !one.isAlwaysOne || sights.every(({ arrays }) => arrays.length < 2))
}

const higher = (some: readonly number[], others: readonly number[]): number =>
  some.reduce((order, score, index) => order || (others[index] ?? 0) - score, 0)

/** An input that nobody is called, and what it is answered. */
export interface Uncalled {
  readonly input: string
  readonly value: unknown
}

/** What tells places apart that may both be right; asked only where there are several. */
export interface Tellers {
  /** What nothing is called is answered with. */
  readonly askUncalled?: () => Promise<Uncalled | undefined>
  /** Searches for breeds, one after the other. */
  readonly searchesForBreeds?: () => AsyncIterable<SearchForBreed>
}

/** What a search for a breed is answered with, and the list of its cats. */
export interface SearchForBreed {
  readonly value: unknown
  readonly cats: unknown
}

/** Of places that may both be right, those that no answer proves wrong: neither what stands in an element, nor an echo. */
async function likelyOnes(
  sights: readonly Sight[],
  cats: Cats,
  { askUncalled, searchesForBreeds }: Tellers,
): Promise<readonly Evidence[]> {
  const all = evidenceOf(sights)
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

/** Of several places, that where a search for a breed shows most of its cats: suggestions are of names like the query. */
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
    if (most > 1) return places.filter((_, nth) => shown[nth] === most)
  }
  return places
}

const isSamePlace = (one: ArrayCandidate, other: ArrayCandidate): boolean => pointer(one.place) === pointer(other.place)

const hasAny = ({ elements }: ArrayCandidate, name: NameCandidate['name'], cats: Cats): boolean =>
  elements.map(reader(name)).some((text) => typeof text === 'string' && cats.has(text))

/** Whether what was asked for stands there though nobody is called so. */
const isEcho = (one: ArrayCandidate, { list, name }: NameCandidate, input: string | undefined) =>
  input !== undefined && isSamePlace(one, list) && one.elements.some((element) => at(element, name) === input)

/**
 * The shape of lists of cats that an input selects, told from a few answers and from the names of all cats.
 * @param tellers asked where several places may be right
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
  if (own && 'list' in own && sights.some(({ isAsInOwn }) => isAsInOwn)) return own
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

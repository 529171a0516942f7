import { folded } from '../text.ts'
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

  get size(): number {
    return this.all.length
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

  /** What stands there, by what was asked for. */
  get byInput(): readonly (readonly [input: string, names: readonly string[]])[] {
    return this.seen.map(({ input, first }) => [input, first])
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
  /** What a search for a breed answers, where it is lists of breeds that are told apart. */
  readonly searchFor?: (breed: string) => Promise<unknown>
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
    if (most > 1) return withLeast(places.filter((_, nth) => shown[nth] === most))
  }
  return withLeast(places)
}

const listOf = ({ first }: Evidence): string => pointer(first.list.place)

/**
 * Of lists that hold what was asked for as often, the shortest, where it lacks none in which that stands: hits stand
 * among suggestions, too, and the first hits among all.
 */
function withLeast(places: readonly Evidence[]): readonly Evidence[] {
  const most = Math.max(...places.map(({ inputs }) => inputs))
  const [least, ...others] = places
    .filter(({ inputs }) => inputs === most)
    .toSorted((one, other) => one.size - other.size)
  if (!least || others.some((one) => lacksAny(least, one))) return places
  const shortest = new Set([least, ...others].filter(({ size }) => size === least.size).map(listOf))
  return places.filter((one) => shortest.has(listOf(one)))
}

/** Whether another holds, for what was asked for, a name in which that stands, and one does not. */
const lacksAny = (one: Evidence, another: Evidence): boolean =>
  another.byInput.some(([input, names]) => {
    const own = new Set(one.byInput.flatMap(([asked, some]) => (asked === input ? some : [])))
    return names.some((name) => !own.has(name) && folded(name).includes(folded(input)))
  })

/**
 * Of several lists beside each other, those whose cats a search for their breed finds, and of which no cat stands in two
 * breeds' (S-CAT-BREED): cats of other breeds are recommended.
 */
async function ofTheirBreed(
  places: readonly Evidence[],
  cats: Cats,
  searchFor: Tellers['searchFor'],
): Promise<readonly Evidence[]> {
  const filled = places.filter((one) => one.known(cats) > 0)
  if (!searchFor || new Set(filled.filter(({ isAlwaysOne }) => !isAlwaysOne).map(listOf)).size < 2) return places
  const breeds = [...new Set(filled.flatMap(({ byInput }) => byInput.map(([breed]) => breed)))]
  const found = new Map(
    await Promise.all(breeds.map(async (breed) => [breed, textsIn(await searchFor(breed))] as const)),
  )
  const scores = new Map<string, readonly number[]>()
  for (const one of filled) {
    const score = [areFound(one, cats, found) ? 1 : 0, areShared(one) ? 0 : 1]
    const before = scores.get(listOf(one))
    if (!before || higher(before, score) > 0) scores.set(listOf(one), score)
  }
  const [best] = [...scores.values()].toSorted(higher)
  return best ? places.filter((one) => higher(scores.get(listOf(one)) ?? best, best) === 0) : places
}

const textsIn = (value: unknown): ReadonlySet<string> => new Set(candidatesOf(value, 'cat').flatMap(stringsOf))

/** Whether a search for what was asked for finds most of the cats there: one may come or go meanwhile. */
function areFound({ byInput }: Evidence, cats: Cats, found: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const known = byInput.flatMap(([breed, names]) =>
    names.filter((name) => cats.has(name)).map((name) => [breed, name] as const),
  )
  return known.filter(([breed, name]) => found.get(breed)?.has(name)).length * 3 > known.length * 2
}

/** Whether many of the names there stand there for several inputs. */
const areShared = ({ byInput }: Evidence): boolean => {
  const names = byInput.flatMap(([, some]) => [...new Set(some)])
  return new Set(names).size * 5 < names.length * 4
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

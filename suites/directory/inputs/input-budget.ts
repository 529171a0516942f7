import type { Read } from '../../engine/check/readers.ts'
import { sample, signature } from '../../engine/property/sample.ts'
import type { Directory } from '../facts/directory.ts'
import { distinctNames } from '../readings/names.ts'
import type { Effort } from '../shared/effort.ts'
import { asQueryValue, asSegment, canBeSearched, canStandInPath } from '../shared/encodings.ts'
import type { Alterations } from './alterations.ts'
import { someEncodedNames, someOfMany } from './own-names.ts'
import { ASKED_ANYWAY, FEWEST, type Kind, type Kinds, ROWS, type Row, type Where } from './quick-inputs.ts'

/** What is tried where not everything can be. */
export interface Allotment {
  /** Whether something is to be tried in a version; without one: in all that are judged, to be compared. */
  takes<K extends Kind>(kind: K, what: Kinds[K], version?: string): boolean
  /** Of the names of cats, or of breeds, those that are tried: the same whichever check asks. */
  drawn(list: 'cats' | 'breeds', names: readonly string[]): readonly string[]
  /** Of the names of cats, those that are asked for their lives: all that are drawn, and more. */
  withLives(names: readonly string[]): readonly string[]
}

/** What decides how much is tried. */
export interface Allotted {
  readonly effort: Pick<Effort, 'strings' | 'inputs' | 'requests'>
  readonly alterations: Alterations
  readonly judged: readonly unknown[]
  readonly seed: number
}

interface Listed {
  readonly cats: readonly string[]
  readonly breeds: readonly string[]
}

const known = new WeakMap<readonly string[], Listed & { readonly allotment: Allotment }>()

/** What the lists of a deployment leave of the requests, in names and in strings. */
export async function allotment(allotted: Allotted, directory: Directory, read: Read): Promise<Allotment> {
  const { effort, seed } = allotted
  if (effort.strings === 'all')
    return {
      takes: () => true,
      drawn: (_, names) => sampledOnce(names, effort.inputs, seed),
      withLives: (names) => names,
    }
  const [cats, breeds] = await Promise.all([distinctNames(directory.cats, read), distinctNames(directory.breeds, read)])
  const before = known.get(cats)
  if (before?.breeds === breeds) return before.allotment
  const made = allot(allotted, { cats, breeds })
  known.set(cats, { cats, breeds, allotment: made })
  return made
}

/** What was drawn of a list last. */
interface Drawing {
  readonly most: number
  readonly seed: number
  readonly drawn: readonly string[]
}

const lastDrawn = new WeakMap<readonly string[], Drawing>()

/** Some of a list: the same for all who ask for as many. */
function sampledOnce(names: readonly string[], most: number, seed: number): readonly string[] {
  const last = lastDrawn.get(names)
  if (last?.most === most && last.seed === seed) return last.drawn
  const drawn = sample(names, most, seed, String)
  lastDrawn.set(names, { most, seed, drawn })
  return drawn
}

/** What several checks ask, whatever is listed; and in each version. What one alone asks, it says itself. */
const FIXED = 9
const FIXED_OF_VERSION = 15
/** What names take of the requests that the lists leave, and cats of that; and how many they take at least. */
const FOR_NAMES = 0.45
const FOR_CATS = 0.7
const FEWEST_FOR_NAMES = 20

function allot({ effort, judged, alterations, seed }: Allotted, all: Listed): Allotment {
  const versions = judged.length
  const left = effort.requests - FIXED - versions * (FIXED_OF_VERSION + all.breeds.length)
  const listed = { cats: someOfMany(all.cats, seed), breeds: someOfMany(all.breeds, seed) }
  const forNames = Math.max(FEWEST_FOR_NAMES, left * FOR_NAMES)
  // A cat is searched for in each version, and asked for its lives in one.
  const mostCats = Math.floor((forNames * FOR_CATS) / (versions + 1))
  const cats = unlike(listed.cats.filter(canBeSearched), mostCats, seed)
  const mostBreeds = Math.floor((forNames - cats.length * (versions + 1)) / versions)
  const withLives = andMore(cats, listed.cats.filter(canStandInPath), seed)
  const breeds = unlike(listed.breeds.filter(canBeSearched), mostBreeds, seed)
  const others = always([...cats, ...breeds], asQueryValue) + always(listed.breeds.filter(canStandInPath), asSegment)
  const ofLives = encodedOnce(cats.filter(canStandInPath), asSegment)
  const taken = taking(
    left - (cats.length + breeds.length + others) * versions - withLives.length - ofLives,
    costing(listed, alterations, versions),
  )
  const most = { cats: mostCats, breeds: mostBreeds }
  return {
    drawn: (list, names) => unlikeOnce(names, most[list], seed),
    withLives: (names) => andMore(unlikeOnce(names, most.cats, seed), names, seed),
    takes(kind, what, version) {
      const where = taken.get(`${kind} ${what}`)
      return where !== undefined && (versions === 1 || where === 'both' || where === version)
    },
  }
}

const lastUnlike = new WeakMap<readonly string[], Drawing>()

function unlikeOnce(names: readonly string[], most: number, seed: number): readonly string[] {
  const last = lastUnlike.get(names)
  if (last?.most === most && last.seed === seed) return last.drawn
  const drawn = unlike(someOfMany(names, seed), most, seed)
  lastUnlike.set(names, { most, seed, drawn })
  return drawn
}

/** Names with nothing unusual are treated alike: so many of them are enough. */
const ENOUGH_PLAIN = 3

/** Of names all that are unusual, as far as they go, and a few that are not. */
function unlike(names: readonly string[], most: number, seed: number): readonly string[] {
  const isUnusual = (name: string): boolean => signature(name) !== 'plain'
  const plain = sample(
    names.filter((name) => !isUnusual(name)),
    Math.min(ENOUGH_PLAIN, most),
    seed,
    String,
  )
  return [...plain, ...sample(names.filter(isUnusual), most - plain.length, seed, String)]
}

/** What is wrong with the lives of one cat shows nowhere else, and costs one request: half as many more are asked. */
function andMore(drawn: readonly string[], names: readonly string[], seed: number): readonly string[] {
  const isDrawn = new Set(drawn)
  const others = someOfMany(names, seed).filter((name) => !isDrawn.has(name))
  return [...drawn, ...sample(others, drawn.length >> 1, seed, String)]
}

/** In how many encodings names are asked: once in each. */
const encodedOnce = (names: readonly string[], as: typeof asSegment): number =>
  someEncodedNames(names, as, { effort: { namesPerEncoding: 1 }, seed: 1 }).inputs.length

/** How many are always asked: those that are minimally encoded. */
const always = (names: readonly string[], as: typeof asSegment): number =>
  someEncodedNames(names, as, { effort: { namesPerEncoding: 1 }, seed: 1 }).inputs.filter(
    ({ encoding }) => encoding === 'minimal',
  ).length

/** As many rows, from the first, as go with so many requests; of each kind one at least. */
function taking(requests: number, costOf: (row: Row) => number): ReadonlyMap<string, Where> {
  const taken = new Map<string, Where>()
  let left = requests
  for (const row of [...FEWEST, ...ROWS.filter((one) => !FEWEST.includes(one))]) {
    left -= costOf(row)
    if (left < 0 && !FEWEST.includes(row)) break
    taken.set(`${row[0]} ${row[2]}`, row[1])
  }
  return taken
}

const costing =
  ({ cats, breeds }: Listed, alterations: Alterations, versions: number) =>
  (row: Row): number => {
    if (ASKED_ANYWAY.includes(row)) return 0
    const [kind, where, what] = row
    return (where === 'both' ? versions : 1) * made()

    /** How many strings it makes of the names that are listed: none where there is no accent to take away. */
    function made(): number {
      if (kind === 'nearBreed')
        return alterations.breeds[what]?.({ few: breeds.slice(0, 1), listed: breeds }).length ?? 0
      if (kind === 'nearQuery') return alterations.queries[what]?.({ few: cats.slice(0, 1), listed: cats }).length ?? 0
      if (kind === 'plussed') return [...breeds, ...(what === 'query' ? cats : [])].some(isOfWords) ? 1 : 0
      return 1
    }
  }

const isOfWords = (name: string): boolean => / /.test(name)

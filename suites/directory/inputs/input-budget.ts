import type { Read, Subject } from '../../engine/check/readers.ts'
import { sample, signature } from '../../engine/property/sample.ts'
import type { Directory } from '../facts/directory.ts'
import { distinctNames } from '../readings/names.ts'
import type { Effort } from '../shared/effort.ts'
import { asQueryValue, asSegment, canBeSearched, canStandInPath } from '../shared/encodings.ts'
import type { Alterations } from './alterations.ts'
import { someEncodedNames, someOfMany } from './own-names.ts'
import { ANY_QUERY, ASKED_ANYWAY, FEWEST, type Kind, type Kinds, ROWS, type Row, type Where } from './quick-inputs.ts'

/** The selection of inputs for a limited number of requests. */
export interface Allotment {
  /** Returns whether a string is tested in a version; without one, in all judged versions, to compare them. */
  takes<K extends Kind>(kind: K, what: Kinds[K], version?: string): boolean
  /** The names of cats or breeds that are tested: the same for all checks. */
  drawn(list: 'cats' | 'breeds', names: readonly string[]): readonly string[]
  /** The cats whose lives are requested: all tested ones, and more. */
  withLives(names: readonly string[]): readonly string[]
}

/** The options that determine how much is tested. */
export interface Allotted {
  readonly effort: Pick<Effort, 'strings' | 'inputs' | 'requests'>
  readonly alterations: Alterations
  readonly judged: readonly unknown[]
  readonly seed: number
  requestsFor(subject: Subject<unknown>): Promise<number>
}

interface Listed {
  readonly cats: readonly string[]
  readonly breeds: readonly string[]
}

const known = new WeakMap<readonly string[], Listed & { readonly allotment: Allotment }>()

/** Divides the requests that the lists leave among names and strings. */
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
  const room = await roomFor(allotted, directory, breeds)
  const made = allot({ ...allotted, effort: { ...effort, requests: room } }, { cats, breeds })
  known.set(cats, { cats, breeds, allotment: made })
  return made
}

/** Returns the number of readings within the budget: a list of cats in pages, or a redirect, takes several requests. */
async function roomFor(
  { effort, requestsFor }: Allotted,
  { catsOf, search }: Directory,
  breeds: readonly string[],
): Promise<number> {
  const typical = [
    search(ANY_QUERY),
    ...breeds
      .filter(canStandInPath)
      .slice(0, 1)
      .map((breed) => catsOf(breed)),
  ]
  const counts = await Promise.all(typical.map((list) => requestsFor(list)))
  const each = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return effort.requests / each
}

/** The last sample of a list. */
interface Drawing {
  readonly most: number
  readonly seed: number
  readonly drawn: readonly string[]
}

const lastDrawn = new WeakMap<readonly string[], Drawing>()

/** Memoises the sample of a list, so that all checks use the same. */
function sampledOnce(names: readonly string[], most: number, seed: number): readonly string[] {
  const last = lastDrawn.get(names)
  if (last?.most === most && last.seed === seed) return last.drawn
  const drawn = sample(names, most, seed, String)
  lastDrawn.set(names, { most, seed, drawn })
  return drawn
}

/** Requests that several checks share, whatever is listed, in total and per version. Each check declares its own. */
const FIXED = 11
const FIXED_OF_VERSION = 15
/** The share of the remaining requests for names, the share of cats in it, and the minimum of each. */
const FOR_NAMES = 0.45
const FOR_CATS = 0.7
const FEWEST_FOR_NAMES = 12

function allot({ effort, judged, alterations, seed }: Allotted, all: Listed): Allotment {
  const versions = judged.length
  const left = effort.requests - FIXED - versions * (FIXED_OF_VERSION + all.breeds.length)
  const listed = { cats: someOfMany(all.cats, seed), breeds: someOfMany(all.breeds, seed) }
  const forNames = Math.max(FEWEST_FOR_NAMES, left * FOR_NAMES)
  // A cat is searched for in each version, and its lives are requested in one.
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

/** Plain names are treated alike, so a few are enough. */
const ENOUGH_PLAIN = 3

/** Unusual names as far as the limit allows, and a few plain ones. */
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

/** Adds half as many cats: a defect in the lives of one cat shows nowhere else, and costs one request. */
function andMore(drawn: readonly string[], names: readonly string[], seed: number): readonly string[] {
  const isDrawn = new Set(drawn)
  const others = someOfMany(names, seed).filter((name) => !isDrawn.has(name))
  return [...drawn, ...sample(others, drawn.length >> 1, seed, String)]
}

/** The number of encodings, each tested with one name. */
const encodedOnce = (names: readonly string[], as: typeof asSegment): number =>
  someEncodedNames(names, as, { effort: { namesPerEncoding: 1 }, seed: 1 }).inputs.length

/** The number of names that are always tested: those that are minimally encoded. */
const always = (names: readonly string[], as: typeof asSegment): number =>
  someEncodedNames(names, as, { effort: { namesPerEncoding: 1 }, seed: 1 }).inputs.filter(
    ({ encoding }) => encoding === 'minimal',
  ).length

/** The first rows that fit into the number of requests, at least one of each kind. */
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

    /** The number of strings that an alteration makes of the listed names: none without e.g. an accent. */
    function made(): number {
      if (kind === 'nearBreed')
        return alterations.breeds[what]?.({ few: breeds.slice(0, 1), listed: breeds }).length ?? 0
      if (kind === 'nearQuery') return alterations.queries[what]?.({ few: cats.slice(0, 1), listed: cats }).length ?? 0
      if (kind === 'plussed') return [...breeds, ...(what === 'query' ? cats : [])].some(isOfWords) ? 1 : 0
      return 1
    }
  }

const isOfWords = (name: string): boolean => / /.test(name)

import type fc from 'fast-check'
import { versions } from '../../fixtures/contract/operations.ts'
import type { Read } from '../engine/check/readers.ts'
import { unlessInconclusive } from '../engine/inconclusive.ts'
import { sample } from '../engine/property/sample.ts'
import type { Deployment } from './deployment.ts'
import type { Directory } from './facts/directory.ts'
import {
  type Alterations,
  alterationsOf,
  altered,
  breedsInTurn,
  type Chosen,
  nearQueriesInTurn,
} from './inputs/alterations.ts'
import { queries, segments } from './inputs/arbitraries.ts'
import { type Allotment, allotment } from './inputs/input-budget.ts'
import {
  type Drawn,
  isOfPlainWords,
  pathNames,
  plussed,
  plussedQueries,
  searchableNames,
  someOfMany,
  thatCanBeSearched,
} from './inputs/own-names.ts'
import { fewOf } from './inputs/quick-inputs.ts'
import { queriesInTurn, queryTroubles, segmentsInTurn, segmentTroubles } from './inputs/trouble-strings.ts'
import { distinctNames, foundBy, sorted } from './readings/names.ts'
import { canStandInPath } from './shared/encodings.ts'

/** Generated strings, and strings that are always tested. */
export interface Strings {
  readonly generated: fc.Arbitrary<string>
  readonly examples: readonly string[]
  /** The number of further strings that are not tested. */
  readonly leftOut: number
}

/** The options that determine which strings are tested. */
export type Tried = Pick<Deployment, 'effort' | 'alterations' | 'seed' | 'strings' | 'judged' | 'requestsFor'>

/** The version in which strings are tested; undefined if both are compared. */
type Version = string | undefined

const inLetters = new WeakMap<readonly string[], readonly string[]>()

/** Memoised, because many checks use the list, and it may be long. */
function beginningWithLetters(names: readonly string[]): readonly string[] {
  const known = inLetters.get(names) ?? names.filter((name) => /^\p{L}{3,}/u.test(name))
  inLetters.set(names, known)
  return known
}

/** Queries that people type instead of the names of a few cats; the first of each kind shows how a search matches. */
export async function nearQueries(
  directory: Directory,
  tried: Tried,
  read: Read,
  version: Version,
  most = tried.effort.catsForNearQueries,
): Promise<string[]> {
  const { alterations, seed } = tried
  const { takes } = await allotment(tried, directory, read)
  const listed = sorted(someOfMany(await distinctNames(directory.cats, read)))
  const few = sample(beginningWithLetters(listed), most, seed, String)
  const inTurns = new Set(nearQueriesInTurn.flat())
  const itsTurn = new Set(inTurn(nearQueriesInTurn, version, tried))
  const isWanted = (name: keyof Alterations['queries']) =>
    takes('nearQuery', name, version) && (!inTurns.has(name) || itsTurn.has(name))
  const breeds = sorted(await distinctNames(directory.breeds, read))
  const pair = isWanted('wordOfNameAndBreed') ? await catAndBreed(directory, tried, read) : undefined
  return altered(alterationsOf(alterations, 'queries', isWanted), { few, listed, breeds, ...(pair && { pair }) })
}

/** Returns a cat and its breed whose first words are plain and differ. */
async function catAndBreed(directory: Directory, tried: Tried, read: Read): Promise<Chosen['pair']> {
  const isPlain = (name: string): boolean => /^[A-Za-z]{3,}( |$)/.test(name)
  for (const breed of (await inhabited(directory, tried, read)).filter(isPlain)) {
    const [first = ''] = breed.split(' ')
    const cats = sorted(foundBy(await read(directory.catsOf(breed)))?.names ?? [])
    const cat = cats.find((name) => isPlain(name) && !name.includes(first))
    if (cat !== undefined) return { cat, breed }
  }
  return undefined
}

/**
 * Strings that are tested in one of two versions: returns those of one version, whichever versions are judged, so that
 * replays use the same. The seed decides which version gets which.
 * @param version undefined if both are compared: strings of a single version are then left out
 */
function inTurn<T>(
  pairs: readonly (readonly [T, T])[],
  version: Version,
  { effort, seed }: Pick<Tried, 'effort' | 'seed'>,
): readonly T[] {
  if (effort.pairsOfStrings === 'both') return pairs.flat()
  const nth = versions.findIndex((one) => one === version)
  const lot = Math.abs(seed + 1) % 2
  return nth < 0 ? [] : pairs.map(([first, second]) => ((nth + lot) % 2 === 0 ? first : second))
}

/** Strings that only one version is sent; lives exist in one version only. */
const someInTurn = (
  kind: 'query' | 'breed' | 'cat',
  version: Version,
  tried: Pick<Tried, 'effort' | 'seed'>,
): readonly string[] => {
  if (kind === 'query') return inTurn(queriesInTurn, version, tried)
  return kind === 'breed' ? inTurn(segmentsInTurn, version, tried) : segmentsInTurn.flat()
}

/** All strings of a kind, or as many as the remaining requests allow, and the number left out. */
function troublesOf(
  kind: 'query' | 'breed' | 'cat',
  tried: Tried,
  takes: Allotment['takes'],
  version: Version,
): { readonly troubles: readonly string[]; readonly leftOut: number } {
  const all = [...(kind === 'query' ? queryTroubles : segmentTroubles), ...someInTurn(kind, version, tried)]
  if (tried.effort.strings === 'all') return { troubles: all, leftOut: 0 }
  const troubles = fewOf(kind).filter((text) => takes(kind, text, version))
  return { troubles, leftOut: Math.max(0, all.length - troubles.length) }
}

/**
 * Search queries: trouble strings, queries that people type instead of a name, and generated ones.
 * @param version the version to search; undefined for the queries that both versions are sent
 */
export async function anyQuery(directory: Directory, tried: Tried, read: Read, version?: string): Promise<Strings> {
  const { takes } = await allotment(tried, directory, read)
  const { troubles, leftOut } = troublesOf('query', tried, takes, version)
  return {
    generated: queries(await searchableNames(directory, read)),
    examples: [...tried.strings, ...(await nearQueries(directory, tried, read, version)), ...troubles],
    leftOut,
  }
}

/** A few breeds with cats: only names that lead to non-empty lists show anything. */
async function inhabited(
  directory: Directory,
  { effort: { breedsLookedAt, breedsForNearMisses }, seed }: Tried,
  read: Read,
): Promise<string[]> {
  const listed = sorted(await pathNames(directory.breeds, read))
  const breeds = sample(listed, breedsLookedAt, seed, String)
  const lists = await Promise.all(
    breeds.map(async (breed) => ({ breed, list: foundBy(await read(directory.catsOf(breed))) })),
  )
  const filled = lists.filter(({ list }) => list && list.names.length > 0).map(({ breed }) => breed)
  return plainFirst(filled.length > 0 ? filled : breeds, breedsForNearMisses, seed)
}

/** Puts a breed without signs first: signs may be syntax if the name is used as a pattern, and hide that it is one. */
function plainFirst(breeds: readonly string[], most: number, seed: number): string[] {
  const isPlain = (breed: string): boolean => /^[\p{L} ]+$/u.test(breed)
  const drawn = sample(breeds, most, seed, String)
  const plain = drawn.find(isPlain) ?? breeds.find(isPlain)
  return plain === undefined ? [...drawn] : [plain, ...drawn.filter((one) => one !== plain)].slice(0, most)
}

/**
 * Strings for the segment of a breed: names similar to a listed one, trouble strings, and generated ones.
 * @param version the version to request; undefined for the strings that both versions are sent
 */
export async function anyBreedName(directory: Directory, tried: Tried, read: Read, version?: string): Promise<Strings> {
  const { takes } = await allotment(tried, directory, read)
  const breeds = await distinctNames(directory.breeds, read)
  const few = await inhabited(directory, tried, read)
  const cats = await distinctNames(directory.cats, read).catch(unlessInconclusive<readonly string[]>([]))
  const own = tried.strings.filter((text) => text !== '')
  const apart = new Set(breedsInTurn.flat())
  const itsTurn = new Set(inTurn(breedsInTurn, version, tried))
  const near = altered(
    alterationsOf(
      tried.alterations,
      'breeds',
      (name) => takes('nearBreed', name, version) && (!apart.has(name) || itsTurn.has(name)),
    ),
    { few, listed: sorted(breeds), cats: sorted(someOfMany(cats)) },
  )
  const { troubles, leftOut } = troublesOf('breed', tried, takes, version)
  return {
    generated: segments(someOfMany(breeds)),
    examples: [
      ...own.filter((name) => !breeds.includes(name)),
      ...near.filter((name) => canStandInPath(name) && !breeds.includes(name)),
      ...troubles,
    ],
    leftOut,
  }
}

/** Strings for the segment of a cat. */
export async function anyCatName(directory: Directory, tried: Tried, read: Read, version?: string): Promise<Strings> {
  const { takes } = await allotment(tried, directory, read)
  const { troubles, leftOut } = troublesOf('cat', tried, takes, version)
  return {
    generated: segments(someOfMany(await distinctNames(directory.cats, read))),
    examples: [...tried.strings.filter((text) => text !== ''), ...troubles],
    leftOut,
  }
}

/** The strings of one version, or as many as the remaining requests allow. */
export async function someStrings(
  kind: 'malformed' | 'queryString',
  all: readonly string[],
  target: Tried & { readonly directory: Directory },
  read: Read,
): Promise<Drawn<string>> {
  const { directory, effort } = target
  const { takes } = await allotment(target, directory, read)
  const inputs = effort.strings === 'all' ? all : fewOf(kind).filter((text) => takes(kind, text, directory.version))
  return { inputs, from: Math.max(all.length, inputs.length) }
}

/** Query strings with a plus sign for each space, if requests are left for them. */
export async function somePlussedQueries(
  target: Tried & { readonly directory: Directory },
  read: Read,
): Promise<readonly string[]> {
  const { directory, effort } = target
  const { takes } = await allotment(target, directory, read)
  if (!takes('plussed', 'query', directory.version)) return []
  const some = await plussedQueries(directory, read)
  if (effort.strings !== 'all') return some
  const plain = plussed((await distinctNames(directory.breeds, read)).filter(isOfPlainWords))
  return [...new Set([...some, ...plain.map((value) => `q=${value}`)])]
}

/** The names that are searched for in all checks: cats and breeds, each once. */
export async function searchedNames(
  target: Tried & { readonly directory: Directory },
  read: Read,
): Promise<readonly string[]> {
  const lists = await Promise.all([searchedOf('cats', target, read), searchedOf('breeds', target, read)])
  return [...new Set(lists.flatMap(({ inputs }) => inputs))]
}

/** The searched names of one list. */
export async function searchedOf(
  list: 'cats' | 'breeds',
  target: Tried & { readonly directory: Directory },
  read: Read,
): Promise<Drawn<string>> {
  const { directory } = target
  const names = thatCanBeSearched(await distinctNames(directory[list], read))
  const { drawn } = await allotment(target, directory, read)
  return { inputs: drawn(list, names), from: names.length }
}

import type fc from 'fast-check'
import { versions } from '../../fixtures/contract/operations.ts'
import type { Read } from '../engine/check/readers.ts'
import { unlessInconclusive } from '../engine/inconclusive.ts'
import { sample } from '../engine/property/sample.ts'
import type { Deployment } from './deployment.ts'
import type { Directory } from './facts/directory.ts'
import {
  type Alterations,
  alternatingBreedAlterations,
  alternatingQueryAlterations,
  applyAlterations,
  type NamesToAlter,
  selectAlterations,
} from './inputs/alterations.ts'
import { arbitraryQuery, arbitrarySegment } from './inputs/arbitraries.ts'
import { createInputBudget, type InputBudget } from './inputs/input-budget.ts'
import {
  createPlusEncodedQueries,
  encodeSpacesAsPlus,
  hasOnlyPlainWords,
  type InputSample,
  readPathNames,
  readSearchableNames,
  selectConsideredNames,
  selectSearchableNames,
} from './inputs/listed-names.ts'
import { quickStringsOf } from './inputs/quick-inputs.ts'
import {
  alternatingQueries,
  alternatingSegments,
  queryTroubleStrings,
  segmentTroubleStrings,
} from './inputs/trouble-strings.ts'
import { readDistinctNames, resultListOf, sortNames } from './readings/names.ts'
import { canBeInPath } from './shared/encodings.ts'

/** Generated strings, and strings that are always tested. */
export interface TestStrings {
  readonly generated: fc.Arbitrary<string>
  readonly examples: readonly string[]
  /** The number of further strings that are not tested. */
  readonly omittedCount: number
}

/** The options that determine which strings are tested. */
export type InputOptions = Pick<
  Deployment,
  'effort' | 'alterations' | 'seed' | 'strings' | 'judgedDirectories' | 'countRequests'
>

/** The version in which strings are tested; undefined if both are compared. */
type TestedVersion = string | undefined

const letterNamesByList = new WeakMap<readonly string[], readonly string[]>()

/** Memoised, because many checks use the list, and it may be long. */
function namesStartingWithLetter(names: readonly string[]): readonly string[] {
  const known = letterNamesByList.get(names) ?? names.filter((name) => /^\p{L}{3,}/u.test(name))
  letterNamesByList.set(names, known)
  return known
}

/** Queries that people type instead of the names of a few cats; the first of each kind shows how a search matches. */
export async function createSimilarQueries(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version: TestedVersion,
  maxCats = options.effort.catsForSimilarQueries,
): Promise<string[]> {
  const { alterations, seed } = options
  const { includes } = await createInputBudget(options, directory, read)
  const listed = sortNames(selectConsideredNames(await readDistinctNames(directory.cats, read)))
  const few = sample(namesStartingWithLetter(listed), maxCats, seed, String)
  const inTurns = new Set(alternatingQueryAlterations.flat())
  const itsTurn = new Set(selectForVersion(alternatingQueryAlterations, version, options))
  const isWanted = (name: keyof Alterations['queries']) =>
    includes('nearQuery', name, version) && (!inTurns.has(name) || itsTurn.has(name))
  const breeds = sortNames(await readDistinctNames(directory.breeds, read))
  const pair = isWanted('wordOfNameAndBreed') ? await findCatAndBreed(directory, options, read) : undefined
  return applyAlterations(selectAlterations(alterations, 'queries', isWanted), {
    fewNames: few,
    listedNames: listed,
    breeds,
    ...(pair && { pair }),
  })
}

/** Returns a cat and its breed whose first words are plain and differ. */
async function findCatAndBreed(directory: Directory, options: InputOptions, read: Read): Promise<NamesToAlter['pair']> {
  const isPlain = (name: string): boolean => /^[A-Za-z]{3,}( |$)/.test(name)
  for (const breed of (await findBreedsWithCats(directory, options, read)).filter(isPlain)) {
    const [first = ''] = breed.split(' ')
    const cats = sortNames(resultListOf(await read(directory.catsOf(breed)))?.names ?? [])
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
function selectForVersion<T>(
  pairs: readonly (readonly [T, T])[],
  version: TestedVersion,
  { effort, seed }: Pick<InputOptions, 'effort' | 'seed'>,
): readonly T[] {
  if (effort.pairsOfStrings === 'both') return pairs.flat()
  const nth = versions.findIndex((one) => one === version)
  const lot = Math.abs(seed + 1) % 2
  return nth < 0 ? [] : pairs.map(([first, second]) => ((nth + lot) % 2 === 0 ? first : second))
}

/** Strings that only one version is sent; lives exist in one version only. */
const alternatingStrings = (
  kind: 'query' | 'breed' | 'cat',
  version: TestedVersion,
  tried: Pick<InputOptions, 'effort' | 'seed'>,
): readonly string[] => {
  if (kind === 'query') return selectForVersion(alternatingQueries, version, tried)
  return kind === 'breed' ? selectForVersion(alternatingSegments, version, tried) : alternatingSegments.flat()
}

/** All strings of a kind, or as many as the remaining requests allow, and the number left out. */
function selectTroubleStrings(
  kind: 'query' | 'breed' | 'cat',
  options: InputOptions,
  includes: InputBudget['includes'],
  version: TestedVersion,
): { readonly troubleStrings: readonly string[]; readonly omittedCount: number } {
  const all = [
    ...(kind === 'query' ? queryTroubleStrings : segmentTroubleStrings),
    ...alternatingStrings(kind, version, options),
  ]
  if (options.effort.strings === 'all') return { troubleStrings: all, omittedCount: 0 }
  const troubles = quickStringsOf(kind).filter((text) => includes(kind, text, version))
  return { troubleStrings: troubles, omittedCount: Math.max(0, all.length - troubles.length) }
}

/**
 * Search queries: trouble strings, queries that people type instead of a name, and generated ones.
 * @param version the version to search; undefined for the queries that both versions are sent
 */
export async function createQueries(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version?: string,
): Promise<TestStrings> {
  const { includes } = await createInputBudget(options, directory, read)
  const { troubleStrings, omittedCount } = selectTroubleStrings('query', options, includes, version)
  return {
    generated: arbitraryQuery(await readSearchableNames(directory, read)),
    examples: [
      ...options.strings,
      ...(await createSimilarQueries(directory, options, read, version)),
      ...troubleStrings,
    ],
    omittedCount,
  }
}

/** A few breeds with cats: only names that lead to non-empty lists show anything. */
async function findBreedsWithCats(
  directory: Directory,
  { effort: { breedsReadForCats, breedsForSimilarNames }, seed }: InputOptions,
  read: Read,
): Promise<string[]> {
  const listed = sortNames(await readPathNames(directory.breeds, read))
  const breeds = sample(listed, breedsReadForCats, seed, String)
  const lists = await Promise.all(
    breeds.map(async (breed) => ({ breed, list: resultListOf(await read(directory.catsOf(breed))) })),
  )
  const filled = lists.filter(({ list }) => list && list.names.length > 0).map(({ breed }) => breed)
  return putPlainNameFirst(filled.length > 0 ? filled : breeds, breedsForSimilarNames, seed)
}

/** Puts a breed without signs first: signs may be syntax if the name is used as a pattern, and hide that it is one. */
function putPlainNameFirst(breeds: readonly string[], most: number, seed: number): string[] {
  const isPlain = (breed: string): boolean => /^[\p{L} ]+$/u.test(breed)
  const drawn = sample(breeds, most, seed, String)
  const plain = drawn.find(isPlain) ?? breeds.find(isPlain)
  return plain === undefined ? [...drawn] : [plain, ...drawn.filter((one) => one !== plain)].slice(0, most)
}

/**
 * Strings for the segment of a breed: names similar to a listed one, trouble strings, and generated ones.
 * @param version the version to request; undefined for the strings that both versions are sent
 */
export async function createBreedNames(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version?: string,
): Promise<TestStrings> {
  const { includes } = await createInputBudget(options, directory, read)
  const breeds = await readDistinctNames(directory.breeds, read)
  const few = await findBreedsWithCats(directory, options, read)
  const cats = await readDistinctNames(directory.cats, read).catch(unlessInconclusive<readonly string[]>([]))
  const own = options.strings.filter((text) => text !== '')
  const apart = new Set(alternatingBreedAlterations.flat())
  const itsTurn = new Set(selectForVersion(alternatingBreedAlterations, version, options))
  const near = applyAlterations(
    selectAlterations(
      options.alterations,
      'breeds',
      (name) => includes('nearBreed', name, version) && (!apart.has(name) || itsTurn.has(name)),
    ),
    { fewNames: few, listedNames: sortNames(breeds), cats: sortNames(selectConsideredNames(cats)) },
  )
  const { troubleStrings, omittedCount } = selectTroubleStrings('breed', options, includes, version)
  return {
    generated: arbitrarySegment(selectConsideredNames(breeds)),
    examples: [
      ...own.filter((name) => !breeds.includes(name)),
      ...near.filter((name) => canBeInPath(name) && !breeds.includes(name)),
      ...troubleStrings,
    ],
    omittedCount,
  }
}

/** Strings for the segment of a cat. */
export async function createCatNames(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version?: string,
): Promise<TestStrings> {
  const { includes } = await createInputBudget(options, directory, read)
  const { troubleStrings, omittedCount } = selectTroubleStrings('cat', options, includes, version)
  return {
    generated: arbitrarySegment(selectConsideredNames(await readDistinctNames(directory.cats, read))),
    examples: [...options.strings.filter((text) => text !== ''), ...troubleStrings],
    omittedCount,
  }
}

/** The strings of one version, or as many as the remaining requests allow. */
export async function selectStrings(
  kind: 'malformed' | 'queryString',
  all: readonly string[],
  target: InputOptions & { readonly directory: Directory },
  read: Read,
): Promise<InputSample<string>> {
  const { directory, effort } = target
  const { includes } = await createInputBudget(target, directory, read)
  const inputs =
    effort.strings === 'all' ? all : quickStringsOf(kind).filter((text) => includes(kind, text, directory.version))
  return { inputs, population: Math.max(all.length, inputs.length) }
}

/** Query strings with a plus sign for each space, if requests are left for them. */
export async function selectPlusEncodedQueries(
  target: InputOptions & { readonly directory: Directory },
  read: Read,
): Promise<readonly string[]> {
  const { directory, effort } = target
  const { includes } = await createInputBudget(target, directory, read)
  if (!includes('plussed', 'query', directory.version)) return []
  const some = await createPlusEncodedQueries(directory, read)
  if (effort.strings !== 'all') return some
  const plain = encodeSpacesAsPlus((await readDistinctNames(directory.breeds, read)).filter(hasOnlyPlainWords))
  return [...new Set([...some, ...plain.map((value) => `q=${value}`)])]
}

/** The names that are searched for in all checks: cats and breeds, each once. */
export async function selectSearchedNames(
  target: InputOptions & { readonly directory: Directory },
  read: Read,
): Promise<readonly string[]> {
  const lists = await Promise.all([
    selectSearchedNamesOf('cats', target, read),
    selectSearchedNamesOf('breeds', target, read),
  ])
  return [...new Set(lists.flatMap(({ inputs }) => inputs))]
}

/** The searched names of one list. */
export async function selectSearchedNamesOf(
  list: 'cats' | 'breeds',
  target: InputOptions & { readonly directory: Directory },
  read: Read,
): Promise<InputSample<string>> {
  const { directory } = target
  const names = selectSearchableNames(await readDistinctNames(directory[list], read))
  const { drawNames } = await createInputBudget(target, directory, read)
  return { inputs: drawNames(list, names), population: names.length }
}

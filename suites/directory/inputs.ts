import type fc from 'fast-check'
import { versions } from '../../fixtures/contract/operations.ts'
import type { Read } from '../engine/check/readers.ts'
import { resolveInconclusiveTo } from '../engine/inconclusive.ts'
import { memoiseByObject } from '../engine/memoise.ts'
import { drawSample } from '../engine/property/sample.ts'
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
  selectNamesForInputs,
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

/** The strings to test: generated ones, and ones that are always tested. */
export interface TestStrings {
  readonly generated: fc.Arbitrary<string>
  readonly examples: readonly string[]
  /** The number of strings that quick effort leaves out. */
  readonly omittedCount: number
}

/** The options that determine which strings are tested. */
export type InputOptions = Pick<
  Deployment,
  'effort' | 'alterations' | 'seed' | 'strings' | 'judgedDirectories' | 'countRequests'
>

/** The version in which strings are tested; undefined if both are compared. */
type TestedVersion = string | undefined

/** Memoised, because many checks use the list, and it may be long. */
const namesStartingWithLetter = memoiseByObject((names: readonly string[]): readonly string[] =>
  names.filter((name) => /^\p{L}{3,}/u.test(name)),
)

/** Creates queries that are similar to the names of a few cats, e.g. with a missing letter or in another case. */
export async function createSimilarQueries(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version: TestedVersion,
  maxCats = options.effort.catsForSimilarQueries,
): Promise<string[]> {
  const { alterations, seed } = options
  const { includes } = await createInputBudget(options, directory, read)
  const listed = sortNames(selectNamesForInputs(await readDistinctNames(directory.cats, read)))
  const few = drawSample(namesStartingWithLetter(listed), maxCats, seed, String)
  const alternating = new Set(alternatingQueryAlterations.flat())
  const ofThisVersion = new Set(selectForVersion(alternatingQueryAlterations, version, options))
  const isWanted = (name: keyof Alterations['queries']) =>
    includes('alteredQuery', name, version) && (!alternating.has(name) || ofThisVersion.has(name))
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
 * Selects the strings for one version from pairs of which each version is sent one. The seed decides which one,
 * whatever versions are tested, so that a replay sends the same strings.
 * @param version undefined if both versions are compared; then nothing is selected
 */
function selectForVersion<T>(
  pairs: readonly (readonly [T, T])[],
  version: TestedVersion,
  { effort, seed }: Pick<InputOptions, 'effort' | 'seed'>,
): readonly T[] {
  if (effort.pairsOfStrings === 'both') return pairs.flat()
  const nth = versions.findIndex((one) => one === version)
  const offset = Math.abs(seed + 1) % 2
  return nth < 0 ? [] : pairs.map(([first, second]) => ((nth + offset) % 2 === 0 ? first : second))
}

/** Strings that rarely expose a defect come in pairs: one version is sent the first, the next version the second. Returns
 * those for this version. */
const alternatingStrings = (
  kind: 'query' | 'breed' | 'cat',
  version: TestedVersion,
  options: Pick<InputOptions, 'effort' | 'seed'>,
): readonly string[] => {
  if (kind === 'query') return selectForVersion(alternatingQueries, version, options)
  return kind === 'breed' ? selectForVersion(alternatingSegments, version, options) : alternatingSegments.flat()
}

/** Selects all strings of a kind, or as many as the remaining requests allow, and counts the others. */
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
  const strings = quickStringsOf(kind).filter((text) => includes(kind, text, version))
  return { troubleStrings: strings, omittedCount: Math.max(0, all.length - strings.length) }
}

/**
 * Creates search queries: trouble strings, queries similar to listed names, and generated ones.
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

/**
 * Selects a few breeds with cats. If a service accepts an altered name of such a breed, the list that it returns shows
 * that.
 */
async function findBreedsWithCats(
  directory: Directory,
  { effort: { breedsReadForCats, breedsForSimilarNames }, seed }: InputOptions,
  read: Read,
): Promise<string[]> {
  const listed = sortNames(await readPathNames(directory.breeds, read))
  const breeds = drawSample(listed, breedsReadForCats, seed, String)
  const lists = await Promise.all(
    breeds.map(async (breed) => ({ breed, list: resultListOf(await read(directory.catsOf(breed))) })),
  )
  const withCats = lists.filter(({ list }) => list && list.names.length > 0).map(({ breed }) => breed)
  return putPlainNameFirst(withCats.length > 0 ? withCats : breeds, breedsForSimilarNames, seed)
}

/**
 * Puts a breed without punctuation first. In other names, the punctuation may act as pattern syntax, and hide that the
 * name is used as a pattern.
 */
function putPlainNameFirst(breeds: readonly string[], most: number, seed: number): string[] {
  const isPlain = (breed: string): boolean => /^[\p{L} ]+$/u.test(breed)
  const drawn = drawSample(breeds, most, seed, String)
  const plain = drawn.find(isPlain) ?? breeds.find(isPlain)
  return plain === undefined ? [...drawn] : [plain, ...drawn.filter((one) => one !== plain)].slice(0, most)
}

/**
 * Creates strings for the path segment of a breed: names similar to a listed one, trouble strings, and generated ones.
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
  const cats = await readDistinctNames(directory.cats, read).catch(resolveInconclusiveTo<readonly string[]>([]))
  const userStrings = options.strings.filter((text) => text !== '')
  const alternating = new Set(alternatingBreedAlterations.flat())
  const ofThisVersion = new Set(selectForVersion(alternatingBreedAlterations, version, options))
  const similarNames = applyAlterations(
    selectAlterations(
      options.alterations,
      'breeds',
      (name) => includes('alteredBreed', name, version) && (!alternating.has(name) || ofThisVersion.has(name)),
    ),
    { fewNames: few, listedNames: sortNames(breeds), cats: sortNames(selectNamesForInputs(cats)) },
  )
  const { troubleStrings, omittedCount } = selectTroubleStrings('breed', options, includes, version)
  return {
    generated: arbitrarySegment(selectNamesForInputs(breeds)),
    examples: [
      ...userStrings.filter((name) => !breeds.includes(name)),
      ...similarNames.filter((name) => canBeInPath(name) && !breeds.includes(name)),
      ...troubleStrings,
    ],
    omittedCount,
  }
}

export async function createCatNames(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version?: string,
): Promise<TestStrings> {
  const { includes } = await createInputBudget(options, directory, read)
  const { troubleStrings, omittedCount } = selectTroubleStrings('cat', options, includes, version)
  return {
    generated: arbitrarySegment(selectNamesForInputs(await readDistinctNames(directory.cats, read))),
    examples: [...options.strings.filter((text) => text !== ''), ...troubleStrings],
    omittedCount,
  }
}

/** Selects all strings of one version, or as many as the remaining requests allow. */
export async function selectTestStrings(
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

/** Selects query strings with a plus sign for each space, if requests are left for them. */
export async function selectPlusEncodedQueries(
  target: InputOptions & { readonly directory: Directory },
  read: Read,
): Promise<readonly string[]> {
  const { directory, effort } = target
  const { includes } = await createInputBudget(target, directory, read)
  if (!includes('plusForSpace', 'query', directory.version)) return []
  const some = await createPlusEncodedQueries(directory, read)
  if (effort.strings !== 'all') return some
  const plain = encodeSpacesAsPlus((await readDistinctNames(directory.breeds, read)).filter(hasOnlyPlainWords))
  return [...new Set([...some, ...plain.map((value) => `q=${value}`)])]
}

/** Selects the names that all checks search for: cats and breeds, each once. */
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

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
  applyAlterations,
  breedAlterationPairsForV2AndV3,
  type NamesToAlter,
} from './inputs/alterations.ts'
import { arbitraryQuery, arbitrarySegment } from './inputs/arbitraries.ts'
import { createInputSelector, type InputSelector } from './inputs/input-selector.ts'
import {
  createPlusEncodedQueries,
  encodeSpacesAsPlus,
  hasSeveralPlainWords,
  type InputSample,
  readBreedsIfReadable,
  readSearchableNames,
  selectNamesForInputs,
  selectSearchableNames,
} from './inputs/listed-names.ts'
import { createDistinguishingQueries } from './inputs/operator-queries.ts'
import { selectQuickStrings } from './inputs/quick-inputs.ts'
import {
  queryPairsForV2AndV3,
  queryTroubleStrings,
  segmentPairsForV2AndV3,
  segmentTroubleStrings,
} from './inputs/trouble-strings.ts'
import { readDistinctNames, readNamesIfReadable, requireListOrEmpty, sortNames } from './readings/names.ts'
import { canBeInPath } from './shared/encodings.ts'

export interface TestStrings {
  readonly generated: fc.Arbitrary<string>
  readonly examples: readonly string[]
  /** The number of strings that `--effort quick` leaves out. */
  readonly omittedCount: number
}

export type InputOptions = Pick<
  Deployment,
  'effort' | 'alterations' | 'seed' | 'strings' | 'judgedDirectories' | 'countRequests'
>

/** The version that the strings are sent to, e.g. `v2`; undefined if a check compares both versions. */
type TestedVersion = string | undefined

/** Returns the names that start with three letters, or all names if none does. */
const preferNamesStartingWithLetters = memoiseByObject((names: readonly string[]): readonly string[] => {
  const some = names.filter((name) => /^\p{L}{3,}/u.test(name))
  return some.length > 0 ? some : selectSearchableNames(names)
})

/** Creates queries that are similar to the names of a few cats, e.g. without one letter or in another case. */
async function createSimilarQueries(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version: TestedVersion,
  maxCats = options.effort.catsForSimilarQueries,
): Promise<string[]> {
  const { alterations, seed } = options
  const { includes } = await createInputSelector(options, directory, read)
  const listed = sortNames(selectNamesForInputs(await readDistinctNames(directory.cats, read)))
  const few = drawSample(preferNamesStartingWithLetters(listed), maxCats, seed, String)
  const isWanted = (name: keyof Alterations['queries']) => includes('alteredQuery', name, version)
  const breeds = sortNames(await readNamesIfReadable(directory.breeds, read))
  const pair = isWanted('wordOfNameAndBreed') ? await findCatAndBreed(directory, options, read) : undefined
  return applyAlterations(alterations.queries, isWanted, {
    fewNames: few,
    listedNames: listed,
    breeds,
    ...(pair && { pair }),
  })
}

/** Finds a cat and its breed whose names start with different plain words, i.e. words of ASCII letters. */
async function findCatAndBreed(directory: Directory, options: InputOptions, read: Read): Promise<NamesToAlter['pair']> {
  const isPlain = (name: string): boolean => /^[A-Za-z]{3,}( |$)/.test(name)
  for (const breed of (await findBreedsWithCats(directory, options, read)).filter(isPlain)) {
    const [first = ''] = breed.split(' ')
    const cats = sortNames(requireListOrEmpty(await read(directory.catsOf(breed)))?.names ?? [])
    const cat = cats.find((name) => isPlain(name) && !name.includes(first))
    if (cat !== undefined) return { cat, breed }
  }
  return undefined
}

/**
 * Returns, of each pair, the string that is sent to this version; with `--effort thorough` both. Only the seed decides,
 * so that a replay of a single version sends the same strings.
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

/** Selects all trouble strings (strings that often cause failures, e.g. quotes), or as many as the budget allows. */
function selectTroubleStrings(
  kind: 'query' | 'breed' | 'cat',
  options: InputOptions,
  includes: InputSelector['includes'],
  version: TestedVersion,
): { readonly troubleStrings: readonly string[]; readonly omittedCount: number } {
  const pairs = kind === 'query' ? queryPairsForV2AndV3 : segmentPairsForV2AndV3
  const all = [
    ...(kind === 'query' ? queryTroubleStrings : segmentTroubleStrings),
    // Only one version has names of cats in its paths, so it is sent both strings of each pair.
    ...(kind === 'cat' ? pairs.flat() : selectForVersion(pairs, version, options)),
  ]
  if (options.effort.strings === 'all') return { troubleStrings: all, omittedCount: 0 }
  const strings = selectQuickStrings(kind).filter((text) => includes(kind, text, version))
  return { troubleStrings: strings, omittedCount: Math.max(0, all.length - strings.length) }
}

/** Creates search queries. Without a version, they are sent to both. */
export async function createTestQueries(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version?: string,
): Promise<TestStrings> {
  const { includes } = await createInputSelector(options, directory, read)
  const { troubleStrings, omittedCount } = selectTroubleStrings('query', options, includes, version)
  const cats = selectNamesForInputs(await readDistinctNames(directory.cats, read))
  return {
    generated: arbitraryQuery(await readSearchableNames(directory, read)),
    examples: [
      ...options.strings,
      ...(await createSimilarQueries(directory, options, read, version)),
      ...troubleStrings,
      // The observers of the matching rule send these queries anyway, so that judging them takes no further requests.
      ...(options.effort.openPoints === 'all' ? createDistinguishingQueries(cats) : []),
    ],
    omittedCount,
  }
}

/** Selects breeds that have cats. If a service treats an altered name as the breed, these cats appear. */
export async function findBreedsWithCats(
  directory: Directory,
  { effort: { breedsReadForCats, breedsForSimilarNames }, seed }: InputOptions,
  read: Read,
): Promise<string[]> {
  const listed = sortNames(await readBreedsIfReadable(directory, read))
  const breeds = drawSample(listed, breedsReadForCats, seed, String)
  const lists = await Promise.all(
    breeds.map(async (breed) => ({ breed, list: requireListOrEmpty(await read(directory.catsOf(breed))) })),
  )
  const withCats = lists.filter(({ list }) => list && list.names.length > 0).map(({ breed }) => breed)
  return putPlainNameFirst(withCats.length > 0 ? withCats : breeds, breedsForSimilarNames, seed)
}

/** Puts a breed with only letters first: punctuation may hide that a service uses the name as a pattern. */
function putPlainNameFirst(breeds: readonly string[], most: number, seed: number): string[] {
  const isPlain = (breed: string): boolean => /^[\p{L} ]+$/u.test(breed)
  const drawn = drawSample(breeds, most, seed, String)
  const plain = drawn.find(isPlain) ?? breeds.find(isPlain)
  return plain === undefined ? [...drawn] : [plain, ...drawn.filter((one) => one !== plain)].slice(0, most)
}

/** Creates strings for the path segment of a breed. Without a version, they are sent to both. */
export async function createTestBreedNames(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version?: string,
): Promise<TestStrings> {
  const { includes } = await createInputSelector(options, directory, read)
  const breeds = await readDistinctNames(directory.breeds, read)
  const few = await findBreedsWithCats(directory, options, read)
  const cats = await readDistinctNames(directory.cats, read).catch(resolveInconclusiveTo<readonly string[]>([]))
  const userStrings = options.strings.filter((text) => text !== '')
  const alternating = new Set(breedAlterationPairsForV2AndV3.flat())
  const selectedForVersion = new Set(selectForVersion(breedAlterationPairsForV2AndV3, version, options))
  const similarNames = applyAlterations(
    options.alterations.breeds,
    (name) => includes('alteredBreed', name, version) && (!alternating.has(name) || selectedForVersion.has(name)),
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

export async function createTestCatNames(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version?: string,
): Promise<TestStrings> {
  const { includes } = await createInputSelector(options, directory, read)
  const { troubleStrings, omittedCount } = selectTroubleStrings('cat', options, includes, version)
  return {
    generated: arbitrarySegment(selectNamesForInputs(await readDistinctNames(directory.cats, read))),
    examples: [...options.strings.filter((text) => text !== ''), ...troubleStrings],
    omittedCount,
  }
}

/** Selects strings of a kind for one version: all of them, or as many as the budget of requests allows. */
export async function selectTestStrings(
  kind: 'malformed' | 'queryString',
  all: readonly string[],
  target: InputOptions & { readonly directory: Directory },
  read: Read,
): Promise<InputSample<string>> {
  const { directory, effort } = target
  const { includes } = await createInputSelector(target, directory, read)
  const inputs =
    effort.strings === 'all' ? all : selectQuickStrings(kind).filter((text) => includes(kind, text, directory.version))
  return { inputs, population: Math.max(all.length, inputs.length) }
}

/** Creates query strings in which each space of a listed name is a plus sign; none if the budget is used up. */
export async function selectPlusEncodedQueries(
  target: InputOptions & { readonly directory: Directory },
  read: Read,
): Promise<readonly string[]> {
  const { directory, effort } = target
  const { includes } = await createInputSelector(target, directory, read)
  if (!includes('plusForSpace', 'query', directory.version)) return []
  const some = await createPlusEncodedQueries(directory, read)
  if (effort.strings !== 'all') return some
  const plain = encodeSpacesAsPlus((await readNamesIfReadable(directory.breeds, read)).filter(hasSeveralPlainWords))
  return [...new Set([...some, ...plain.map((value) => `q=${value}`)])]
}

/** Selects the names of cats and breeds that are searched for, each once. All checks search for the same names. */
export async function selectSearchedNames(
  target: InputOptions & { readonly directory: Directory },
  read: Read,
): Promise<readonly string[]> {
  const lists = await Promise.all(
    (['cats', 'breeds'] as const).map((list) => selectSearchedNamesOfList(list, target, read)),
  )
  return [...new Set(lists.flatMap(({ inputs }) => inputs))]
}

export async function selectSearchedNamesOfList(
  list: 'cats' | 'breeds',
  target: InputOptions & { readonly directory: Directory },
  read: Read,
): Promise<InputSample<string>> {
  const { directory } = target
  const readNames = list === 'breeds' ? readNamesIfReadable : readDistinctNames
  const names = selectSearchableNames(await readNames(directory[list], read))
  const { drawNames } = await createInputSelector(target, directory, read)
  return { inputs: drawNames(list, names), population: names.length }
}

import type { VersionPairTarget } from '../../directory/deployment.ts'
import { createInputSelector } from '../../directory/inputs/input-selector.ts'
import {
  createPlusEncodedQueries,
  encodeSpacesAsPlus,
  type InputSample,
  readNamesForPaths,
  selectSearchableNames,
} from '../../directory/inputs/listed-names.ts'
import { areEqualLists } from '../../directory/readings/name-index.ts'
import { readDistinctNames, readNamesIfReadable } from '../../directory/readings/names.ts'
import { canBeInPath } from '../../directory/shared/encodings.ts'
import type { Read } from '../../engine/check/readers.ts'
import { EMPTY_QUERY_STRINGS, type ListSelector } from './parity-assertions.ts'

/** Returns the names that a list of either version contains. */
async function readNamesOfBothVersions(
  selectList: ListSelector,
  { older, newer }: VersionPairTarget,
  read: Read,
  readNames = readDistinctNames,
): Promise<readonly string[]> {
  const [one, another] = await Promise.all([readNames(selectList(older), read), readNames(selectList(newer), read)])
  return areEqualLists(one, another) ? one : [...new Set([...one, ...another])]
}

/** Selects the breeds whose lists are compared. */
export async function selectBreedsOfBothVersions(target: VersionPairTarget, read: Read): Promise<InputSample<string>> {
  const breeds = (await readNamesOfBothVersions((directory) => directory.breeds, target, read)).filter(canBeInPath)
  return { inputs: target.newer.sampleBreeds(breeds), population: breeds.length }
}

/** Selects the names of cats and breeds to search for in both versions. */
export async function selectNamesSearchedInBoth(target: VersionPairTarget, read: Read): Promise<InputSample<string>> {
  const { drawNames } = await createInputSelector(target, target.newer, read)
  const [cats = [], breeds = []] = (
    await Promise.all([
      readNamesOfBothVersions((directory) => directory.cats, target, read),
      readNamesOfBothVersions((directory) => directory.breeds, target, read, readNamesIfReadable),
    ])
  ).map(selectSearchableNames)
  return {
    inputs: [...drawNames('cats', cats), ...drawNames('breeds', breeds)],
    population: cats.length + breeds.length,
  }
}

/**
 * Selects the query string without `q` and that with an empty `q`. Selects none if the budget of requests does not
 * allow them, or if a required check failed for the empty query.
 */
export async function selectEmptyQueryStrings(target: VersionPairTarget, read: Read): Promise<InputSample<string>> {
  const { includes } = await createInputSelector(target, target.newer, read)
  return {
    inputs: EMPTY_QUERY_STRINGS.filter(
      (queryString) => includes('queryString', queryString) && !target.skippedInputs().has(''),
    ),
    population: EMPTY_QUERY_STRINGS.length,
  }
}

/** Selects all inputs with a plus sign for each space, or none if the budget of requests does not allow them. */
async function selectIfAffordable(
  kind: 'breed' | 'query',
  inputs: readonly string[],
  target: VersionPairTarget,
  read: Read,
): Promise<InputSample<string>> {
  const { includes } = await createInputSelector(target, target.newer, read)
  return { inputs: includes('plusForSpace', kind) ? inputs : [], population: inputs.length }
}

/** Selects the path segments of breed names in which each space is sent as a plus sign. */
export const selectPlusEncodedBreeds = async (target: VersionPairTarget, read: Read): Promise<InputSample<string>> =>
  selectIfAffordable('breed', encodeSpacesAsPlus(await readNamesForPaths(target.newer.breeds, read)), target, read)

/** Selects the query strings with an empty `q`, without `q`, and with a plus sign for each space of `q`. */
export async function selectQueryStrings(target: VersionPairTarget, read: Read): Promise<InputSample<string>> {
  const plusEncoded = await selectIfAffordable(
    'query',
    await createPlusEncodedQueries(target.newer, read),
    target,
    read,
  )
  const empty = await selectEmptyQueryStrings(target, read)
  return {
    inputs: [...empty.inputs, ...plusEncoded.inputs],
    population: empty.population + plusEncoded.population,
  }
}

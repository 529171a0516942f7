import type { VersionPairTarget, VersionTarget } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { createInputSelector } from '../../../directory/inputs/input-selector.ts'
import { createTestQueries, type InputOptions, type TestStrings } from '../../../directory/inputs.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { createSpecialQueries } from './special-characters.ts'

/**
 * Creates the tested queries, and queries with special characters, e.g. `%`.
 * @param version the version to search; undefined for the queries that both versions are sent
 */
async function createQueriesWithSpecials(
  directory: Directory,
  options: InputOptions,
  read: Read,
  version?: string,
): Promise<TestStrings> {
  const [{ examples, ...others }, special] = await Promise.all([
    createTestQueries(directory, options, read, version),
    createSpecialQueries(directory, options, read, version),
  ])
  return { ...others, examples: [...new Set([...examples, ...special.inputs.map(({ query }) => query)])] }
}

/** Creates the queries that one version is sent: generated ones, those with special characters, and an empty one. */
export async function createSearchStrings(target: VersionTarget, read: Read): Promise<TestStrings> {
  const { directory } = target
  const [strings, { includes }] = await Promise.all([
    createQueriesWithSpecials(directory, target, read, directory.version),
    createInputSelector(target, directory, read),
  ])
  const empty = includes('queryString', 'q=', directory.version) ? [''] : []
  return { ...strings, examples: [...new Set([...strings.examples, ...empty])] }
}

/**
 * Creates the queries that both versions are sent. Queries with special characters are among them, because one version
 * may interpret such a character while the other ignores it.
 */
export const createSearchStringsForBothVersions = (target: VersionPairTarget, read: Read): Promise<TestStrings> =>
  createQueriesWithSpecials(target.newer, target, read)

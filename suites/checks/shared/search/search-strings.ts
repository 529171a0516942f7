import type { VersionPairTarget, VersionTarget } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { createInputBudget } from '../../../directory/inputs/input-budget.ts'
import { createQueries, type InputOptions, type TestStrings } from '../../../directory/inputs.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { createSpecialQueries } from './special-characters.ts'

/** Queries with special characters, or without any, are tested like other queries. */
async function addSpecialCharacters(
  directory: Directory,
  tried: InputOptions,
  read: Read,
  version?: string,
): Promise<TestStrings> {
  const [{ examples, ...others }, special] = await Promise.all([
    createQueries(directory, tried, read, version),
    createSpecialQueries(directory, tried, read, version),
  ])
  return { ...others, examples: [...new Set([...examples, ...special.inputs.map(({ query }) => query)])] }
}

export async function createSearchStrings(target: VersionTarget, read: Read): Promise<TestStrings> {
  const { directory } = target
  const [strings, { includes }] = await Promise.all([
    addSpecialCharacters(directory, target, read, directory.version),
    createInputBudget(target, directory, read),
  ])
  const empty = includes('queryString', 'q=', directory.version) ? [''] : []
  return { ...strings, examples: [...new Set([...strings.examples, ...empty])] }
}

/** Queries for both versions, with the special characters: these distinguish services that interpret or ignore them. */
export const createSearchStringsForBoth = (target: VersionPairTarget, read: Read): Promise<TestStrings> =>
  addSpecialCharacters(target.newer, target, read)

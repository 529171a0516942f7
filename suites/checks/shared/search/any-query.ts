import type { OneVersion, TwoVersions } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { allotment } from '../../../directory/inputs/input-budget.ts'
import { anyQuery, type Strings, type Tried } from '../../../directory/inputs.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { specialQueriesIn } from './special-characters.ts'

/** Queries with special characters, or without any, are tested like other queries. */
async function withSpecials(directory: Directory, tried: Tried, read: Read, version?: string): Promise<Strings> {
  const [{ examples, ...others }, special] = await Promise.all([
    anyQuery(directory, tried, read, version),
    specialQueriesIn(directory, tried, read, version),
  ])
  return { ...others, examples: [...new Set([...examples, ...special.inputs.map(({ query }) => query)])] }
}

export async function anyString(target: OneVersion, read: Read): Promise<Strings> {
  const { directory } = target
  const [strings, { takes }] = await Promise.all([
    withSpecials(directory, target, read, directory.version),
    allotment(target, directory, read),
  ])
  const empty = takes('queryString', 'q=', directory.version) ? [''] : []
  return { ...strings, examples: [...new Set([...strings.examples, ...empty])] }
}

/** Queries for both versions, with the special characters: these distinguish services that interpret or ignore them. */
export const anyStringOfBoth = (target: TwoVersions, read: Read): Promise<Strings> =>
  withSpecials(target.newer, target, read)

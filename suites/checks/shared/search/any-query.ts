import type { OneVersion, TwoVersions } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { allotment } from '../../../directory/inputs/input-budget.ts'
import { anyQuery, type Strings, type Tried } from '../../../directory/inputs.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { specialQueriesIn } from './special-characters.ts'

/** What is asked for the sake of special characters, or without any, is a query like any other. */
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

/** What both versions are asked: the special characters too, for they tell apart who reads them, or forgives them. */
export const anyStringOfBoth = (target: TwoVersions, read: Read): Promise<Strings> =>
  withSpecials(target.newer, target, read)

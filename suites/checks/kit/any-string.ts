import type { Read } from '../../engine/judging/readers.ts'
import type { OneVersion, TwoVersions } from '../../vocabulary/deployment.ts'
import { allotment } from '../../vocabulary/inputs/allotment.ts'
import { anyQuery, type Strings } from '../../vocabulary/inputs/inputs.ts'
import { specialQueries, specialQueriesIn } from './special-characters.ts'

/** What is asked for the sake of special characters, or without any, is a query like any other. */
export async function anyString(target: OneVersion, read: Read): Promise<Strings> {
  const { directory } = target
  const [{ examples, ...others }, special, { takes }] = await Promise.all([
    anyQuery(directory, target, read, directory.version),
    specialQueries(target, read),
    allotment(target, directory, read),
  ])
  const empty = takes('queryString', 'q=', directory.version) ? [''] : []
  return { ...others, examples: [...new Set([...examples, ...special.inputs.map(({ query }) => query), ...empty])] }
}

/** What both versions are asked: the special characters too, for they tell apart who reads them, or forgives them. */
export async function anyStringOfBoth(target: TwoVersions, read: Read): Promise<Strings> {
  const { newer } = target
  const [{ examples, ...others }, special] = await Promise.all([
    anyQuery(newer, target, read),
    specialQueriesIn(newer, target, read),
  ])
  return { ...others, examples: [...new Set([...examples, ...special.inputs.map(({ query }) => query)])] }
}

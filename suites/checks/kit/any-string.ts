import type { Read } from '../../engine/judging/readers.ts'
import type { OneVersion } from '../../vocabulary/deployment.ts'
import { allotment } from '../../vocabulary/inputs/allotment.ts'
import { anyQuery, type Strings } from '../../vocabulary/inputs/inputs.ts'
import { specialQueries } from './special-characters.ts'

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

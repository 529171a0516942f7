import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import type { OneVersion } from '../../../directory/deployment.ts'
import type { Directory, List } from '../../../directory/facts/directory.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import { namesIn } from '../../../directory/readings/names.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Read, Subject } from '../../../engine/check/readers.ts'

type Context = CheckContext<OneVersion>

/** The requests of each round: for something that exists, and for something new each time. */
export type Asks = readonly ((directory: Directory, round: number, read: Read) => Promise<Subject<unknown>>)[]

/** The expectation and the defect of a side effect on lists. */
export const claimOf = (operation: OperationId, { version }: Directory) => ({
  expected: `requests of ${operation} (${version}) do not change the lists`,
  actual: `requests of ${operation} (${version}) change the lists: they change more often with the requests than without`,
  manner: 'lists change with the requests',
})

/** Above the rounds of an experiment, so that these requests are new. */
const LATER_ROUND = 50
const MOST_SHOWN = 4

const MOST_LISTS = 40

/** The content of each list, by key, read one after the other without other requests. */
async function membersOf(lists: readonly List[], read: Read): Promise<ReadonlyMap<string, string>> {
  const members = new Map<string, string>()
  for (const list of lists)
    members.set(
      list.key,
      namesIn(await read(list))
        .toSorted()
        .join('\n'),
    )
  return members
}

/** The list that changes, before and after the requests. */
export async function showListsChange(asks: Asks, { target: { directory }, read, fresh }: Context) {
  const [before, after] = [fresh(), fresh()]
  const subjects = await Promise.all(asks.map((ask) => ask(directory, LATER_ROUND, read)))
  const breeds = (await pathNames(directory.breeds, read)).slice(0, MOST_LISTS)
  const lists = [directory.breeds, directory.cats, ...breeds.map((breed) => directory.catsOf(breed))]
  const earlier = await membersOf(lists, before.read)
  for (const subject of subjects) await before.read(subject)
  const later = await membersOf(lists, after.read)
  const changed = lists.find(({ key }) => earlier.get(key) !== later.get(key)) ?? directory.cats
  return [
    ...before.evidence(changed),
    ...subjects.filter(({ key }) => key !== changed.key).flatMap(before.evidence),
    ...after.evidence(changed),
  ].slice(0, MOST_SHOWN)
}

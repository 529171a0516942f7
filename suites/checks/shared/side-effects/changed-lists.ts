import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { readBreedsIfReadable, selectNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { namesOfReading, readNamesIfReadable } from '../../../directory/readings/names.ts'
import type { Read, Resource } from '../../../engine/check/readers.ts'
import type { VersionContext } from '../check.ts'

/**
 * Functions that each create a request for one round of an experiment, e.g. for a listed name or for a new control
 * name.
 */
export type RoundRequestCreators = readonly ((
  directory: Directory,
  round: number,
  read: Read,
) => Promise<Resource<unknown>>)[]

/** A phrase for the requests of each operation. */
export const OPERATION_PHRASES: Readonly<Record<OperationId, string>> = {
  listCats: 'reading the list of cats',
  listBreeds: 'reading the list of breeds',
  listCatsOfBreed: "reading a breed's cats",
  searchCats: 'searching',
  getLivesLeft: 'reading lives',
}

/** Returns the texts of a finding that says: requests of this operation change lists. */
export const describeListSideEffect = (operation: OperationId, { version }: Directory) => ({
  expected: `${OPERATION_PHRASES[operation]} (${version}) changes no list`,
  actual: `${OPERATION_PHRASES[operation]} (${version}) changes lists: the lists change more often when these requests are sent than in pauses without them`,
  defectKind: 'lists change with the requests',
})

/**
 * The round number of the requests that are sent after the experiments. It is higher than the rounds of the
 * experiments, because control names are numbered by round and must be new.
 */
const FIRST_LATER_ROUND = 50
const MAX_SHOWN_EXCHANGES = 5

const MAX_LISTS = 40

/** Reads lists one after the other, without other requests in between. Returns the names of each list, by its key. */
async function readContents(lists: readonly ListResource[], read: Read): Promise<ReadonlyMap<string, string>> {
  const members = new Map<string, string>()
  for (const list of lists)
    members.set(
      list.key,
      namesOfReading(await read(list))
        .toSorted()
        .join('\n'),
    )
  return members
}

/**
 * Reads all lists before and after the requests that are suspected of changing lists. Returns exchanges for the
 * finding: those of a list that changed, and those of the requests.
 */
export async function findExchangesOfChangedList(
  creators: RoundRequestCreators,
  { target: { directory }, read, createFreshReader }: VersionContext,
) {
  const [before, after] = [createFreshReader(), createFreshReader()]
  const resources = await Promise.all(creators.map((create) => create(directory, FIRST_LATER_ROUND, read)))
  const breeds = (await readBreedsIfReadable(directory, read)).slice(0, MAX_LISTS)
  const lists = [directory.breeds, directory.cats, ...breeds.map((breed) => directory.catsOf(breed))]
  const earlier = await readContents(lists, before.read)
  for (const resource of resources) await before.read(resource)
  const later = await readContents(lists, after.read)
  const changed = lists.find(({ key }) => earlier.get(key) !== later.get(key)) ?? directory.cats
  return [
    ...before.exchangesFor(changed),
    ...resources.filter(({ key }) => key !== changed.key).flatMap(before.exchangesFor),
    ...after.exchangesFor(changed),
  ].slice(0, MAX_SHOWN_EXCHANGES)
}

/**
 * The number of the first control name that replaces a missing listed name. Other control names are numbered by round,
 * so this number is higher than any round.
 */
const FIRST_ROUND_WITH_LISTED_NAMES = 1000

/** Creates the requests of each round: one for a name from each of the lists, and one for a new unlisted name. */
export const createListedAndUnlistedNameRequests = (
  listsOfNames: readonly ((directory: Directory) => ListResource)[],
  resource: (directory: Directory) => (name: string) => Resource<unknown>,
): RoundRequestCreators => [
  ...listsOfNames.map((listOf) => async (directory: Directory, round: number, read: Read) => {
    const names = selectNamesForPaths(await readNamesIfReadable(listOf(directory), read))
    return resource(directory)(
      names[round % Math.max(1, names.length)] ?? directory.controlName(FIRST_ROUND_WITH_LISTED_NAMES + round),
    )
  }),
  async (directory, round) => resource(directory)(directory.controlName(round + 1)),
]

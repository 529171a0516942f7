import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { selectNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { readNamesIfReadable } from '../../../directory/readings/names.ts'
import type { Read, Reader, Resource } from '../../../engine/check/readers.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import type { ExperimentClock } from '../../../engine/side-effects/other-requests.ts'
import type { VersionContext } from '../check.ts'

/** Creates the clock of an experiment. Its pauses are cut short when the run ends. */
export const experimentClockOf = ({ clock, pause }: VersionContext): ExperimentClock => ({
  now: clock.now,
  sleep: pause,
})

/**
 * The number of times that the requests are sent in each interval of the first, second and third experiment. One is not
 * enough, because perhaps only every third or tenth request changes something. More requests in the first experiment
 * would use up the lives of a cat, or a short list, too soon.
 */
export const REQUESTS_PER_INTERVAL = [1, 4, 12]

/** The same numbers for the experiments at the start of the run, before anything else has read the lives. */
export const REQUESTS_PER_INTERVAL_AT_START = REQUESTS_PER_INTERVAL.slice(0, 2)

/**
 * Functions that each create a request for one round of an experiment, e.g. for a listed name or for a new control
 * name.
 */
export type RoundRequestCreators = readonly ((
  directory: Directory,
  round: number,
  read: Read,
) => Promise<Resource<unknown>>)[]

/**
 * The number of the first control name that replaces a listed name, if nothing is listed. Other control names are
 * numbered by round, so this number is higher than any round.
 */
const FIRST_REPLACEMENT_NAME = 1000

/**
 * Creates the requests of each round: one for a name from each of the lists, and one for a new unlisted name.
 * @param createResource creates the request for a name
 */
export const createListedAndUnlistedNameRequests = (
  listsOfNames: readonly ((directory: Directory) => ListResource)[],
  createResource: (directory: Directory) => (name: string) => Resource<unknown>,
): RoundRequestCreators => [
  ...listsOfNames.map((listOf) => async (directory: Directory, round: number, read: Read) => {
    const names = selectNamesForPaths(await readNamesIfReadable(listOf(directory), read))
    return createResource(directory)(
      names[round % Math.max(1, names.length)] ?? directory.controlName(FIRST_REPLACEMENT_NAME + round),
    )
  }),
  async (directory, round) => createResource(directory)(directory.controlName(round + 1)),
]

/**
 * Combines all resources into one, so that each round sends all requests: then every interval shows a side effect,
 * whichever request has it. Returns no resource if there is none.
 */
export const combineResources = (resources: readonly Resource<unknown>[]): readonly Resource<unknown>[] =>
  resources.length === 0
    ? []
    : [
        {
          key: resources.map(({ key }) => key).join(' '),
          readWith: (send) => Promise.all(resources.map((one) => one.readWith(send))),
        },
      ]

/** Requests resources one after the other, each with a new reader. Returns the exchanges. */
export async function readInTurn(
  resources: readonly Resource<unknown>[],
  createReader: () => Reader | Promise<Reader>,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  for (const resource of resources) {
    const reader = await createReader()
    await reader.read(resource)
    exchanges.push(...reader.exchangesFor(resource))
  }
  return exchanges
}

/**
 * Sends the request of each resource again, one after the other, past caches if possible.
 * @returns the number of requests sent
 */
export const resendRequests = async (
  resources: readonly Resource<unknown>[],
  { target: { changeMonitor } }: VersionContext,
): Promise<number> => (await readInTurn(resources, changeMonitor.createFreshReader)).length

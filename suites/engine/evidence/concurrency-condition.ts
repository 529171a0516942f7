import type { Resource } from '../check/readers.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { resolveInconclusiveTo } from '../inconclusive.ts'
import {
  type ComparedResource,
  type ComparisonContext,
  type Condition,
  type ReadingsUnderCondition,
  type ResponseContent,
  readComparedResource,
} from './compare-conditions.ts'

/** The number of requests to send at once: twice the usual concurrency, because some of them will not overlap. */
const CONCURRENT_REQUESTS = 32
/**
 * The maximum number of times that these requests are sent in the first round and in later rounds. If requests disturb
 * each other only for a short time, all responses of one time may be correct.
 */
const MAX_TIMES_AT_ONCE = { inFirstRound: 2, later: 8 }

/** Other resources to request at the same time as the tested one. */
interface ConcurrentResources {
  readonly sameOperation: readonly Resource<unknown>[]
  readonly otherOperations: readonly Resource<unknown>[]
}

/**
 * Selects the resources for some concurrent requests. Resources of the same operation and of other operations take
 * turns, and one of the same operation is the last: perhaps all requests get the response to the last one.
 */
function selectConcurrentResources({ sameOperation, otherOperations }: ConcurrentResources, count: number) {
  const lists = [otherOperations, sameOperation].filter((list) => list.length > 0)
  return Array.from({ length: count }, (_, nth) => {
    const list = lists[nth % lists.length] ?? []
    return list[Math.floor(nth / lists.length) % list.length]
  })
}

/** Sends requests for the resource and for others at the same time, in turn. */
async function readAtOnce<T>(
  compared: ComparedResource<T>,
  others: ConcurrentResources,
  context: ComparisonContext,
): Promise<ReadingsUnderCondition> {
  const own: Promise<ResponseContent>[] = []
  const otherRequests: Promise<readonly Exchange[]>[] = []
  for (const other of selectConcurrentResources(others, CONCURRENT_REQUESTS / 2)) {
    own.push(readComparedResource(compared, context))
    if (!other) continue
    const reader = context.createFreshReader()
    otherRequests.push(
      reader
        .read(other)
        .catch(resolveInconclusiveTo(undefined))
        .then(() => reader.exchangesFor(other)),
    )
  }
  // Both are awaited together, because the run may end, and then all of them reject.
  const [contents, [first = []]] = await Promise.all([Promise.all(own), Promise.all(otherRequests)])
  return { own: contents, inFlight: first.slice(0, 1) }
}

/**
 * Creates the condition that many requests are in flight together. It reveals a service in which concurrent requests
 * share data by mistake.
 */
export const createConcurrencyCondition = <T>(others: ConcurrentResources): Condition<T> => ({
  circumstance: 'under concurrent requests',
  async read(compared, context, alone, round) {
    const most = round === 0 ? MAX_TIMES_AT_ONCE.inFirstRound : MAX_TIMES_AT_ONCE.later
    const isAsAlone = ({ content }: ResponseContent) => content === undefined || content === alone
    let readings = await readAtOnce(compared, others, context)
    for (let time = 1; time < most && readings.own.every(isAsAlone); time++)
      readings = await readAtOnce(compared, others, context)
    return readings
  },
})

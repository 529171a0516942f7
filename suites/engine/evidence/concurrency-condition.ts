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
 * The maximum number of times that all these requests are sent, in the first round and in each later one. They are sent
 * several times because requests may disturb each other only at certain moments.
 */
const MAX_BURSTS = { inFirstRound: 2, inLaterRounds: 8 }

/** Other resources to request at the same time as the tested one. */
interface ConcurrentResources {
  readonly sameOperation: readonly Resource<unknown>[]
  readonly otherOperations: readonly Resource<unknown>[]
}

/**
 * Selects `count` resources to request concurrently. Resources of other operations and of the same operation take turns.
 * The last one is of the same operation, because a defective service may respond to all requests as to the last one.
 */
function selectConcurrentResources({ sameOperation, otherOperations }: ConcurrentResources, count: number) {
  const lists = [otherOperations, sameOperation].filter((list) => list.length > 0)
  return Array.from({ length: count }, (_, nth) => {
    const list = lists[nth % lists.length] ?? []
    return list[Math.floor(nth / lists.length) % list.length]
  })
}

/** Sends many requests at the same time: alternately for the resource and for another one. */
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
    const maxBursts = round === 0 ? MAX_BURSTS.inFirstRound : MAX_BURSTS.inLaterRounds
    const isAsAlone = ({ content }: ResponseContent) => content === undefined || content === alone
    let readings = await readAtOnce(compared, others, context)
    for (let burst = 1; burst < maxBursts && readings.own.every(isAsAlone); burst++)
      readings = await readAtOnce(compared, others, context)
    return readings
  },
})

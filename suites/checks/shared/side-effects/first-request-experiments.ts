import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import { countDifferences, type DirectoryState, isDifferentAt } from '../../../directory/changes/directory-state.ts'
import type { Reader, Resource } from '../../../engine/check/readers.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import {
  type ChangeCause,
  FEW_ACTIVE_INTERVALS,
  findCauseByOtherRequests,
} from '../../../engine/side-effects/other-requests.ts'
import type { VersionContext } from '../check.ts'
import { experimentClockOf, REQUESTS_PER_INTERVAL_AT_START, readInTurn } from './experiment-requests.ts'

/** A request that is suspected of changing lists or lives. */
export interface SuspectedRequest {
  readonly operation: OperationId
  readonly version: string
  /** Returns the resource to request in a round of an experiment. */
  readonly resourceInRound: (round: number) => Resource<unknown>
}

/** Lists or lives that changed during the first requests of a run. */
interface ChangedData {
  /** Reads the changed lists or lives. The keys of the state are those of the resources. */
  readonly readState: (reader: Reader) => Promise<DirectoryState>
  /** A request that does not change the data, for intervals without suspected requests. */
  readonly harmless: Resource<unknown>
  /** True if the data can change in one direction only, e.g. because counts only fall. */
  readonly isOneWay: boolean
}

/** A request that changes data, and the exchanges that show it: a reading, the request, and a second reading. */
export interface ChangingRequest {
  readonly request: SuspectedRequest
  readonly exchanges: readonly Exchange[]
}

/** Reads the data again after each series of requests, and keeps the exchanges around the latest change. */
class ChangeEvidence {
  private last: { readonly state: DirectoryState; readonly reader: Reader } | undefined
  private sent: readonly Exchange[] = []
  private readonly data: ChangedData
  private readonly context: VersionContext
  exchanges: readonly Exchange[] = []

  constructor(data: ChangedData, context: VersionContext) {
    this.data = data
    this.context = context
  }

  /** Reads the data with a new reader. */
  async observe(): Promise<DirectoryState> {
    const reader = this.context.createFreshReader()
    const state = await this.data.readState(reader)
    const { last, sent } = this
    if (last && sent.length > 0) {
      const key = [...state.keys()].find((one) => isDifferentAt(one, last.state, state))
      if (key !== undefined)
        this.exchanges = [...last.reader.exchangesFor({ key }), ...sent, ...reader.exchangesFor({ key })]
    }
    this.last = { state, reader }
    this.sent = []
    return state
  }

  /** Sends requests, and returns their number. */
  async send(resources: readonly Resource<unknown>[]): Promise<number> {
    this.sent = await readInTurn(resources, this.context.createFreshReader)
    return this.sent.length
  }
}

/**
 * Finds out whether a request changes the data.
 * @param timesPerInterval the number of times that the request is sent in each interval
 */
async function testRequest(
  data: ChangedData,
  { resourceInRound }: SuspectedRequest,
  timesPerInterval: number,
  context: VersionContext,
): Promise<{ readonly cause: ChangeCause; readonly exchanges: readonly Exchange[] }> {
  const evidence = new ChangeEvidence(data, context)
  const cause = await findCauseByOtherRequests(
    {
      observe: () => evidence.observe(),
      sendSuspectedRequests: (round) =>
        evidence.send(
          Array.from({ length: timesPerInterval }, (_, nth) =>
            resourceInRound(data.isOneWay ? 0 : round * timesPerInterval + nth),
          ),
        ),
      sendControlRequests: (requests) => evidence.send(Array.from({ length: requests }, () => data.harmless)),
      distance: countDifferences,
      intervals: FEW_ACTIVE_INTERVALS,
      isOneWay: data.isOneWay,
    },
    context.seed,
    experimentClockOf(context),
  )
  return { cause, exchanges: evidence.exchanges }
}

/**
 * Finds the request that changes the data. Tests one request after the other. Each interval contains few requests,
 * because a count of lives can fall only a few times.
 * @returns undefined if no request was shown to be the cause, e.g. because the data changes without requests, too
 */
export async function findRequestThatChanges(
  data: ChangedData,
  requests: readonly SuspectedRequest[],
  context: VersionContext,
): Promise<ChangingRequest | undefined> {
  for (const timesPerInterval of REQUESTS_PER_INTERVAL_AT_START)
    for (const request of requests) {
      const { cause, exchanges } = await testRequest(data, request, timesPerInterval, context)
      if (cause === 'requests') return { request, exchanges }
      if (cause === 'unclear') return undefined
    }
  return undefined
}

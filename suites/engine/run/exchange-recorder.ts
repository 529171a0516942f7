import type { DriftDetection } from '../check/drift.ts'
import type { ObservedChange, RunResult } from '../check/verdict.ts'
import type { Clock } from '../clock.ts'
import { type Exchange, type ExchangeSummary, summariseExchange } from '../http/client/exchange.ts'
import type { Session } from '../http/session.ts'

const MAX_EXCHANGES = 20_000
const MAX_CHANGES = 200
/**
 * The number of exchanges that are kept from the start of the run: enough for at least one request of every operation.
 */
const MAX_EXCHANGES_FROM_START = 100

/** Records exchanges, and changes of the deployment's data, for the reports. */
interface RunRecorder {
  onExchange(exchange: Exchange): void
  /** Wraps the function that detects changes, to record the detected ones. */
  withChangeLog(detectDrift: DriftDetection): DriftDetection
  /** Adds all recorded exchanges and changes to the result of the run. */
  addTo(result: RunResult, session: Session): RunResult
}

/**
 * Creates a recorder for one run.
 * @param which the exchanges to record: all, or only those that the result cites
 */
export function createRunRecorder(which: 'cited' | 'all', clock: Pick<Clock, 'wallTime'>): RunRecorder {
  const kept = new Map<number, ExchangeSummary>()
  const opening: ExchangeSummary[] = []
  const changes: ObservedChange[] = []
  const keep = (exchange: Exchange): void => {
    if (kept.size < MAX_EXCHANGES) kept.set(exchange.id, summariseExchange(exchange))
  }
  return {
    onExchange: (exchange) => {
      if (opening.length < MAX_EXCHANGES_FROM_START) opening.push(summariseExchange(exchange))
      if (which === 'all') keep(exchange)
    },
    withChangeLog: (detectDrift) => async (since, isProvisional) => {
      const seen = await detectDrift(since, isProvisional)
      const { change } = seen
      if (
        change !== undefined &&
        changes.length < MAX_CHANGES &&
        !changes.some(({ description }) => description === change)
      )
        changes.push({ at: Math.round(clock.wallTime()), description: change })
      return seen
    },
    addTo: (result, { traffic: { sent } }) => ({
      ...result,
      exchanges: new Map([...kept, ...result.exchanges]),
      opening,
      traffic: { sent, changes },
    }),
  }
}

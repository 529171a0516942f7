import type { DriftDetection } from '../check/drift.ts'
import type { ObservedChange, RunResult } from '../check/verdict.ts'
import type { Clock } from '../clock.ts'
import { type Exchange, type ExchangeSummary, summariseExchange } from '../http/client/exchange.ts'
import type { Session } from '../http/session.ts'

const MAX_EXCHANGES = 20_000
const MAX_CHANGES = 200
/** The number of exchanges kept from the start of the run: enough for at least one request of every operation. */
const MAX_EXCHANGES_FROM_START = 100

/**
 * Creates functions that record exchanges, and changes of the deployment's data, for the reports.
 * @param which the exchanges to record: all, or only those that the result cites
 */
export function createExchangeRecorder(which: 'cited' | 'all', clock: Pick<Clock, 'wallTime'>) {
  const kept = new Map<number, ExchangeSummary>()
  const opening: ExchangeSummary[] = []
  const changes: ObservedChange[] = []
  return {
    onExchange(exchange: Exchange): void {
      if (opening.length < MAX_EXCHANGES_FROM_START) opening.push(summariseExchange(exchange))
      if (which === 'all' && kept.size < MAX_EXCHANGES) kept.set(exchange.id, summariseExchange(exchange))
    },
    /** Wraps the function that detects changes, to record the detected ones. */
    withChangeLog:
      (detectDrift: DriftDetection): DriftDetection =>
      async (since, isRevisable) => {
        const report = await detectDrift(since, isRevisable)
        const { change } = report
        const isNew = change !== undefined && !changes.some(({ description }) => description === change)
        if (isNew && changes.length < MAX_CHANGES)
          changes.push({ at: Math.round(clock.wallTime()), description: change })
        return report
      },
    /** Returns all recorded exchanges and changes for the result of the run. */
    recorded: (
      cited: RunResult['exchanges'],
      { traffic: { sent } }: Session,
    ): Pick<RunResult, 'exchanges' | 'opening' | 'traffic'> => ({
      exchanges: new Map([...kept, ...cited]),
      opening,
      traffic: { sent, changes },
    }),
  }
}

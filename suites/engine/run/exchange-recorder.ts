import type { LookForMotion } from '../check/drift.ts'
import type { Movement, RunResult } from '../check/verdict.ts'
import type { Clock } from '../clock.ts'
import { type Exchange, type ExchangeSummary, summarise } from '../http/client/exchange.ts'
import type { Session } from '../http/session.ts'

const MOST_EXCHANGES = 20_000
const MOST_MOVEMENTS = 200
/** Every operation is requested within the first hundred exchanges. */
const MOST_OF_OPENING = 100

/** Records what a run keeps beside its verdicts. */
export interface Recorder {
  onExchange(exchange: Exchange): void
  /** Wraps the detection of changes, and records the changes it finds. */
  noting(look: LookForMotion): LookForMotion
  /** Adds everything recorded to the result. */
  addTo(result: RunResult, session: Session): RunResult
}

/** @param which the exchanges to keep: all, or only those that are cited */
export function createRecorder(which: 'cited' | 'all', clock: Pick<Clock, 'wallTime'>): Recorder {
  const kept = new Map<number, ExchangeSummary>()
  const opening: ExchangeSummary[] = []
  const motion: Movement[] = []
  const keep = (exchange: Exchange): void => {
    if (kept.size < MOST_EXCHANGES) kept.set(exchange.id, summarise(exchange))
  }
  return {
    onExchange: (exchange) => {
      if (opening.length < MOST_OF_OPENING) opening.push(summarise(exchange))
      if (which === 'all') keep(exchange)
    },
    noting: (look) => async (since) => {
      const seen = await look(since)
      const { moved } = seen
      if (moved !== undefined && motion.length < MOST_MOVEMENTS && !motion.some(({ what }) => what === moved))
        motion.push({ at: Math.round(clock.wallTime()), what: moved })
      return seen
    },
    addTo: (result, { traffic: { sent } }) => ({
      ...result,
      exchanges: new Map([...kept, ...result.exchanges]),
      opening,
      traffic: { sent, motion },
    }),
  }
}

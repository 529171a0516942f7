import { mutants } from '../../fixtures/mutants/index.ts'
import { judge } from '../judge.ts'
import { type EffortName, effortNames } from '../vocabulary/effort.ts'
import { held, type Row } from './bench-row.ts'

/* What is caught for what it costs: the share of the mutants that some check fails within so many requests. */

const BUDGETS = [50, 100, 150, 300, 600, 1000]
/** Every so-many-th mutant stands for all. */
const ONE_OF = 8
const some = mutants.filter((_, index) => index % ONE_OF === 0)

/** @returns how many requests were sent when the first check had failed: one judgement tells it for every budget */
async function caughtAfter(start: (typeof some)[number]['start'], effort: EffortName): Promise<number> {
  const running = await start()
  let first = Number.POSITIVE_INFINITY
  try {
    const { verdicts, requests } = await judge({
      baseUrl: running.baseUrl,
      timeoutMs: 2000,
      effort,
      onVerdict: (_done, _total, sent, { isFailure }) => {
        if (isFailure) first = Math.min(first, sent)
      },
    })
    // What is decided when all is asked was told to nobody before.
    return verdicts.some(({ status }) => status === 'fail') ? Math.min(first, requests) : Number.POSITIVE_INFINITY
  } finally {
    await running.close()
  }
}

export async function powers(): Promise<Row[]> {
  const rows: Row[] = []
  for (const effort of effortNames) {
    const began = performance.now()
    const caught: number[] = []
    for (const { start } of some) caught.push(await caughtAfter(start, effort))
    const seconds = (performance.now() - began) / 1000
    for (const requests of BUDGETS) {
      const ratio = caught.filter((after) => after <= requests).length / some.length
      const isPromised = effort === 'quick' && requests === 150
      rows.push({
        part: 'power',
        what: `${effort}, within ${requests} requests`,
        requests,
        seconds,
        peakMb: 0,
        ratio,
        beside: 'the mutants',
        ...(isPromised && held('≥ 0.9 caught in 150 requests', ratio >= 0.9)),
      })
    }
  }
  return rows
}

import { type Mutant, mutants } from '../../../fixtures/mutants/index.ts'
import { type EffortName, effortNames } from '../../directory/shared/effort.ts'
import { judge } from '../../judge/judge.ts'
import { forEachConcurrently } from '../support/concurrently.ts'
import { type BenchRow, describeTarget } from './bench-row.ts'

/**
 * Budgets in requests. For each, the benchmark measures the share of mutants that are caught within so many requests.
 */

const BUDGETS = [50, 100, 150, 300, 600, 1000]
/** One mutant in eight is judged, to save time. With `--effort quick`, all mutants are judged. */
const MUTANTS_PER_JUDGED_ONE = 8
const AT_ONCE = 4
const selectMutants = (effort: EffortName) =>
  mutants.filter((_, index) => effort === 'quick' || index % MUTANTS_PER_JUDGED_ONE === 0)

/**
 * Judges a mutant once.
 * @returns how many requests were sent before the first check failed
 */
async function countRequestsUntilCaught(mutant: Mutant, effort: EffortName): Promise<number> {
  const running = await mutant.start()
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
    // A failure that was reported only at the end counts as found by the last request.
    return verdicts.some(({ status }) => status === 'fail') ? Math.min(first, requests) : Number.POSITIVE_INFINITY
  } finally {
    await running.close()
  }
}

export async function measureCaughtMutants(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const effort of effortNames) {
    const began = performance.now()
    const caught: number[] = []
    await forEachConcurrently(selectMutants(effort), AT_ONCE, async (mutant) => {
      caught.push(await countRequestsUntilCaught(mutant, effort))
    })
    const seconds = (performance.now() - began) / 1000
    for (const requests of BUDGETS) {
      const ratio = caught.filter((after) => after <= requests).length / caught.length
      const what = `${effort}, within ${requests} requests`
      const limit = effort === 'standard' && requests === 300 ? describeTarget('≥ 0.95 caught', ratio >= 0.95) : {}
      rows.push({ part: 'power', what, requests, seconds, peakMb: 0, ratio, beside: 'the mutants', ...limit })
    }
    rows.push(createWholeRunRow(effort, caught, seconds))
  }
  return rows
}

/** Returns the row for complete runs, including the rechecks at their end. */
function createWholeRunRow(effort: EffortName, caught: readonly number[], seconds: number): BenchRow {
  const finite = caught.filter(Number.isFinite)
  const ratio = finite.length / caught.length
  const requests = Math.max(0, ...finite)
  const row = { part: 'power', what: `${effort}, to the end`, requests, seconds, peakMb: 0, ratio } as const
  return { ...row, beside: 'the mutants', ...(effort === 'quick' && describeTarget('≥ 0.9 caught', ratio >= 0.9)) }
}

import { type Mutant, mutants } from '../../../fixtures/mutants/index.ts'
import { type EffortName, effortNames } from '../../directory/shared/effort.ts'
import { judge } from '../../judge/judge.ts'
import { concurrently } from '../support/concurrently.ts'
import { held, type Row } from './bench-row.ts'

/* What is caught for what it costs: the share of the mutants that some check fails within so many requests. */

const BUDGETS = [50, 100, 150, 300, 600, 1000]
/** Every so-many-th mutant stands for all; what is promised of all, with little effort, is told of all. */
const ONE_OF = 8
const AT_ONCE = 4
const triedWith = (effort: EffortName) => mutants.filter((_, index) => effort === 'quick' || index % ONE_OF === 0)

/** @returns how many requests were sent when the first check had failed: one judgement tells it for every budget */
async function caughtAfter(mutant: Mutant, effort: EffortName): Promise<number> {
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
    await concurrently(triedWith(effort), AT_ONCE, async (mutant) => {
      caught.push(await caughtAfter(mutant, effort))
    })
    const seconds = (performance.now() - began) / 1000
    for (const requests of BUDGETS) {
      const ratio = caught.filter((after) => after <= requests).length / caught.length
      const what = `${effort}, within ${requests} requests`
      rows.push({ part: 'power', what, requests, seconds, peakMb: 0, ratio, beside: 'the mutants' })
    }
    rows.push(wholeRuns(effort, caught, seconds))
  }
  return rows
}

/** What is caught in all: of what looks broken some is asked again, beyond what a run asks of a sound deployment. */
function wholeRuns(effort: EffortName, caught: readonly number[], seconds: number): Row {
  const finite = caught.filter(Number.isFinite)
  const ratio = finite.length / caught.length
  const requests = Math.max(0, ...finite)
  const row = { part: 'power', what: `${effort}, to the end`, requests, seconds, peakMb: 0, ratio } as const
  return { ...row, beside: 'the mutants', ...(effort === 'quick' && held('≥ 0.9 caught', ratio >= 0.9)) }
}

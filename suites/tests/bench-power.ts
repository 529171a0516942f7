import { mutants } from '../../fixtures/mutants/index.ts'
import { type JudgeOptions, judge } from '../judge.ts'
import { effortNames } from '../vocabulary/effort.ts'
import { held, type Row } from './bench-row.ts'

/* What is caught for what it costs: the share of the mutants that some check fails within so many requests. */

const BUDGETS = [50, 100, 150, 300, 600, 1000]
/** Every so-many-th mutant stands for all. */
const ONE_OF = 8
const some = mutants.filter((_, index) => index % ONE_OF === 0)

async function isCaught(start: (typeof some)[number]['start'], asked: Omit<JudgeOptions, 'baseUrl'>): Promise<boolean> {
  const running = await start()
  try {
    const { verdicts } = await judge({ baseUrl: running.baseUrl, timeoutMs: 2000, ...asked })
    return verdicts.some(({ status }) => status === 'fail')
  } finally {
    await running.close()
  }
}

export async function powers(): Promise<Row[]> {
  const rows: Row[] = []
  for (const effort of effortNames) {
    for (const maxRequests of BUDGETS) {
      const began = performance.now()
      let caught = 0
      for (const { start } of some) if (await isCaught(start, { effort, maxRequests })) caught++
      const ratio = caught / some.length
      const promise =
        effort === 'quick' && maxRequests === 150 ? held('≥ 0.9 caught in 150 requests', ratio >= 0.9) : {}
      const seconds = (performance.now() - began) / 1000
      const what = `${effort}, within ${maxRequests} requests`
      rows.push({
        part: 'power',
        what,
        requests: maxRequests,
        seconds,
        peakMb: 0,
        ratio,
        beside: 'the mutants',
        ...promise,
      })
    }
  }
  return rows
}

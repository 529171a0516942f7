import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { SimulationRow as Simulated } from '../deployments/simulate.ts'
import { type BenchRow, describeTarget } from './bench-row.ts'

const simulate = fileURLToPath(new URL('../deployments/simulate.ts', import.meta.url))

/** Judges each time-dependent deployment once, in simulated time. */
async function simulated(effort: string): Promise<{ rows: readonly Simulated[]; seconds: number }> {
  const args = ['--max-semi-space-size=64', '--import', 'tsx', simulate, '--all', '--json', '--effort', effort]
  const began = performance.now()
  const { stdout } = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = (await text(stdout)).trim().split('\n')
  const rows = lines.map((line) => JSON.parse(line) as Simulated) // the form in which simulate.ts writes it
  return { rows, seconds: (performance.now() - began) / 1000 }
}

async function rowOf(effort: string, leastPerMinute: number): Promise<BenchRow> {
  const { rows, seconds } = await simulated(effort)
  const sum = (of: (row: Simulated) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const perMinute = Math.round((60 * sum(({ runs }) => runs)) / seconds)
  return {
    part: 'simulation',
    what: `${effort}, every deployment in time`,
    requests: sum(({ requests }) => requests),
    seconds,
    peakMb: 0,
    ratio: seconds / sum(({ simulatedSeconds }) => simulatedSeconds),
    beside: 'simulated time',
    ...describeTarget(`≥ ${leastPerMinute} judgements per minute (${perMinute})`, perMinute >= leastPerMinute),
  }
}

/** Measures how many time-dependent deployments are judged per minute. */
export const measureSimulations = async (): Promise<BenchRow[]> => [
  await rowOf('quick', 500),
  await rowOf('standard', 100),
]

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from '../../../reports/report/report.ts'
import { formatCount } from '../../../reports/text/wording.ts'
import { type EffortName, effortNames } from '../../directory/shared/effort.ts'
import { measureCaughtMutants } from './bench-power.ts'
import { measureBareReading, measureBareRequests } from './bench-raw.ts'
import { type BenchRow, describeTarget, formatRow } from './bench-row.ts'
import { measureSimulations } from './bench-simulation.ts'

/**
 * Compares the duration of the command with that of a bare client that sends as many requests. `npm run bench` runs all
 * parts, `npm run bench -- sizes` only one. Results are ratios, which are comparable between machines.
 */

const command = fileURLToPath(new URL('../../start.mjs', import.meta.url))
const directory = fileURLToPath(new URL('./bench-directory.ts', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'bench-'))

interface Ran {
  readonly code: number | null
  readonly seconds: number
  readonly peakMb: number
  readonly requests: number
}

/** Reads the peak memory of a process in megabytes; 0 where the system does not report it (other than Linux). */
function readPeakMemory({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

async function run(...options: readonly string[]): Promise<Ran> {
  const began = performance.now()
  const child = spawn(process.execPath, [command, '--report-dir', scratch, ...options], { stdio: 'ignore' })
  let peakMb = 0
  const watch = setInterval(() => void (peakMb = Math.max(peakMb, readPeakMemory(child))), 20)
  await once(child, 'close')
  clearInterval(watch)
  const seconds = (performance.now() - began) / 1000
  return { code: child.exitCode, seconds, peakMb, requests: requestsOfLastReport() }
}

function requestsOfLastReport(): number {
  try {
    return (JSON.parse(readFileSync(join(scratch, 'report.json'), 'utf8')) as Report).requests // a report of this suite
  } catch {
    return 0 // no report was written
  } finally {
    rmSync(join(scratch, 'report.json'), { force: true })
  }
}

interface ServedWork<T> {
  readonly done: T
  readonly answeredMb: number
}

/** Serves a directory of this size until the work has ended. */
async function withDirectory<T>(
  { cats = 50, breeds = 15, latencyMs = 0 },
  work: (baseUrl: string) => Promise<T>,
): Promise<ServedWork<T>> {
  const args = ['--import', 'tsx', directory, String(cats), String(breeds), String(latencyMs)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = async (): Promise<string> => String((await once(child.stdout, 'data'))[0]).trim()
  try {
    const done = await work(await line())
    child.kill()
    return { done, answeredMb: Number(await line()) / 1e6 }
  } finally {
    child.kill()
  }
}

/** Runs the main job five times and takes the median, because other processes disturb single runs. */
async function measureMedianRun(): Promise<Ran> {
  const all: Ran[] = []
  for (let nth = 0; nth < 5; nth++) all.push(await run())
  const [median] = all.toSorted((one, other) => one.seconds - other.seconds).slice(2)
  if (!median) throw new Error('no main job was run')
  return { ...median, requests: Math.max(...all.map(({ requests }) => requests)) }
}

async function starts(): Promise<BenchRow[]> {
  const version = await run('--version')
  const row = (what: string, ran: Ran, limit: Pick<BenchRow, 'limit' | 'isMet'>): BenchRow => {
    return { part: 'start', what, ...ran, ratio: ran.seconds / version.seconds, beside: '--version', ...limit }
  }
  const [help, refused] = [await run('--help'), await run('--base-url', 'http://127.0.0.1:1')] as const
  const main = await measureMedianRun()
  return [
    row('--help', help, describeTarget('≤ 0.3 s', help.seconds <= 0.3)),
    row('unreachable host', refused, describeTarget('≤ 10 s', refused.seconds <= 10)),
    row('main job, seconds', main, describeTarget('≤ 1.0 s', main.seconds <= 1)),
    row('main job, requests', main, describeTarget('≤ 1,000 requests', main.requests <= 1000)),
  ]
}

async function efforts(): Promise<BenchRow[]> {
  const [quick, standard] = [await run('--effort', 'quick'), await run()] as const
  const limit = describeTarget('≤ 150 requests', quick.requests <= 150)
  const besideBare = async (what: EffortName, ran: Ran): Promise<BenchRow> => {
    const { done: raw } = await withDirectory({}, (baseUrl) => measureBareRequests(baseUrl, ran.requests, 16))
    return { part: 'effort', what, ...ran, ratio: ran.seconds / raw, beside: 'a bare client' }
  }
  const rows: BenchRow[] = [{ ...(await besideBare('quick', quick)), ...limit }, await besideBare('standard', standard)]
  for (const size of [SIZES[0], SIZES[3]])
    for (const effort of effortNames) rows.push(await measureCost(size, effort, quick))
  return rows
}

/** Measures how many requests and bytes a run costs the deployment. */
async function measureCost(size: Size, effort: EffortName, quick: Ran): Promise<BenchRow> {
  const { done, answeredMb } = await withDirectory(size, (baseUrl) =>
    run('--base-url', baseUrl, '--timeout', '60000', '--effort', effort),
  )
  const what = `${effort}, ${textOfSize(size)}`
  return { part: 'effort', what, ...done, answeredMb, ratio: done.seconds / quick.seconds, beside: 'quick' }
}

async function latencies(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  // A run against an unreachable deployment loads all modules, but waits for no response.
  const start = (await run('--base-url', 'http://127.0.0.1:1')).seconds
  for (const latencyMs of [50, 150]) {
    for (const concurrency of [4, 16, 64]) {
      const { done: ran } = await withDirectory({ latencyMs }, (baseUrl) =>
        run('--base-url', baseUrl, '--concurrency', String(concurrency)),
      )
      const ratio = ran.seconds / (start + ((ran.requests / concurrency) * latencyMs) / 1000)
      const limit = latencyMs === 50 && concurrency === 16 ? describeTarget('≤ 1.5', ratio <= 1.5) : {}
      const what = `${latencyMs} ms per response, ${concurrency} at once`
      rows.push({ part: 'latency', what, ...ran, ratio, beside: 'start + responses', ...limit })
    }
  }
  return rows
}

interface Size {
  readonly cats: number
  readonly breeds: number
}

const SIZES = [
  { cats: 50, breeds: 15 },
  { cats: 5_000, breeds: 50 },
  { cats: 100_000, breeds: 50 },
  { cats: 1_000_000, breeds: 50 },
  { cats: 40_000, breeds: 20_000 },
] as const satisfies readonly Size[]

const textOfSize = ({ cats, breeds }: Size): string => `${formatCount(cats, 'cat')}, ${formatCount(breeds, 'breed')}`

async function sizes(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const size of SIZES) rows.push(await measureSize(size))
  return rows
}

/**
 * Compares a run with a bare client that reads the same lists. The client reads them before and after the run, because
 * the speed of a machine varies.
 */
async function measureSize(size: Size): Promise<BenchRow> {
  const { done, answeredMb } = await withDirectory(size, async (baseUrl) => {
    const before = await measureBareReading(baseUrl)
    const ran = await run('--base-url', baseUrl, '--timeout', '60000')
    return { raw: (before + (await measureBareReading(baseUrl))) / 2, ran }
  })
  const { raw, ran } = done
  const ratio = ran.seconds / raw
  const found = `${ratio.toFixed(1)} × raw, ${ran.peakMb.toFixed(0)} MB, exit ${ran.code}`
  const isMet = ran.code === 0 && ratio <= 2 && ran.peakMb <= 1024
  const limit = size.cats >= 1e6 ? describeTarget(`≤ 2 × raw, ≤ 1 GB (${found})`, isMet) : {}
  const inAMinute =
    size.breeds >= 20_000
      ? describeTarget(`≤ 60 s (${ran.seconds.toFixed(0)} s, exit ${ran.code})`, ran.code === 0 && ran.seconds <= 60)
      : {}
  const row = { part: 'sizes', what: textOfSize(size), ...ran, answeredMb, ratio, beside: 'both lists read raw' }
  return { ...row, ...limit, ...inAMinute }
}

const parts: Readonly<Record<string, () => Promise<BenchRow[]>>> = {
  start: starts,
  effort: efforts,
  latency: latencies,
  sizes,
  power: measureCaughtMutants,
  simulation: measureSimulations,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`unknown part: ${unknown.join(', ')}; expected one of ${Object.keys(parts).join(', ')}`)
const rows: BenchRow[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const row of await measure()) {
    rows.push(row)
    console.log(formatRow(row))
  }
}
mkdirSync('reports/power', { recursive: true })
writeFileSync('reports/power/bench.json', `${JSON.stringify(rows, null, 2)}\n`)
rmSync(scratch, { recursive: true, force: true })
const limits = rows.filter(({ limit }) => limit !== undefined)
console.log('')
for (const { what, limit, isMet } of limits) console.log(`${isMet ? 'met   ' : 'MISSED'}  ${what}: ${limit}`)
const missed = limits.filter(({ isMet }) => !isMet)
console.log(
  missed.length === 0
    ? `All ${limits.length} numbers are met.`
    : `${missed.length} of ${limits.length} numbers ${missed.length === 1 ? 'is' : 'are'} missed.`,
)
process.exitCode = missed.length === 0 ? 0 : 1

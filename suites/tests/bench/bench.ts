import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from '../../../reports/report/report.ts'
import { formatCount } from '../../../reports/text/wording.ts'
import { type EffortName, effortNames } from '../../directory/shared/effort.ts'
import { measureCaughtMutants } from './bench-power.ts'
import { measureBareReading } from './bench-raw.ts'
import { type BenchRow, describeTarget, formatRow } from './bench-row.ts'
import { measureSimulations } from './bench-simulation.ts'
import { measureProcess, type ProcessCost } from './measured-process.ts'

/**
 * Compares the cost of the command with that of a bare client that sends as many requests. `npm run bench` runs all
 * parts, `npm run bench -- sizes` only one. Results are ratios, which are comparable between machines.
 */

const command = fileURLToPath(new URL('../../start.mjs', import.meta.url))
const bareClient = fileURLToPath(new URL('./bare-client.mjs', import.meta.url))
const directory = fileURLToPath(new URL('./bench-directory.ts', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'bench-'))

interface Ran extends ProcessCost {
  readonly requests: number
}

const run = async (...options: readonly string[]): Promise<Ran> => {
  const measured = await measureProcess(command, '--report-dir', scratch, ...options)
  return { ...measured, requests: requestsOfLastReport() }
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

interface ServedDirectory {
  readonly cats?: number
  readonly breeds?: number
  readonly latencyMs?: number
  /** True if v3 wraps its lists in objects, and v2 does not. */
  readonly isWrappedInV3?: boolean
}

/** Serves a directory of this size until the work has ended. */
async function withDirectory<T>(
  { cats = 50, breeds = 15, latencyMs = 0, isWrappedInV3 = false }: ServedDirectory,
  work: (baseUrl: string) => Promise<T>,
): Promise<ServedWork<T>> {
  const args = ['--import', 'tsx', directory, ...[cats, breeds, latencyMs, Number(isWrappedInV3)].map(String)]
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

const runBareClient = (baseUrl: string, target: string, requests: number): Promise<ProcessCost> =>
  measureProcess(bareClient, baseUrl, target, String(requests), '16')

/** The number of times that two programs are run in turn. The least CPU time of each counts, which others disturb least. */
const TURNS = 5

const leastCpuOf = (all: readonly ProcessCost[]): number => Math.min(...all.map(({ cpuSeconds }) => cpuSeconds))

async function starts(): Promise<BenchRow[]> {
  const [helps, empties]: [Ran[], ProcessCost[]] = [[], []]
  for (let turn = 0; turn < TURNS; turn++) {
    helps.push(await run('--help'))
    empties.push(await measureProcess('-e', '0'))
  }
  const ratio = leastCpuOf(helps) / leastCpuOf(empties)
  const [help = await run('--help')] = helps
  const refused = await run('--base-url', 'http://127.0.0.1:1')
  return [
    {
      ...{ part: 'start', what: '--help, CPU', ...help, ratio, beside: 'node -e 0' },
      ...describeTarget(`≤ 1.3 × node -e 0 (${ratio.toFixed(2)})`, ratio <= 1.3),
    },
    {
      ...{ part: 'start', what: 'unreachable host', ...refused, ratio: refused.seconds / 10, beside: '10 s' },
      ...describeTarget('≤ 10 s', refused.seconds <= 10),
    },
    ...(await measureMainJob()),
  ]
}

/** Compares the CPU time of the main job with that of a bare client that sends as many requests, both with their start. */
async function measureMainJob(): Promise<BenchRow[]> {
  const { done } = await withDirectory({}, async (baseUrl) => {
    const [jobs, bare]: [Ran[], ProcessCost[]] = [[], []]
    for (let turn = 0; turn < TURNS; turn++) {
      const job = await run('--base-url', baseUrl)
      jobs.push(job)
      bare.push(await runBareClient(baseUrl, '/v3/cats', job.requests))
    }
    return { jobs, ratio: leastCpuOf(jobs) / leastCpuOf(bare) }
  })
  const { jobs, ratio } = done
  const requests = Math.max(...jobs.map((one) => one.requests))
  const [job = await run()] = jobs
  const row = { ...job, part: 'start', requests, ratio, beside: 'CPU of a bare client' }
  return [
    { ...row, what: 'main job, CPU', ...describeTarget(`≤ 1.8 × bare client (${ratio.toFixed(2)})`, ratio <= 1.8) },
    { ...row, what: 'main job, requests', ...describeTarget(`≤ 1,000 requests (${requests})`, requests <= 1000) },
  ]
}

async function efforts(): Promise<BenchRow[]> {
  const [quick, standard] = [await run('--effort', 'quick'), await run()] as const
  const limit = describeTarget('≤ 150 requests', quick.requests <= 150)
  const besideQuick = (what: EffortName, ran: Ran): BenchRow => {
    return { part: 'effort', what, ...ran, ratio: ran.seconds / quick.seconds, beside: 'quick' }
  }
  const rows: BenchRow[] = [{ ...besideQuick('quick', quick), ...limit }, besideQuick('standard', standard)]
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
      const limit =
        latencyMs === 50 && concurrency === 16 ? describeTarget(`≤ 1.4 (${ratio.toFixed(2)})`, ratio <= 1.4) : {}
      const what = `${latencyMs} ms per response, ${concurrency} at once`
      rows.push({ part: 'latency', what, ...ran, ratio, beside: 'start + responses', ...limit })
    }
  }
  return rows
}

interface Size {
  readonly cats: number
  readonly breeds: number
  readonly isWrappedInV3?: boolean
}

const SIZES = [
  { cats: 50, breeds: 15 },
  { cats: 1_000, breeds: 50 },
  { cats: 100_000, breeds: 50 },
  { cats: 1_000_000, breeds: 50 },
  { cats: 1_000_000, breeds: 50, isWrappedInV3: true },
  { cats: 40_000, breeds: 20_000 },
] as const satisfies readonly Size[]

const textOfSize = ({ cats, breeds, isWrappedInV3 }: Size): string =>
  `${formatCount(cats, 'cat')}, ${formatCount(breeds, 'breed')}${isWrappedInV3 ? ', two shapes' : ''}`

async function sizes(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const size of SIZES) rows.push(await measureSize(size))
  const [few = Number.NaN, many = Number.NaN] = [rows[1]?.requests, rows[3]?.requests]
  const [, , , million] = rows
  const growth = many / few
  const limit = describeTarget(`≤ 2 × the requests for 1,000 cats (${growth.toFixed(2)})`, growth <= 2)
  return million ? [...rows, { ...million, what: 'requests for 1,000,000 cats', ratio: growth, ...limit }] : rows
}

/**
 * Compares a run with a bare client that reads the same lists; with many breeds, with one that sends as many requests.
 * The client runs before and after the run, because the speed of a machine varies.
 */
async function measureSize(size: Size): Promise<BenchRow> {
  const hasManyBreeds = size.breeds >= 20_000
  const { done, answeredMb } = await withDirectory(size, async (baseUrl) => {
    const before = await measureBareReading(baseUrl)
    const ran = await run('--base-url', baseUrl, '--timeout', '60000')
    if (hasManyBreeds)
      return { raw: (await runBareClient(baseUrl, '/v3/breeds/Breed%200/cats', ran.requests)).seconds, ran }
    return { raw: (before + (await measureBareReading(baseUrl))) / 2, ran }
  })
  const { raw, ran } = done
  const ratio = ran.seconds / raw
  const [shown, end] = [ratio.toFixed(1), `exit ${ran.code}`]
  const inMemory = describeTarget(
    `≤ 2 × raw, ≤ 1 GB (${shown}, ${ran.peakMb.toFixed(0)} MB, ${end})`,
    ran.code === 0 && ratio <= 2 && ran.peakMb <= 1024,
  )
  const withRequests = describeTarget(`≤ 12 × as many bare requests (${shown}, ${end})`, ran.code === 0 && ratio <= 12)
  const row = { part: 'sizes', what: textOfSize(size), ...ran, answeredMb, ratio }
  if (hasManyBreeds) return { ...row, beside: 'as many bare requests', ...withRequests }
  return { ...row, beside: 'both lists read raw', ...(size.cats >= 1e6 && inMemory) }
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

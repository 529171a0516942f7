import { spawn, spawnSync } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { cats } from '../fixtures/directory/cats.ts'
import { deployment } from '../fixtures/variants/deploy.ts'
import type { Report } from '../reports/report.ts'
import { exchange } from './engine/exchange.ts'

/** How long a run takes where every answer takes 50 ms, against what the answers alone must take. */
const LATENCY_MS = 50
const CONCURRENCY = 16
const ALLOWED = 1.5

const command = fileURLToPath(new URL('./start.mjs', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'bench-'))

const breeds = [...new Set(cats.map(({ breed }) => breed))]
const running = await deployment('bench', 'fifty cats, each answer late', {
  directory: { cats, breeds },
  wire: { latency: LATENCY_MS },
}).start()

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function judgeByCommand(): Promise<void> {
  const options = ['--base-url', running.baseUrl, '--concurrency', String(CONCURRENCY), '--report-dir', scratch]
  const child = spawn(process.execPath, [command, ...options], { stdio: 'ignore' })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`the run ended with ${code}`)
}

/** The same number of requests from the bare client, as many at once. */
async function askRaw(requests: number): Promise<void> {
  const pool = new Pool(running.baseUrl, { connections: CONCURRENCY })
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  const limits = { deadlineMs: 10_000, maxWireBytes: 1e8, maxDecodedBytes: 1e8, signal, held: { bytes: 0, max: 1e9 } }
  let left = requests
  const work = async () => {
    while (left-- > 0)
      await exchange(pool, { origin: running.baseUrl, target: '/v3/cats', method: 'GET', headers: {} }, limits)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  await pool.destroy()
}

const start = await timed(() => spawnSync(process.execPath, [command, '--list'], { stdio: 'ignore' }))
const run = await timed(judgeByCommand)
const { requests } = JSON.parse(readFileSync(join(scratch, 'report.json'), 'utf8')) as Report
const raw = await timed(() => askRaw(requests))
const bound = start + (requests / CONCURRENCY) * LATENCY_MS

console.log(`start               ${start.toFixed(0)} ms
whole run           ${run.toFixed(0)} ms for ${requests} requests, ${LATENCY_MS} ms each, ${CONCURRENCY} at once
bare client         ${raw.toFixed(0)} ms for as many
start + answers     ${bound.toFixed(0)} ms
run / that          ${(run / bound).toFixed(2)} (allowed: ${ALLOWED})`)

await running.close()
rmSync(scratch, { recursive: true, force: true })
process.exitCode = run / bound > ALLOWED ? 1 : 0

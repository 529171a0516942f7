import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { nulls } from '../fixtures/nulls/index.ts'
import type { Report } from '../reports/report.ts'

const MAX_TIME_S = 8
const MOST_MEMORY_MB = 500
const SLACK_S = 3

const scratch = mkdtempSync(join(tmpdir(), 'nulls-'))
const cli = new URL('./start.mjs', import.meta.url).pathname

interface Ended {
  readonly code: number | null
  readonly seconds: number
  readonly peakMb: number
  readonly output: string
}

/** The highest resident set so far, where the system tells (Linux). */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function judgeByCommand(baseUrl: string, directory: string): Promise<Ended> {
  const began = performance.now()
  const options = [
    '--base-url',
    baseUrl,
    '--timeout',
    '400',
    '--max-time',
    String(MAX_TIME_S),
    '--report-dir',
    directory,
  ]
  const child = spawn(process.execPath, [cli, ...options], { cwd: scratch, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let peakMb = 0
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString('utf8')))
  const watch = setInterval(() => void (peakMb = Math.max(peakMb, peakOf(child.pid))), 25)
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearInterval(watch)
      resolve({ code, seconds: (performance.now() - began) / 1000, peakMb, output })
    })
  })
}

let passed = 0
let highest = 0

// C0 and C1 controls but for the line end, and what turns the direction of a line.
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u

describe.concurrent('what does nothing of the interface, or misbehaves on the wire, is never called conformant', () => {
  test.each(nulls.map((one) => [one.id, one] as const))('%s', async (id, one) => {
    const running = await one.start()
    const directory = join(scratch, id)
    try {
      const { code, seconds, peakMb, output } = await judgeByCommand(running.baseUrl, directory)
      highest = Math.max(highest, peakMb)
      if (code === 0) passed++
      expect([1, 3], output).toContain(code)
      expect(seconds).toBeLessThan(MAX_TIME_S + SLACK_S)
      expect(peakMb).toBeLessThan(MOST_MEMORY_MB)
      expect(output).not.toMatch(unsafe)
      const report = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as Report
      expect(report.verdict).not.toBe('conformant')
      expect(report.checks.filter(({ status }) => status === 'error')).toEqual([])
    } finally {
      await running.close()
    }
  })
})

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
  console.log(`nulls passed: ${passed} / ${nulls.length}; highest peak memory ${highest.toFixed(0)} MB`)
})

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type NullServer,
  nullServers,
  nullServersByKind,
  serversThatBreakProtocols,
} from '../../../fixtures/null-servers/index.ts'
import { startService } from '../../../fixtures/service/start.ts'
import type { Report } from '../../../reports/report/report.ts'
import { parseOptions } from '../../options/options.ts'
import { findSuitePackage } from '../../workflows/report/suite-package.ts'
import { runCommand } from '../../workflows/run/command.ts'
import { nonInteractiveContext } from '../support/surroundings.test.support.ts'
import { describeChecks } from '../support/verdict-lines.ts'

const { everything } = inject('extent')

/** The time limit of a run. */
const MAX_TIME_S = everything ? 8 : 2
/**
 * The time limit of a run against a server with endless responses, which uses it up. Within three seconds such a server
 * sends more than a process may keep in memory.
 */
const MAX_FLOOD_S = everything ? 3 : 1
const MOST_MEMORY_MB = 500
/**
 * The time that a run may take beyond its time limit, as a multiple of the duration of a quick run against a conformant
 * deployment.
 */
const MAX_DELAY_IN_RUNS = 8

/**
 * Servers with endless responses, or with responses that grow when they are decoded. The command judges them in a
 * process of its own, so that its memory and time can be measured.
 */
const heavyServers = new Set([
  'another-list-each-time',
  'a-million-other-names',
  'long-names',
  'gzip-bomb',
  'codings-in-a-stack',
  'nested-deeply',
  'nested-objects',
  'string-of-30-mb',
  'list-of-30-million',
  'list-of-a-million-and-a-quarter',
  'nested-past-counting',
  'three-million-keys',
  'a-million-shapes',
  'names-of-4-kb',
  'link-of-angles',
  'field-of-letters',
  'endless-body',
  'endless-chunks',
  'endless-chunk-extension',
  'endless-trailers',
])

/**
 * The servers that are measured in `npm test`: one with endless responses, one whose responses grow, and one with deep
 * nesting. They are few, because each measurement starts a process.
 */
const measuredServers = new Set(['endless-body', 'gzip-bomb', 'nested-deeply'])

/** The ids of the servers that break protocols. They could leave a connection open, which keeps a process from ending. */
const protocolBreakers = new Set(serversThatBreakProtocols.map(({ id }) => id))

/**
 * Returns whether the command judges this server in a process of its own. The other servers differ only in the content
 * of their responses: they are judged in this process.
 */
const isJudgedByCommand = ({ id }: NullServer): boolean =>
  measuredServers.has(id) || (everything && (heavyServers.has(id) || protocolBreakers.has(id)))

/**
 * The tested null servers (servers that have nothing to do with the cat directory). In `npm test`, these are the
 * measured ones and two of each kind.
 */
const testedServers = everything
  ? nullServers
  : nullServersByKind.flatMap((kind) =>
      kind.filter((one, index) => measuredServers.has(one.id) || index % (kind.length >> 1) === 0),
    )

const scratch = mkdtempSync(join(tmpdir(), 'nulls-'))
const cli = new URL('../../start.mjs', import.meta.url).pathname

interface ProcessResult {
  readonly code: number | null
  readonly output: string
}

interface MeasuredProcess extends ProcessResult {
  readonly seconds: number
  readonly peakMb: number
}

/** Reads the peak memory of a process in megabytes; 0 where the system does not report it (other than Linux). */
function readPeakMemory(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function judgeByCommand(options: readonly string[]): Promise<MeasuredProcess> {
  const began = performance.now()
  const child = spawn(process.execPath, [cli, ...options], { cwd: scratch, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let peakMb = 0
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString('utf8')))
  const watch = setInterval(() => void (peakMb = Math.max(peakMb, readPeakMemory(child.pid))), 25)
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearInterval(watch)
      resolve({ code, seconds: (performance.now() - began) / 1000, peakMb, output })
    })
  })
}

/** Runs the command in this process, which is faster. */
async function judgeHere(options: readonly string[]): Promise<ProcessResult> {
  let output = ''
  const code = await runCommand(parseOptions(options, {}), {
    suitePackage: findSuitePackage(scratch),
    write: (text) => void (output += text),
    ...nonInteractiveContext,
    colour: false,
    width: 100,
    interruption: new AbortController().signal,
    startEmbedded: () => Promise.reject(new Error('a base URL was given')),
  })
  return { code, output }
}

let passed = 0
let highest = 0
let latest = 0
let runSeconds = 0

beforeAll(async () => {
  const service = await startService()
  // Measures two concurrent runs, because the servers are judged concurrently as well.
  const runs = ['one', 'another'].map((name) =>
    judgeByCommand(['--base-url', service.baseUrl, '--effort', 'quick', '--report-dir', join(scratch, name)]),
  )
  runSeconds = Math.max(...(await Promise.all(runs)).map(({ seconds }) => seconds))
  await service.close()
})

// The control characters except the line end, and characters that change the direction of text.
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u

function expectRefused({ code, output }: ProcessResult, directory: string): void {
  if (code === 0) passed++
  expect([1, 3], output).toContain(code)
  expect(output).not.toMatch(unsafe)
  const report = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as Report
  expect(report.verdict).not.toBe('conformant')
  expect(describeChecks(report, 'error')).toEqual([])
}

function expectBounded({ seconds, peakMb }: MeasuredProcess, maxTime: number): void {
  const late = (seconds - maxTime) / runSeconds
  highest = Math.max(highest, peakMb)
  latest = Math.max(latest, late)
  expect(late).toBeLessThan(MAX_DELAY_IN_RUNS)
  expect(peakMb).toBeLessThan(MOST_MEMORY_MB)
}

describe.concurrent('a server without the interface, or with protocol errors, is never called conformant', () => {
  test.each(testedServers.map((one) => [one.id, one] as const))(
    'the null server %s is never called conformant',
    async (id, one) => {
      const running = await one.start()
      const directory = join(scratch, id)
      const maxTime = heavyServers.has(id) ? MAX_FLOOD_S : MAX_TIME_S
      const limits = ['--timeout', '400', '--max-time', String(maxTime)]
      const options = ['--base-url', running.baseUrl, '--report-dir', directory, ...limits]
      try {
        if (isJudgedByCommand(one)) {
          const run = await judgeByCommand(options)
          expectRefused(run, directory)
          expectBounded(run, maxTime)
        } else expectRefused(await judgeHere(options), directory)
      } finally {
        await running.close()
      }
    },
  )
})

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
  console.log(
    `nulls passed: ${passed} / ${testedServers.length}, of ${nullServers.length}; highest peak memory ${highest.toFixed(0)} MB`,
  )
  console.log(
    `the latest ended ${latest.toFixed(1)} runs of ${runSeconds.toFixed(1)} s after the time allowed was over`,
  )
})

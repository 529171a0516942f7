import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { nullServers } from '../../../fixtures/null-servers/index.ts'
import { selectRowsToTest } from '../support/short.test.support.ts'
import { describeChecks } from '../support/verdict-lines.ts'
import {
  type CliProcess,
  conformantDirectory,
  deploy,
  deployDirectory,
  type RunningStub,
  readReport,
  runCliProcess,
  startCliProcess,
} from './cli.test.support.ts'

async function askedOf({ requests }: RunningStub, least: number): Promise<void> {
  while (requests.length < least) await sleep(5)
}

interface RunningCommand extends CliProcess {
  /** The time from the start of the process to its first request, in milliseconds. */
  readonly startMs: number
}

/** Starts the command, and waits until it has sent at least `least` requests. */
async function startAndAwaitRequests(
  args: readonly string[],
  deployment: RunningStub,
  least = 1,
): Promise<RunningCommand> {
  const began = performance.now()
  const running = startCliProcess(args)
  await askedOf(deployment, 1)
  const startMs = performance.now() - began
  await askedOf(deployment, least)
  return { ...running, startMs }
}

/** The time within which a run must end: one second, or five times the time of the start on a busy machine. */
const maxEndMs = ({ startMs }: RunningCommand): number => Math.max(1000, 5 * startMs)

/** Sends the signal and expects exit code 130 within a second, with valid reports. */
async function interruptRun(running: RunningCommand, signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' = 'SIGINT') {
  const { child, ended } = running
  const began = performance.now()
  child.kill(signal)
  const { code, stdout, stderr, reports } = await ended
  const took = performance.now() - began
  expect(took).toBeLessThan(maxEndMs(running))
  expect([code, stderr], stdout).toEqual([130, ''])
  const junit = readFileSync(join(reports, 'junit.xml'), 'utf8')
  expect(junit).toMatch(/<\/testsuites>\n$/)
  return readReport(reports)
}

describe('an interrupted command ends within a second with exit code 130', () => {
  test.each(selectRowsToTest(['SIGINT', 'SIGTERM', 'SIGHUP'] as const))(
    'an interruption by %s ends a run against a slow deployment',
    async (signal) => {
      const deployment = await deployDirectory(conformantDirectory, 300)
      const running = await startAndAwaitRequests(['--base-url', deployment.origin], deployment, 12)
      const { verdict, checks } = await interruptRun(running, signal)
      expect(verdict).toBe('inconclusive')
      expect(checks.some(({ reason }) => reason?.includes('interrupted by the user'))).toBe(true)
    },
  )

  test('the reports of an interrupted command contain the checks that are done', async () => {
    const deployment = await deployDirectory(conformantDirectory, 20)
    const options = ['--base-url', deployment.origin, '--concurrency', '4', '--effort', 'standard']
    const running = await startAndAwaitRequests(options, deployment, 250)
    const { verdict, checks, requests } = await interruptRun(running)
    expect(verdict).toBe('inconclusive')
    expect(checks.filter(({ status }) => status === 'pass').length).toBeGreaterThan(0)
    expect(describeChecks({ checks }, 'fail', 'error')).toEqual([])
    expect(requests).toBeGreaterThanOrEqual(250)
  })

  test('an interruption ends the wait for a deployment to come up', async () => {
    const deployment = await deploy((request) => request.socket.destroy())
    const running = await startAndAwaitRequests(['--base-url', deployment.origin, '--wait', '60'], deployment)
    await interruptRun(running)
  })

  test('an interruption ends a pause that the deployment requested', async () => {
    let asked = 0
    const deployment = await deploy((_, response) => {
      // Responds once, because a deployment that sends only 429 from the start counts as unreachable.
      if (asked++ === 0) response.writeHead(200, { 'content-type': 'application/json' }).end('["Tom"]')
      else response.writeHead(429, { 'retry-after': '9' }).end()
    })
    const running = await startAndAwaitRequests(['--base-url', deployment.origin], deployment, 2)
    await sleep(100)
    await interruptRun(running)
  })

  test('an interruption ends slow responses, and no later page is requested', async () => {
    const deployment = await deploy((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[')
      const trickle = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(trickle))
    })
    const running = await startAndAwaitRequests(['--base-url', deployment.origin, '--concurrency', '1'], deployment)
    const before = deployment.connections()
    await interruptRun(running)
    expect(deployment.connections()).toBe(before)
  })

  test('an interrupted comparison reports the differences found so far', async () => {
    const [candidate, other] = await Promise.all([
      deployDirectory(conformantDirectory),
      deployDirectory(conformantDirectory, 300),
    ])
    const options = ['--base-url', candidate.origin, '--against', other.origin, '--effort', 'quick']
    const running = await startAndAwaitRequests(options, candidate)
    await askedOf(other, 4)
    expect((await interruptRun(running)).verdict).toBe('conformant')
  })

  const flooding = ['gzip-bomb', 'list-of-30-million', 'three-million-keys', 'a-million-shapes', 'endless-body']
  test.each(selectRowsToTest(flooding, 0))('an interruption ends the reading of %s', async (id) => {
    const server = await nullServers.find((one) => one.id === id)?.start()
    if (!server) throw new Error(`unknown null server ${id}`)
    // Sends a request first: at its first request, the server builds its response, which takes seconds.
    await fetch(`${server.baseUrl}/v2/cats`).then((response) => response.body?.cancel())
    const began = performance.now()
    await runCliProcess(['--list'])
    const startMs = performance.now() - began
    const running = startCliProcess(['--base-url', server.baseUrl])
    await sleep(1500)
    await interruptRun({ ...running, startMs })
    await server.close()
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, test } from 'vitest'
import { nulls } from '../../fixtures/nulls/index.ts'
import {
  conformant,
  type Deployment,
  deploy,
  deployDirectory,
  type Running,
  readReport,
  realCommand,
  start,
} from './cli.test.support.ts'

const { everything } = inject('extent')

async function askedOf({ requests }: Deployment, least: number): Promise<void> {
  while (requests.length < least) await sleep(5)
}

/** A second where the command starts and lists its checks in a fifth of one; on a busy machine, as much longer. */
async function aSecond(): Promise<number> {
  const began = performance.now()
  await realCommand(['--list'])
  return Math.max(1000, 5 * (performance.now() - began))
}

/** Sends the signal and holds the command to its promises: exit 130 within a second, reports written and valid. */
async function interrupted({ child, ended }: Running, signal: 'SIGINT' | 'SIGTERM' = 'SIGINT') {
  const began = performance.now()
  child.kill(signal)
  const { code, stdout, stderr, reports } = await ended
  const took = performance.now() - began
  expect(took).toBeLessThan(await aSecond())
  expect([code, stderr], stdout).toEqual([130, ''])
  const junit = readFileSync(join(reports, 'junit.xml'), 'utf8')
  expect(junit).toMatch(/<\/testsuites>\n$/)
  return readReport(reports)
}

describe('interrupted, the command ends within a second with exit code 130 and its reports,', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('by %s while a slow deployment is judged', async (signal) => {
    const deployment = await deployDirectory(conformant, 300)
    const running = start(['--base-url', deployment.origin])
    await askedOf(deployment, 12)
    const { verdict, checks } = await interrupted(running, signal)
    expect(verdict).toBe('inconclusive')
    expect(checks.some(({ reason }) => reason?.includes('interrupted by the user'))).toBe(true)
  })

  test('with what was judged so far', async () => {
    const deployment = await deployDirectory(conformant, 20)
    const running = start(['--base-url', deployment.origin, '--concurrency', '4'])
    await askedOf(deployment, 250)
    const { verdict, checks, requests } = await interrupted(running)
    expect(verdict).toBe('inconclusive')
    expect(checks.filter(({ status }) => status === 'pass').length).toBeGreaterThan(0)
    expect(checks.filter(({ status }) => status === 'fail' || status === 'error')).toEqual([])
    expect(requests).toBeGreaterThanOrEqual(250)
  })

  test('while it waits for a deployment to come up', async () => {
    const deployment = await deploy((request) => request.socket.destroy())
    const running = start(['--base-url', deployment.origin, '--wait', '60'])
    await askedOf(deployment, 1)
    await interrupted(running)
  })

  test('while it waits as long as the deployment asked it to', async () => {
    let asked = 0
    const deployment = await deploy((_, response) => {
      // Who answers nothing but 429 from the start is unreachable at once.
      if (asked++ === 0) response.writeHead(200, { 'content-type': 'application/json' }).end('["Tom"]')
      else response.writeHead(429, { 'retry-after': '9' }).end()
    })
    const running = start(['--base-url', deployment.origin])
    await askedOf(deployment, 2)
    await sleep(100)
    await interrupted(running)
  })

  test('while answers trickle in, and looks for nothing behind them any more', async () => {
    const deployment = await deploy((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[')
      const trickle = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(trickle))
    })
    const running = start(['--base-url', deployment.origin, '--concurrency', '1'])
    await askedOf(deployment, 1)
    const before = deployment.connections()
    await interrupted(running)
    expect(deployment.connections()).toBe(before)
  })

  test('while it compares, whatever it has found so far', async () => {
    const [candidate, other] = await Promise.all([deployDirectory(conformant), deployDirectory(conformant, 300)])
    const running = start(['--base-url', candidate.origin, '--against', other.origin, '--effort', 'quick'])
    await askedOf(other, 4)
    expect((await interrupted(running)).verdict).toBe('conformant')
  })

  const flooding = ['gzip-bomb', 'list-of-30-million', 'three-million-keys', 'a-million-shapes', 'endless-body']
  test.each(everything ? flooding : [])('while it reads %s', async (id) => {
    const server = await nulls.find((one) => one.id === id)?.start()
    if (!server) throw new Error(`no null ${id}`)
    // What is poured out is made when it is asked for the first time.
    await fetch(`${server.baseUrl}/v2/cats`).then((response) => response.body?.cancel())
    const running = start(['--base-url', server.baseUrl])
    await sleep(1500)
    await interrupted(running)
    await server.close()
  })
})

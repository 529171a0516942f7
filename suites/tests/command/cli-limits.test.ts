import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { callAfterTests } from '../support/at-end.test.support.ts'
import { selectRowsToTest } from '../support/short.test.support.ts'
import { describeChecks } from '../support/verdict-lines.ts'
import {
  conformantDirectory,
  deploy,
  deployDirectory,
  extractDiagnosis,
  type RunningStub,
  readReport,
  runCli,
  runCliProcess,
  startCliProcess,
} from './cli.test.support.ts'

/** Serves the conformant directory, with additional header fields. */
function respondConformantly(url: string, response: ServerResponse, fields: Record<string, string> = {}): void {
  const value = conformantDirectory(url)
  response.writeHead(value === undefined ? 404 : 200, fields).end(JSON.stringify(value ?? {}))
}

/** Serves the conformant directory. For each request, `first` may choose another status, or drop the connection. */
function deployWithExceptions(first: (nth: number) => { status: number; retryAfter?: string } | 'drop' | undefined) {
  let nth = 0
  const dropped = new Set<string>()
  return deploy(({ url = '', socket }, response) => {
    const instead = dropped.has(url) ? undefined : first(++nth)
    if (instead === 'drop') return void (dropped.add(url), socket.destroy())
    const value = instead ? undefined : conformantDirectory(url)
    response.statusCode = instead?.status ?? (value === undefined ? 404 : 200)
    if (instead?.retryAfter !== undefined) response.setHeader('retry-after', instead.retryAfter)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value ?? { error: 'no' }))
  })
}

/** The arguments of a short run. The tests of limits need requests, but it does not matter which. */
const shortRunArguments = (origin: string): readonly string[] => ['--base-url', origin, '--effort', 'quick']

const rateOf = (reports: string) => readReport(reports).openPoints.find(({ id }) => id === 'O-RATE')?.value

describe.concurrent('a deployment with a rate limit', () => {
  test.each(selectRowsToTest([429, 503]))(
    'a response %s with Retry-After makes the run wait, and the report says so',
    async (status) => {
      const { origin } = await deployWithExceptions((nth) =>
        nth % 120 === 40 ? { status, retryAfter: '1' } : undefined,
      )
      const { code, stdout, reports } = await runCli(shortRunArguments(origin))
      expect(code, stdout).toBe(0)
      expect(rateOf(reports)).toMatch(new RegExp(`^status ${status} with Retry-After, waited for [1-9]`))
    },
  )

  test('a requested wait of an hour makes the run inconclusive at once, without a failure', async () => {
    const { origin } = await deployWithExceptions((nth) => (nth > 60 ? { status: 429, retryAfter: '3600' } : undefined))
    const { code, stdout, reports } = await runCli(shortRunArguments(origin))
    expect(code, stdout).toBe(3)
    expect(readReport(reports).checks.some(({ reason }) => reason?.includes('asks to wait 3600 s'))).toBe(true)
  })

  test('a rate limit without a time to wait is not mistaken for an outage', async () => {
    const { origin } = await deployWithExceptions((nth) => (nth > 80 ? { status: 503 } : undefined))
    const { code, stdout, reports } = await runCli(shortRunArguments(origin))
    expect(code, stdout).toBe(3)
    expect(extractDiagnosis(stdout)).toMatch(
      /^Not everything could be tested at http.*status 503: the service behind the gateway is probably down/,
    )
    expect(describeChecks(readReport(reports), 'fail')).toEqual([])
  })

  test('a permanent rate limit is reported as 429 under the verdict', async () => {
    const { origin } = await deployWithExceptions((nth) => (nth > 80 ? { status: 429 } : undefined))
    const { code, stdout } = await runCli(shortRunArguments(origin))
    expect(code, stdout).toBe(3)
    expect(extractDiagnosis(stdout)).toMatch(/status 429: too many requests .*--rate 5\/s --concurrency 1/)
  })

  test('rate limit fields slow the run down before the first refusal', async () => {
    const { origin } = await deploy(({ url = '' }, response) => {
      respondConformantly(url, response, { 'ratelimit-limit': '1000', 'ratelimit-remaining': '999' })
    })
    const { code, reports } = await runCli(shortRunArguments(origin))
    expect([code, rateOf(reports)]).toEqual([0, 'RateLimit fields'])
  })
})

describe.concurrent('the limits of a run', () => {
  test('the command sends no more requests per second than --rate allows', async () => {
    const times: number[] = []
    const { origin } = await deploy(({ url = '' }, response) => {
      times.push(performance.now())
      respondConformantly(url, response)
    })
    const { code } = await runCli([
      '--base-url',
      origin,
      '--rate',
      '60',
      '--max-requests',
      '150',
      '--effort',
      'standard',
    ])
    expect([code, times.length > 100]).toEqual([3, true])
    // Measures the time from the first request to the last, which is longer on a busy machine but never shorter.
    const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
    expect(times.length / seconds).toBeLessThanOrEqual(80)
  })

  test('the command sends no more requests than --max-requests allows', async () => {
    const { origin, requests } = await deployDirectory(conformantDirectory)
    const { code, reports } = await runCliProcess(['--base-url', origin, '--max-requests', '50'])
    expect([code, requests.length <= 51, readReport(reports).requests]).toEqual([3, true, 50])
    expect(readReport(reports).diagnosis?.next).toMatch(/^Allow the run more requests or more time: --max-requests/)
  })

  test('the command ends after the time that --max-time allows', async () => {
    const { origin, requests } = await deployDirectory(conformantDirectory, 400)
    const { code, reports } = await runCli(['--base-url', origin, '--max-time', '2', '--effort', 'standard'])
    expect(code).toBe(3)
    // In 2 s, at most 80 requests fit: 16 in flight, 400 ms each. A whole run would send about 800.
    expect(requests.length).toBeLessThan(200)
    expect(
      readReport(reports).checks.some(({ reason }) =>
        reason?.includes('the time limit of 2 s was reached (--max-time)'),
      ),
    ).toBe(true)
  })

  test('the command has no more requests in flight than --concurrency allows', async () => {
    let open = 0
    let most = 0
    const { origin } = await deploy(({ url = '' }, response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        respondConformantly(url, response)
      }, 3)
    })
    expect((await runCli([...shortRunArguments(origin), '--concurrency', '3'])).code).toBe(0)
    expect(most).toBe(3)
  })
})

describe.concurrent('a dropped connection', () => {
  const everyTwentieth = (nth: number) => (nth % 20 === 0 ? ('drop' as const) : undefined)

  test('a dropped connection is retried, and the report counts retries by cause', async () => {
    const { origin } = await deployWithExceptions(everyTwentieth)
    const { code, stdout, reports } = await runCli(shortRunArguments(origin))
    const { retries, notExercised } = readReport(reports)
    expect(code, stdout).toBe(0)
    expect(retries).toBeGreaterThan(3)
    const counts = notExercised.flatMap((line) => /^retried: (?:(\d+) requests|GET )/.exec(line)?.slice(1) ?? [])
    expect(counts.reduce((sum, count) => sum + Number(count ?? 1), 0)).toBe(retries)
  })

  test.each(selectRowsToTest(['content-length', 'transfer-encoding']))(
    'a connection dropped before the end declared by %s is retried',
    async (framing) => {
      const cut = new Set<string>()
      const { origin } = await deploy(({ url = '' }, response) => {
        const value = conformantDirectory(url)
        const text = JSON.stringify(value ?? { error: 'no' })
        const isCut = url.length % 3 === 0 && !cut.has(url)
        cut.add(url)
        response.statusCode = value === undefined ? 404 : 200
        response.setHeader('connection', 'close')
        if (framing === 'content-length') response.setHeader(framing, Buffer.byteLength(text))
        if (!isCut) return void response.end(text)
        response.write(text.slice(0, -1), () => response.socket?.end())
      })
      const { code, stdout, reports } = await runCli(shortRunArguments(origin))
      expect(code, stdout).toBe(0)
      expect(readReport(reports).retries).toBeGreaterThan(10)
    },
  )

  test('a dropped connection is not retried with --retries 0, and is no violation if the next request succeeds', async () => {
    const { origin } = await deployWithExceptions(everyTwentieth)
    const { code, reports } = await runCli([...shortRunArguments(origin), '--retries', '0'])
    const { retries, checks } = readReport(reports)
    expect([code, retries]).toEqual([3, 0])
    expect(describeChecks({ checks }, 'fail')).toEqual([])
  })
})

/** Returns a port on which nothing listens. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // an object, because the server listens on a port
  server.close()
  await once(server, 'close')
  return port
}

// Clause T5.6 of the contract.
test.concurrent('--wait waits for a deployment to come up, then judges it', async () => {
  const port = await findFreePort()
  const { ended } = startCliProcess(['--base-url', `http://127.0.0.1:${port}`, '--wait', '30'])
  await sleep(1200)
  const server = createServer(({ url = '' }, response) => respondConformantly(url, response)).listen(port, '127.0.0.1')
  callAfterTests(() => void (server.closeAllConnections(), server.close()))
  const { code, stdout } = await ended
  expect(code, stdout).toBe(0)
})

describe.concurrent('--wait waits', () => {
  /**
   * Deploys a gateway that responds to the first `times` requests with the status `early`, as if its service were still
   * starting.
   */
  function deployBehind(early: number, times: number) {
    let asked = 0
    return deploy(({ url = '' }, response) => {
      if (++asked <= times) response.writeHead(early).end()
      else respondConformantly(url, response)
    })
  }

  test.each(selectRowsToTest([404, 503, 429, 502], 2))(
    '--wait waits for the directory, not for any response, such as %s',
    async (early) => {
      const { origin, requests } = await deployBehind(early, 8)
      const { code, stdout } = await runCli(['--base-url', origin, '--wait', '60'])
      expect(code, stdout).toBe(0)
      const first = requests.findIndex(({ target }) => !/^\/v[23]\/cats$/.test(target))
      expect(first).toBeGreaterThanOrEqual(8)
    },
  )

  test.each(selectRowsToTest([401, 403]))(
    '--wait ends when the directory requires credentials with %s',
    async (status) => {
      const { origin } = await deploy((_, response) => response.writeHead(status).end())
      const { code, stdout } = await runCli(['--base-url', origin, '--wait', '3600'])
      expect(code, stdout).toBe(3)
    },
  )

  test('--wait can be interrupted', async () => {
    const { origin, requests } = await deploy((_, response) => response.writeHead(503).end())
    const { child, ended } = startCliProcess(['--base-url', origin, '--wait', '3600'])
    while (requests.length < 3) await sleep(50)
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
  })
})

test.concurrent('requests are GET, and HEAD and OPTIONS for the list of cats, all without a body', async () => {
  const { origin, requests }: RunningStub = await deployDirectory(conformantDirectory)
  await runCli(['--base-url', origin, '--effort', 'standard'])
  const others = requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, target }) => `${method} ${target.replace(/\?.*/, '?')}`)
  expect(others.toSorted()).toEqual([
    ...['HEAD /v2/cats', 'HEAD /v3/cats', 'HEAD /v3/cats?'],
    ...['OPTIONS /v2/cats', 'OPTIONS /v3/cats'],
  ])
  expect(requests.filter(({ headers }) => 'content-length' in headers || 'transfer-encoding' in headers)).toEqual([])
})

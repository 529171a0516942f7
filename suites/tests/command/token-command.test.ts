import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { judge } from '../../judge/library-options.ts'
import {
  type CommandResult,
  conformantDirectory,
  createTemporaryFolder,
  deploy,
  directoryWithOneCatMissing,
  readReport,
  runCli,
} from './cli.test.support.ts'

/**
 * Creates a command that prints a new token at each call (`tok-0000000`, `tok-0000001`, …), and a function that returns
 * how often it was called.
 */
function createTokenCommand() {
  const file = join(createTemporaryFolder(), 'runs')
  writeFileSync(file, '')
  return {
    cmd: `printf 'tok-%07d\n' "$(wc -l < ${file} | tr -d ' ')"; echo run >> ${file}`,
    runs: () => readFileSync(file, 'utf8').split('\n').length - 1,
  }
}

/**
 * Deploys a directory that accepts each token for `requestsPerToken` requests, and repeats the received token in its
 * responses.
 */
async function deployWithExpiringTokens(directory = conformantDirectory, requestsPerToken = 60) {
  const served = new Map<string, number>()
  return deploy(({ url = '', headers: { authorization = '' } }, response) => {
    const count = (served.get(authorization) ?? 0) + 1
    served.set(authorization, count)
    const isGood = /^Bearer tok-\d{7}$/.test(authorization) && count <= requestsPerToken
    const value = isGood ? directory(url) : undefined
    response.writeHead(isGood ? (value === undefined ? 404 : 200) : 401, {
      'content-type': 'application/json',
      'x-sent': authorization,
    })
    response.end(JSON.stringify(value ?? { sent: authorization }))
  })
}

/** Collects all output and reports of a run, without blanks and line breaks. */
const collectOutput = ({ stdout, stderr, reports }: CommandResult): string =>
  [stdout, stderr, ...readdirSync(reports).map((name) => readFileSync(join(reports, name), 'utf8'))]
    .join('\n')
    .replace(/[\s│|]/g, '')

describe('--token-command', () => {
  test('--token-command provides a token, and another one when the deployment responds 401 during the run', async () => {
    const [{ origin, requests }, { cmd, runs }] = [await deployWithExpiringTokens(), createTokenCommand()]
    const { code, stdout } = await runCli(['--base-url', origin, '--token-command', cmd])
    expect(code, stdout).toBe(0)
    expect(runs()).toBeGreaterThan(1)
    const tokens = new Set(requests.map(({ headers }) => headers.authorization))
    expect(tokens.size).toBeGreaterThan(1)
  })

  test('--token-command provides tokens that expire before all waiting requests are sent', async () => {
    const [{ origin }, { cmd }] = [await deployWithExpiringTokens(conformantDirectory, 20), createTokenCommand()]
    const { code, stdout } = await runCli(['--base-url', origin, '--token-command', cmd])
    expect(code, stdout).toBe(0)
  })

  test('--token-command masks every token that it provided', async () => {
    const [{ origin }, { cmd, runs }] = [
      await deployWithExpiringTokens(directoryWithOneCatMissing),
      createTokenCommand(),
    ]
    const ended = await runCli(['--base-url', origin, '--token-command', cmd])
    expect(ended.code).toBe(1)
    expect(runs()).toBeGreaterThan(1)
    expect(collectOutput(ended)).not.toMatch(/tok-\d/)
    const replayed = await runCli([
      '--replay',
      join(ended.reports, 'report.json'),
      '--base-url',
      origin,
      '--token-command',
      cmd,
    ])
    expect([replayed.code, replayed.stdout]).toEqual([1, expect.not.stringMatching(/tok-\d/)])
  })

  test('--token-command is not run repeatedly if new tokens are refused as well', async () => {
    const { cmd, runs } = createTokenCommand()
    const isRefused = (url: string) => url.startsWith('/v3/cat/')
    const { origin } = await deploy(({ url = '' }, response) => {
      const value = isRefused(url) ? undefined : conformantDirectory(url)
      response.writeHead(isRefused(url) ? 401 : value === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(value ?? {}))
    })
    const { code } = await runCli(['--base-url', origin, '--token-command', cmd])
    expect(code).toBe(1)
    expect(runs()).toBeLessThan(20)
  })

  test('--token-command makes a run inconclusive if it fails during the run, and says so', async () => {
    const flag = join(createTemporaryFolder(), 'was-run')
    const once = `test ! -e ${flag} && touch ${flag} && echo tok-0000001`
    const { origin } = await deployWithExpiringTokens()
    const { code, reports } = await runCli(['--base-url', origin, '--token-command', once])
    expect(code).toBe(3)
    const reasons = readReport(reports).checks.flatMap(({ reason }) => reason ?? [])
    expect(reasons.join('\n')).toContain('no new token could be had')
  })

  test.each([
    ['fails', 'echo tok-3f9a61c2; exit 7', 'the command failed (exit code 7)'],
    ['writes nothing', 'true', 'the command printed no output'],
    ['writes more than a token', 'echo Bearer tok-3f9a61c2', 'contains a space'],
  ])('--token-command is a usage error if it %s, without showing its output', async (_, cmd, message) => {
    const { origin, requests } = await deployWithExpiringTokens()
    const { code, stderr } = await runCli(['--base-url', origin, '--token-command', cmd])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(stderr).not.toContain('tok-')
    expect(requests).toEqual([])
  })

  test.each([
    ['--token', 'tok-3f9a61c2'],
    ['--header', 'Authorization: Basic eA=='],
  ])('--token-command cannot be combined with %s, which sets Authorization, too', async (...other) => {
    const { code, stderr } = await runCli(['--base-url', 'http://127.0.0.1:9', '--token-command', 'true', ...other])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/sets the header Authorization, but --token(-command)? sets it too/),
    ])
  })

  test('--token-command is an option of the library, too', async () => {
    const [{ origin }, { cmd, runs }] = [await deployWithExpiringTokens(), createTokenCommand()]
    const { conclusion, verdicts, exchanges } = await judge({ baseUrl: origin, effort: 'quick', tokenCommand: cmd })
    expect(verdicts.filter((v) => v.status !== 'pass').map((v) => v.check.id + v.version + v.reason)).toEqual([])
    expect(conclusion).toBe('conformant')
    expect(runs()).toBeGreaterThan(1)
    expect(JSON.stringify([...exchanges])).not.toMatch(/tok-\d/)
  })
})

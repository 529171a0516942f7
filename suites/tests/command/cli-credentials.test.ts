import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type CommandResult,
  type CommandRunOptions,
  conformantDirectory,
  createDirectoryResponder,
  createTemporaryFolder,
  deploy,
  deployDirectory,
  directoryWithOneCatMissing,
  type RunningStub,
  readReport,
  runCli,
} from './cli.test.support.ts'

const TOKEN = 'tok-3f9a61c2'
const KEY = 'key-77b0e4d8'
const credentialOptions = ['--token', TOKEN, '--header', `X-Api-Key: ${KEY}`]

/** Collects all output and reports of a run, in which a credential could leak. */
function collectOutputs({ stdout, stderr, reports }: CommandResult): [name: string, text: string][] {
  const files = readdirSync(reports, { recursive: true, encoding: 'utf8' })
  return [
    ['stdout', stdout],
    ['stderr', stderr],
    ...files.map((name): [string, string] => [name, readFileSync(join(reports, name), 'utf8')]),
  ]
}

/**
 * Finds outputs with the credential. Line breaks with the margin around them are ignored, because a terminal may wrap it.
 * Other blanks are not: the suite inserts a blank into a name to test a search.
 */
const findLeaks = (ended: CommandResult): string[] =>
  collectOutputs(ended)
    .filter(([, text]) => [TOKEN, KEY].some((secret) => text.replace(/[ \t│|]*\n[ \t│|]*/g, '').includes(secret)))
    .map(([name]) => name)

/** Expects credentials on each request except one: the request that observes access without credentials (O-AUTH). */
function expectCredentialsSent({ requests }: RunningStub): void {
  const isBare = ({ headers }: (typeof requests)[number]) =>
    headers.authorization === undefined && headers['x-api-key'] === undefined
  expect(requests.filter(isBare).length).toBeLessThanOrEqual(1)
  expect(requests.length).toBeGreaterThan(1)
  for (const { headers, target } of requests.filter((request) => !isBare(request))) {
    expect([headers.authorization, headers['x-api-key']], target).toEqual([`Bearer ${TOKEN}`, KEY])
  }
}

describe('credentials', () => {
  test.each([
    ['every check passes', conformantDirectory, 0],
    ['a check fails', directoryWithOneCatMissing, 1],
  ] as const)('credentials are sent with every request and appear nowhere, if %s', async (_, directory, code) => {
    const deployment = await deployDirectory(directory)
    const ended = await runCli(['--base-url', deployment.origin, ...credentialOptions])
    expect(ended.code).toBe(code)
    expectCredentialsSent(deployment)
    expect(findLeaks(ended)).toEqual([])
  })

  test.each<[string, (origin: string) => CommandRunOptions]>([
    ['the environment', () => ({ env: { CATS_TOKEN: TOKEN, CATS_HEADER: `X-Api-Key: ${KEY}` } })],
    [
      '.env',
      () => {
        const cwd = createTemporaryFolder()
        writeFileSync(join(cwd, '.env'), `CATS_TOKEN=${TOKEN}\nCATS_HEADER="X-Api-Key: ${KEY}"\n`)
        return { cwd }
      },
    ],
  ])('credentials from %s are sent with every request and appear nowhere', async (_, circumstances) => {
    const deployment = await deployDirectory(directoryWithOneCatMissing)
    const options = ['--base-url', deployment.origin, '--only', 'membership/']
    const ended = await runCli(options, circumstances(deployment.origin))
    expect(ended.code).toBe(1)
    expectCredentialsSent(deployment)
    expect(findLeaks(ended)).toEqual([])
  })

  test('credentials appear nowhere if the deployment repeats them in names of cats, header fields, entity tags, media types and errors', async () => {
    const cats = [`${TOKEN}-cat`, 'Tom'].map((name) => ({ name, breed: 'Korat', lives: -1 }))
    const directory = createDirectoryResponder(cats)
    const deployment = await deploy(({ url = '' }, response) => {
      const value = directory(url)
      const status = value === undefined ? 404 : 200
      response.writeHead(status, {
        'content-type': status === 200 ? 'application/json' : `text/x-${TOKEN}`,
        etag: `"${TOKEN}"`,
        'cache-control': `private="${TOKEN}"`,
        [`x-${TOKEN}`]: KEY,
      })
      response.end(JSON.stringify(value ?? { error: `no ${TOKEN}` }))
    })
    const ended = await runCli(['--base-url', deployment.origin, ...credentialOptions, '--record', 'all'])
    expect(ended.code).toBe(1)
    const { checks } = readReport(ended.reports)
    expect(checks.flatMap(({ finding }) => finding?.inputs ?? [])).toContain('"***-cat"')
    expect(findLeaks(ended)).toEqual([])
  })

  test('credentials appear nowhere if the deployment repeats them in its error responses', async () => {
    const deployment = await deploy(({ headers }, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ sent: headers }))
    })
    const ended = await runCli(['--base-url', deployment.origin, ...credentialOptions])
    expect(ended.code).toBe(1)
    expectCredentialsSent(deployment)
    expect(findLeaks(ended)).toEqual([])
  })
})

test.each(['pass', 'fail', 'conformant'])('a token that is the word %s changes no verdict', async (word) => {
  const { origin } = await deploy(({ url = '', headers }, response) => {
    const value = conformantDirectory(url)
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? { sent: headers }))
  })
  const { code, reports } = await runCli(['--base-url', origin, '--effort', 'quick', '--token', word])
  const { verdict, checks } = readReport(reports)
  expect([code, verdict, new Set(checks.map(({ status }) => status))]).toEqual([0, 'conformant', new Set(['pass'])])
  expect(checks.map(({ id }) => id).filter((id) => id.includes('*'))).toEqual([])
})

test('credentials are not sent to another origin after a redirect, and a finding shows them as variables to fill in', async () => {
  const otherDeployment = await deployDirectory(conformantDirectory)
  const deployment = await deploy(({ url = '' }, response) => {
    response.writeHead(302, { location: otherDeployment.origin + url }).end()
  })
  const ended = await runCli(['--base-url', deployment.origin, ...credentialOptions])
  expect(ended.code).toBe(1)
  expect(otherDeployment.connections()).toBe(0)
  expect(ended.stdout.replace(/ \\\n +/g, ' ')).toContain(
    '-H "X-Api-Key: $X_API_KEY" -H "Authorization: $AUTHORIZATION"',
  )
  expect(findLeaks(ended)).toEqual([])
})

test('User-Agent and Accept options replace those of the suite in any case, and appear in curl lines', async () => {
  const deployment = await deployDirectory(directoryWithOneCatMissing)
  const credentialOptions = ['--header', 'user-AGENT: Tom/9', '--header', 'ACCEPT: application/json']
  const { stdout } = await runCli(['--base-url', deployment.origin, '--only', 'membership/', ...credentialOptions])
  const seen = deployment.requests.map(({ headers }) => [headers['user-agent'], headers.accept].join())
  expect([...new Set(seen)]).toEqual(['Tom/9,application/json'])
  expect(stdout).toMatch(/curl .*-H 'Accept: application\/json' [^]*'user-AGENT: Tom\/9'/)
})

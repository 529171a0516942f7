import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, inject, onTestFinished, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { startService } from '../../../fixtures/service/start.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { createCleanEnvironment, packageRoot } from '../command/cli.test.support.ts'

/** False in `npm test`, which leaves out most of these tests: each starts vitest, which takes seconds. */
const { everything } = inject('extent')

interface TestResult {
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending'
}

interface VitestOutput {
  readonly code: number
  readonly output: string
  readonly results: readonly TestResult[]
  readonly having: (status: TestResult['status']) => readonly string[]
}

/** Runs `npm run suites` with quick effort, and returns its output and its JSON report. */
async function runSuites(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<VitestOutput> {
  const folder = mkdtempSync(join(tmpdir(), 'cats-vitest-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const json = join(folder, 'results.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${json}`]
  const child = spawn(
    process.execPath,
    [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'deployment', ...reporters, ...args],
    {
      cwd: packageRoot,
      env: { ...createCleanEnvironment(), FORCE_COLOR: undefined, NO_COLOR: '1', CATS_EFFORT: 'quick', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const { testResults } = JSON.parse(readFileSync(json, 'utf8')) as {
    testResults: { assertionResults: TestResult[] }[]
  } // written by vitest
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    code: Number(code),
    output: stdout + stderr,
    results,
    having: (status) => results.filter((one) => one.status === status).map(({ title }) => title),
  }
}

/** Deploys a directory that responds 404 for the lives of every cat. */
async function deployWithoutLives(): Promise<string> {
  const running = await mutants.find(({ id }) => id === 'lives-404')?.start()
  if (running === undefined) throw new Error('the mutant does not exist')
  onTestFinished(() => running.close())
  return running.baseUrl
}

const times = (output: string, part: string): number => output.split(part).length - 1

/** Matches an excerpt of source code, which vitest prints for an error. Users of the suite must not see its code. */
const codeFrame = /❯ \S+\.ts:\d+|^\s*\d+\| /m

test.runIf(everything)('a deployment that conforms passes every check as a test', async () => {
  const { code, output, having, results } = await runSuites({ CATS_NO_ENV_FILE: '1', CATS_EFFORT: 'quick' })
  expect(code, output).toBe(0)
  expect(having('passed')).toHaveLength(results.length)
  expect(results).toHaveLength(catalogue.flatMap(({ scopes }) => scopes).length)
})

test('a violation fails one test, with the finding and without source code, and skips the tests that need it', async () => {
  const baseUrl = await deployWithoutLives()
  const { code, output, having } = await runSuites({
    CATS_BASE_URL: baseUrl,
    CATS_VERSIONS: 'v3',
    CATS_EFFORT: 'quick',
  })
  expect(code).toBe(1)
  expect(having('failed')).toEqual([expect.stringMatching(/^lives\/is-served: /)])
  expect(output).toMatch(/lives\/is-json: .* \[prerequisite: lives\/is-served \(v3\) failed\]/)
  const labels = ['requirement', 'request', 'response', 'expected', 'again'].join('  [^]*\n  ')
  expect(output).toMatch(new RegExp(`✗ .* returned status 404.*\n  lives/is-served  v3\n[^]*\n  ${labels}`))
  expect(times(output, 'requirement  S-LIVES')).toBe(1)
  expect(times(output, 'curl -sS')).toBe(2)
  expect(output).toContain('--only lives/is-served')
  expect(output).not.toMatch(codeFrame)
})

test.runIf(everything)(
  'a finding whose own test is filtered out is reported by the first test that needs it',
  async () => {
    const baseUrl = await deployWithoutLives()
    const env = { CATS_BASE_URL: baseUrl, CATS_VERSIONS: 'v3', CATS_EFFORT: 'quick' }
    const { code, output, having } = await runSuites(env, '-t', 'lives/is-(json|a-count)')
    expect([code, having('passed')]).toEqual([1, []])
    expect(having('failed')).toEqual([expect.stringMatching(/^lives\/is-json: /)])
    expect(times(output, '  lives/is-served  v3')).toBe(1)
  },
)

test.runIf(everything)('an unreachable deployment is reported once, and no test passes', async () => {
  const { code, output, having, results } = await runSuites({ CATS_BASE_URL: 'http://127.0.0.1:1' })
  expect(code).toBe(1)
  expect(having('passed')).toEqual([])
  expect(having('failed')).toEqual([])
  expect(results.length).toBeGreaterThan(50)
  expect(times(output, 'Nothing could be tested at http://127.0.0.1:1')).toBe(1)
  expect(times(output, 'ECONNREFUSED')).toBe(1)
  expect(output).not.toMatch(codeFrame)
})

test.runIf(everything)('an invalid variable is reported once, and no request is sent', async () => {
  const { code, output, results } = await runSuites({ CATS_BASE_URL: 'http://127.0.0.1:1', CATS_ONLY: 'kats/' })
  expect([code, results]).toEqual([1, []])
  expect(times(output, 'no check is called "kats/"')).toBe(1)
  expect(output).not.toMatch(codeFrame)
})

const pinning = (value: string) => ({ profileVersion: 1, pins: [{ point: 'O-LIVES-SHAPE', value, says: 'As ever.' }] })
const knowing = (check: string) => ({ knownVersion: 1, violations: [{ check, version: 'v3', reason: 'told' }] })

const PINNED = 'pinned/O-LIVES-SHAPE/getLivesLeft'
const STALE = 'known violations'

test.runIf(everything).each([
  ['fails the test of a point that differs', 'bare number', 'lives/is-served', [PINNED, STALE]],
  ['fails no test because of a known violation', 'bare number', PINNED, []],
  ['fails a test of its own for a stale entry of the known violations', 'number at /lives_left', PINNED, [STALE]],
])('a run under a profile %s', async (_, value, known, failing) => {
  const folder = mkdtempSync(join(tmpdir(), 'cats-vitest-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [CATS_PROFILE, CATS_KNOWN] = [join(folder, 'profile.json'), join(folder, 'known.json')]
  writeFileSync(CATS_PROFILE, JSON.stringify(pinning(value)))
  writeFileSync(CATS_KNOWN, JSON.stringify(knowing(known)))
  const { baseUrl, close } = await startService()
  onTestFinished(close)
  const env = { CATS_BASE_URL: baseUrl, CATS_EFFORT: 'quick', CATS_PROFILE, CATS_KNOWN }
  const { code, having, output } = await runSuites(env)
  expect(
    having('failed').map((title) => title.split(': ', 1)[0]),
    output,
  ).toEqual(failing)
  expect(code).toBe(failing.length > 0 ? 1 : 0)
  expect(having('passed').some((title) => title.startsWith('lives/is-served: '))).toBe(true)
})

test.runIf(everything)('options that only the command supports are refused, and no request is sent', async () => {
  const { code, output, results } = await runSuites({
    CATS_BASE_URL: 'http://127.0.0.1:1',
    CATS_AGAINST: 'report.json',
  })
  expect([code, results]).toEqual([1, []])
  expect(times(output, 'CATS_AGAINST: only the command uses this option, not vitest.')).toBe(1)
})

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { formats } from '../../../reports/formats.ts'
import type { ReportFinding } from '../../../reports/report/report.ts'
import {
  type CommandResult,
  conformantDirectory,
  createCleanEnvironment,
  createTemporaryFolder,
  deploy,
  deployDirectory,
  directoryWithOneCatMissing,
  packageRoot,
  type RunningStub,
  readReport,
  runCli,
} from '../command/cli.test.support.ts'

const CURL_IS_HERE = spawnSync('curl', ['--version']).status === 0

/** Variables that make a run ignore the `.env` of this repository and the default effort of the tests. */
const neutralVariables = { CATS_NO_ENV_FILE: '1', CATS_EFFORT: '' }

/** Judges in the package's own folder, so that the replay commands of the report work there. */
function judgeInPackage({ origin }: RunningStub): Promise<CommandResult> {
  return runCli(['--base-url', origin], { cwd: packageRoot, env: neutralVariables })
}

/** Runs a command in a shell, as a user who pastes it from a finding. */
async function runInShell(
  line: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string }> {
  const child = spawn('sh', ['-c', line], {
    cwd: packageRoot,
    env: { ...createCleanEnvironment(), ...neutralVariables, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill())
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code: child.exitCode, stdout }
}

const failuresIn = (reports: string) =>
  readReport(reports).checks.flatMap(({ id, version, status, finding }) =>
    status === 'fail' ? [{ id, version, counterexample: finding?.counterexample }] : [],
  )

function findingIn(reports: string): ReportFinding {
  const finding = readReport(reports).checks.find(({ status }) => status === 'fail')?.finding
  if (finding === undefined) throw new Error('the report has no finding')
  return finding
}

const bodyOf = (response: string): unknown => JSON.parse(response.slice(response.indexOf('\r\n\r\n')))

/** Creates a directory whose v3 search responds 500 to an apostrophe. */
const createDirectoryFailingAtApostrophes = () =>
  deploy(({ url = '' }, response) => {
    const query = url.startsWith('/v3/search') ? new URL(url, 'http://x').searchParams.get('q') : ''
    const value = conformantDirectory(url)
    response.writeHead(query?.includes("'") ? 500 : value === undefined ? 404 : 200)
    response.end(JSON.stringify(value ?? null))
  })

/** Creates a directory that responds 404 for the lives of cats with a plus sign in their name. */
const createDirectoryWithoutPlusSigns = () =>
  deployDirectory((target) =>
    target.endsWith('/lives_left')
      ? conformantDirectory(target.replaceAll(/\+|%2B/gi, '%20'))
      : conformantDirectory(target),
  )

/** Deployments with one defect each, with the expected finding and the responses to its curl lines. */
const defects: readonly {
  readonly name: string
  readonly start: () => Promise<RunningStub>
  readonly found: { readonly id: string; readonly version: 'v2' | 'v3'; readonly counterexample: string | undefined }
  readonly isShownBy: (responses: readonly string[]) => void
}[] = [
  {
    name: 'a cat left out of a list',
    start: () => deployDirectory(directoryWithOneCatMissing),
    found: { id: 'membership/breed-cats-are-listed', version: 'v2', counterexample: undefined },
    isShownBy: ([all = '', catsOfBreed = '', ...others]) => {
      expect(others).toEqual([])
      expect(bodyOf(all)).not.toContain('Luna')
      expect(bodyOf(catsOfBreed)).toContain('Luna')
    },
  },
  {
    name: 'a name that is not understood',
    start: createDirectoryWithoutPlusSigns,
    found: { id: 'lives/is-served', version: 'v3', counterexample: '"C++"' },
    isShownBy: ([lives = '', all = '', ...others]) => {
      expect(others).toEqual([])
      expect(bodyOf(all)).toContain('C++')
      expect(lives).toMatch(/^HTTP\/1\.1 404 /)
    },
  },
  {
    name: 'a query that breaks the service',
    start: createDirectoryFailingAtApostrophes,
    found: { id: 'search/survives-every-string', version: 'v3', counterexample: '"\'"' },
    isShownBy: ([response = '', ...others]) => {
      expect(others).toEqual([])
      expect(response).toMatch(/^HTTP\/1\.1 500 /)
    },
  },
]

type Found = (typeof defects)[number]['found']

function expectOnTerminal({ stdout }: CommandResult, { id, version }: Found): void {
  expect(stdout).toMatch(new RegExp(`^✗ .+\n(?:  .+\n)*  ${id}  ${version}$`, 'm'))
  for (const label of ['requirement', 'request', 'response', 'expected', 'again']) {
    expect(stdout).toMatch(new RegExp(`^  ${label} +\\S`, 'm'))
  }
}

function expectInFiles({ reports }: CommandResult, found: Found): void {
  expect(readdirSync(reports).sort()).toEqual(Object.keys(formats).sort())
  expect(failuresIn(reports)).toEqual([found])
  const { verdict, classes, exchanges, startedAt } = readReport(reports)
  const sinceStart = exchanges.map(({ askedAt }) => Math.abs(Date.parse(askedAt) - Date.parse(startedAt)))
  expect(Math.max(...sinceStart)).toBeLessThan(60_000)
  expect([verdict, classes[found.version]]).toEqual(['nonconformant', 'nonconformant'])
  const junit = readFileSync(join(reports, 'junit.xml'), 'utf8')
  const [group, requirement] = found.id.split('/')
  const testcase = `<testcase classname="${group}" name="${requirement} [${found.version}]" time="`
  expect(junit.slice(junit.indexOf(testcase) + testcase.length)).toMatch(/^[\d.]+">\n +<failure message="\S/)
  expect(junit.match(/<failure /g)).toHaveLength(1)
  expect(junit).toMatch(/<testsuites .* failures="1"/)
}

async function runCurlLines(lines: readonly string[]): Promise<string[]> {
  const responses = await Promise.all(lines.map((line) => runInShell(line)))
  expect(responses.map(({ code }) => code)).toEqual(lines.map(() => 0))
  return responses.map(({ stdout }) => stdout)
}

async function expectRepeated(replay: string, found: Found): Promise<void> {
  const CATS_REPORT_DIR = join(createTemporaryFolder(), 'replayed')
  const { code, stdout } = await runInShell(replay, { CATS_REPORT_DIR })
  expect(code, stdout).toBe(1)
  expect(failuresIn(CATS_REPORT_DIR)).toEqual([found])
}

describe('exit code 1 and one finding on the terminal and in every file', () => {
  test.each(defects.map((defect) => [defect.name, defect] as const))(
    '%s is one finding on the terminal and in every file, with lines for curl and for a replay that reproduce it',
    async (_, { start, found, isShownBy }) => {
      const deployment = await start()
      const ended = await judgeInPackage(deployment)
      expect([ended.code, ended.stderr], ended.stdout).toEqual([1, ''])
      expectOnTerminal(ended, found)
      expectInFiles(ended, found)
      const { curl, replay } = findingIn(ended.reports)
      expect(curl.length).toBeGreaterThan(0)
      if (CURL_IS_HERE) isShownBy(await runCurlLines(curl))
      expect(replay).toContain(`--base-url ${deployment.origin} `)
      await expectRepeated(replay, found)
    },
  )
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import {
  cliPath,
  conformantDirectory,
  createCleanEnvironment,
  createTemporaryFolder,
  deployDirectory,
  packageRoot,
  type RunningStub,
  removeProgressLines,
  runCli,
  runCliProcess,
} from './cli.test.support.ts'

const at = ({ origin }: RunningStub, ...options: string[]): string[] => ['--base-url', origin, ...options]

/** Wrong uses of the command, each with a pattern of the expected error message. */
const misuses: readonly [what: string, options: (deployment: RunningStub) => string[], complaint: RegExp][] = [
  [
    'a base URL that is not http(s)',
    ({ origin }) => ['--base-url', origin.replace('http', 'ftp')],
    /^--base-url: .*http or https URL/,
  ],
  [
    'a base URL without a scheme',
    ({ origin }) => ['--base-url', origin.slice(7)],
    /^--base-url: [^]*hint .*http:\/\/127\.0\.0\.1/,
  ],
  ['a base URL with a query', ({ origin }) => ['--base-url', `${origin}/?q=a`], /^--base-url: the URL has a query/],
  ['a base URL with a fragment', ({ origin }) => ['--base-url', `${origin}/#a`], /^--base-url: the URL has a fragment/],
  [
    'a base URL with credentials',
    ({ origin }) => ['--base-url', origin.replace('//', '//tom:hunter2@')],
    /^--base-url: the URL contains credentials[^]*--token[^]*--header/,
  ],
  ['a version other than v2 or v3', (one) => at(one, '--versions', 'v2,v4'), /^--versions: "v4"[^]*v2, v3/],
  ['an unknown option', (one) => at(one, '--concurency', '2'), /^--concurency: [^]*did you mean --concurrency\?/],
  ['an argument that belongs to no option', ({ origin }) => [origin], /^argument 1: [^]*--base-url http:\/\/127/],
  ['a header without a colon', (one) => at(one, '--header', 'X-Key hunter2'), /^--header: there is no colon/],
  ['a token with a blank', (one) => at(one, '--token', 'Bearer hunter2'), /^--token: the token contains a space/],
  ['an unknown check', (one) => at(one, '--only', 'serach/'), /^--only: no check is called "serach\/"/],
  ['an unknown check to explain', (one) => at(one, '--explain', 'cats/is-servd'), /^--explain: [^]*cats\/is-served/],
  [
    'a file of another kind',
    (one) => at(one, '--known', join(packageRoot, 'package.json')),
    /^--known ".+": it must have the key "knownVersion"\.\n {2}expected .+--write-known.+\n {2}hint {6}check the content of the file/,
  ],
  // Options that do not exist must be refused, not ignored.
  ...['--colour', '--output', '--threads'].map((option): (typeof misuses)[number] => [
    `the option ${option}, which does not exist,`,
    (one) => at(one, option),
    RegExp(`^${option}: there is no such option`),
  ]),
]

test.runIf(process.platform === 'linux')(
  'the terminal has the verdict if no report can be written, and exit code 4 and a message say what is missing',
  async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const reports = join(createTemporaryFolder(), 'reports')
    // Simulates a full disk: the limit `ulimit -f 8` forbids larger files.
    const line = `ulimit -f 8; exec "$0" "$1" --base-url ${origin} --report-dir ${reports}`
    const child = spawn('bash', ['-c', line, process.execPath, cliPath], {
      cwd: createTemporaryFolder(),
      env: createCleanEnvironment(),
    })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    expect([child.exitCode, readdirSync(reports)], stderr).toEqual([4, []])
    expect(stdout).toMatch(/conformant/)
    expect(removeProgressLines(stderr)).toMatch(/^Cannot write report\.json to ".+": .+\(EFBIG\)\. .+--report-dir/)
  },
)

describe('invalid input', () => {
  test.each(misuses)(
    '%s ends the command with exit code 2, a clear message and no request',
    async (_, options, complaint) => {
      const deployment = await deployDirectory(conformantDirectory)
      const { code, stdout, stderr, reports } = await runCli(options(deployment))
      expect([code, stdout, deployment.connections(), existsSync(reports)]).toEqual([2, '', 0, false])
      expect(stderr).toMatch(complaint)
      expect(stderr).toMatch(/\n {2}expected {2}\S.*\n {2}hint {6}\S.*\n$/)
      expect(stderr).not.toMatch(/hunter2|^ +at /m)
    },
  )

  test('a misspelled variable ends the command with exit code 2, a clear message and no request', async () => {
    const deployment = await deployDirectory(conformantDirectory)
    const { code, stdout, stderr } = await runCliProcess(at(deployment), { env: { CATS_TOKNE: 'hunter2' } })
    expect([code, stdout, deployment.connections()]).toEqual([2, '', 0])
    expect(stderr).toMatch(/^CATS_TOKNE: [^]*did you mean CATS_TOKEN\?/)
    expect(stderr).not.toContain('hunter2')
  })

  test.each([
    ['CATS_ONLY', 'kats/', /^CATS_ONLY \(\.env, line 2\): no check is called "kats\/"/],
    ['CATS_PROFILE', 'none.json', /^CATS_PROFILE \(\.env, line 2\): "none\.json" cannot be read/],
    ['CATS_KNOWN', join(packageRoot, 'package.json'), /^CATS_KNOWN \(\.env, line 2\) ".+": it must have the key/],
    ['CATS_EVENTS', 'none/events', /^CATS_EVENTS \(\.env, line 2\): "none\/events" cannot be written/],
  ])(
    'a value of %s that is found to be wrong late is reported for the variable, not for the option',
    async (name, value, complaint) => {
      const deployment = await deployDirectory(conformantDirectory)
      const cwd = createTemporaryFolder()
      writeFileSync(join(cwd, '.env'), `\n${name}=${value}\n`)
      const { code, stdout, stderr } = await runCli(at(deployment), { cwd })
      expect([code, stdout, deployment.connections()]).toEqual([2, '', 0])
      expect(stderr).toMatch(complaint)
    },
  )

  test('an unreadable .env ends the command with exit code 2, a clear message and no request', async () => {
    const deployment = await deployDirectory(conformantDirectory)
    const cwd = createTemporaryFolder()
    mkdirSync(join(cwd, '.env'))
    const { code, stdout, stderr } = await runCli(at(deployment), { cwd })
    expect([code, stdout, deployment.connections()]).toEqual([2, '', 0])
    expect(stderr).toMatch(/^\.env: the file \.env exists but cannot be read \(EISDIR\)/)
  })

  test('a report directory that is a file ends the command with exit code 2, a clear message and no request', async () => {
    const deployment = await deployDirectory(conformantDirectory)
    const file = join(createTemporaryFolder(), 'file')
    writeFileSync(file, 'keep me')
    const { code, stdout, stderr } = await runCli(at(deployment, '--report-dir', file))
    expect([code, stdout, deployment.connections()]).toEqual([2, '', 0])
    expect(stderr).toMatch(/^--report-dir: Cannot write the report/)
  })
})

import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  conformantDirectory,
  createCleanEnvironment,
  createTemporaryFolder,
  deployDirectory,
  directoryWithOneCatMissing,
  firstLineOf,
  packageRoot,
  readReport,
  runCli,
  runCliProcess,
} from './cli.test.support.ts'

const quick = ['--effort', 'quick']

function folderWith(dotenv: string): string {
  const cwd = createTemporaryFolder()
  writeFileSync(join(cwd, '.env'), dotenv)
  return cwd
}

describe('input that decides what is judged', () => {
  test.each(['CATS_BASE_URL', 'CATS_AGAINST', 'CATS_PROFILE', 'CATS_KNOWN', 'CATS_ONLY'])(
    'the command refuses an empty %s in the environment',
    async (name) => {
      const { code, stdout, stderr } = await runCliProcess(quick, { env: { [name]: '' } })
      expect([code, stdout]).toEqual([2, ''])
      expect(firstLineOf(stderr)).toBe(`${name}: the variable is set, but its value is empty.`)
    },
  )

  test('an empty CATS_BASE_URL in the environment is not filled from .env', async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const cwd = folderWith(`CATS_BASE_URL=${origin}`)
    expect((await runCli(quick, { cwd, env: { CATS_BASE_URL: ' ' } })).code).toBe(2)
  })

  test('an empty line of .env is unset, and so is a variable that the command line overrides', async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const cwd = folderWith('CATS_ONLY=\nCATS_BASE_URL=')
    const { code, stdout } = await runCli([...quick, '--base-url', origin], { cwd, env: { CATS_BASE_URL: '' } })
    expect(code, stdout).toBe(0)
    expect(stdout).not.toMatch(/selected/)
  })
})

describe('a run without a base URL', () => {
  test.each(['true', '1'])('the packaged command refuses to judge the embedded service if CI is %s', async (ci) => {
    const { code, stdout, stderr } = await runCliProcess(quick, { env: { CI: ci } })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      /^--base-url: is missing, and CI is set: your deployment would not be tested\.\n[^]*--embedded/,
    )
  })

  test.each([
    ['where CI is false', [], 'false'],
    ['in CI with --embedded', ['--embedded'], 'true'],
  ])('the packaged command judges the embedded service %s', async (_, args, ci) => {
    const { code, stdout } = await runCli([...quick, ...args], { env: { CI: ci } })
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('embedded reference service')
  })

  test('npm run conformance in a clone judges the embedded service in CI, too', async () => {
    const env = { ...createCleanEnvironment(), CI: 'true', CATS_REPORT_DIR: join(createTemporaryFolder(), 'r') }
    const args = ['run', '-s', 'conformance', '--', ...quick, '--no-env-file', '--only', 'service/answers']
    const code = await new Promise((resolve) => {
      const child = execFile('npm', args, { cwd: packageRoot, env }, () => resolve(child.exitCode))
    })
    expect(code).toBe(0)
  })

  test('--embedded on the command line overrides a base URL from the environment, and excludes --base-url', async () => {
    const { origin, connections } = await deployDirectory(conformantDirectory)
    const { code } = await runCli([...quick, '--embedded', '--only', 'cats/'], { env: { CATS_BASE_URL: origin } })
    expect([code, connections()]).toEqual([0, 0])
    const both = await runCli(['--embedded', '--base-url', origin])
    expect([both.code, firstLineOf(both.stderr)]).toEqual([2, '--embedded: cannot be combined with --base-url.'])
  })
})

describe('options from sources other than the command line', () => {
  test('each report names the source of options from the environment, and a run of some checks says so', async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const cwd = folderWith('# ours\nCATS_ONLY=service/answers\n')
    const env = { GITHUB_ACTIONS: 'true', CATS_TOKEN: 'secret-token-1' }
    const { code, stdout, reports } = await runCli([...quick, '--base-url', origin], { cwd, env })
    expect(code).toBe(0)
    const selected = /\b1 of \d{2,} checks selected\b/
    expect(stdout).toContain('--only service/answers (.env, line 2)')
    expect(stdout).toContain('--token (environment)')
    expect(stdout).not.toContain('secret-token-1')
    const lastLine = /\n… partial · [^]*?--seed/.exec(stdout)?.[0].replaceAll('\n', ' ')
    expect(lastLine).toMatch(selected)
    expect(stdout).toMatch(
      /^::warning title=Conformance%3A only selected checks ran::1 of \d+ checks selected by --only/m,
    )
    const read = (name: string) => readFileSync(join(reports, name), 'utf8')
    expect(read('summary.md')).toMatch(selected)
    expect(read('summary.md')).toContain('`--only service/answers (.env, line 2)`')
    expect(read('badge.json')).toMatch(selected)
    const { selected: some, outsideOptions } = readReport(reports)
    expect(some?.checks).toBe(1)
    expect(outsideOptions).toContainEqual({ option: '--token', source: 'environment' })
  })

  test('options from the environment that select checks are named even if the run fails', async () => {
    const { origin } = await deployDirectory(directoryWithOneCatMissing)
    const { code, reports } = await runCli([...quick, '--base-url', origin, '--only', 'parity/'])
    expect(code).toBe(1)
    expect(readFileSync(join(reports, 'badge.json'), 'utf8')).toMatch(/nonconformant · \d+ of \d+ checks selected/)
  })

  test('options are not read from .env with --no-env-file, which .env itself cannot contain', async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const cwd = folderWith('CATS_ONLY=service/answers\nnot an assignment')
    const args = [...quick, '--base-url', origin]
    const { code, stdout } = await runCli([...args, '--no-env-file'], { cwd })
    expect([code, /selected/.test(stdout)]).toEqual([0, false])
    expect((await runCli(args, { cwd, env: { CATS_NO_ENV_FILE: '1' } })).code).toBe(0)
    const refused = await runCli(args, { cwd: folderWith('CATS_NO_ENV_FILE=1') })
    expect([refused.code, firstLineOf(refused.stderr)]).toEqual([
      2,
      'CATS_NO_ENV_FILE (.env, line 1): the variable has no effect in the file .env.',
    ])
  })
})

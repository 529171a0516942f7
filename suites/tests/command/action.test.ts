import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  cliPath,
  createCleanEnvironment,
  createTemporaryFolder,
  deployDirectory,
  directoryWithOneCatMissing,
  packageRoot,
} from './cli.test.support.ts'

const folder = join(packageRoot, '.github', 'actions', 'conformance')

/** Writes a shell script into a folder of the PATH. It replaces the program of that name, e.g. `npm`. */
const replaceProgram = (cwd: string, name: string, lines: string): void =>
  writeFileSync(join(cwd, name), `#!/usr/bin/env bash\n${lines}\n`, { mode: 0o755 })

interface Step {
  readonly code: number
  readonly stdout: string
  /** Outputs that the step wrote to the file GITHUB_OUTPUT. */
  readonly outputs: Readonly<Record<string, string>>
  readonly page: string
  /** The arguments of the step's call of `npm`, and the variables of this suite that npm received. */
  readonly npm: string
}

/**
 * Runs one script of the GitHub action with the variables of a runner. `npm` is replaced by a script that only logs its
 * arguments.
 */
function runStep(script: string, env: Readonly<Record<string, string>>, dotenv?: string): Promise<Step> {
  const cwd = createTemporaryFolder()
  const fileOf = (name: string, text = '') => {
    writeFileSync(join(cwd, name), text)
    return join(cwd, name)
  }
  if (dotenv !== undefined) fileOf('.env', dotenv)
  const [output, page, npm] = [fileOf('output'), fileOf('page'), fileOf('npm-calls')]
  replaceProgram(cwd, 'npm', `{ echo "npm $*"; env | grep -E '^CATS_' || true; } >>${npm}`)
  const all = {
    ...createCleanEnvironment(),
    PATH: `${cwd}:${process.env['PATH']}`,
    GITHUB_ACTIONS: 'true',
    GITHUB_JOB: 'conformance',
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: page,
    RUNNER_TEMP: cwd,
    INPUT_INCONCLUSIVE: 'fail',
    ...env,
  }
  return new Promise((resolve) => {
    const child = execFile('bash', [script], { cwd, env: all }, (_, stdout) =>
      resolve({
        code: child.exitCode ?? -1,
        stdout,
        outputs: Object.fromEntries(
          readFileSync(output, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => line.split(/=(.*)/s).slice(0, 2)),
        ),
        page: readFileSync(page, 'utf8'),
        npm: readFileSync(npm, 'utf8'),
      }),
    )
  })
}

/** Runs the step of the GitHub action that judges a deployment, as if an earlier step had installed this checkout. */
const runJudgeStep = (env: Readonly<Record<string, string>>, dotenv?: string): Promise<Step> => {
  const inputs = { CATS_TOKEN: '', CATS_REPORT_DIR: 'cat-directory-report', INPUT_CLI: cliPath, INPUT_JOB_INDEX: '0' }
  return runStep(join(folder, 'judge.sh'), { ...inputs, ...env }, dotenv)
}

const install = (env: Readonly<Record<string, string>>, root = packageRoot): Promise<Step> =>
  runStep(join(root, '.github', 'actions', 'conformance', 'install.sh'), { INPUT_VERSION: '', ...env })

/** Creates a checkout of the action in which nothing is installed or compiled. */
function createFreshCheckout(): string {
  const root = createTemporaryFolder()
  cpSync(folder, join(root, '.github', 'actions', 'conformance'), { recursive: true })
  return root
}

test('the action runs the suite, annotates findings, writes the job summary and returns the exit code', async () => {
  const { origin } = await deployDirectory(directoryWithOneCatMissing)
  const { code, stdout, outputs, page } = await runJudgeStep({
    CATS_BASE_URL: origin,
    INPUT_OPTIONS: '  --effort\t\nquick \r\n\n--versions\nv2,v3\n',
  })
  expect([code, outputs['exit-code']]).toEqual([1, '1'])
  expect(stdout).toMatch(/^::error title=/m)
  expect(page).toMatch(/^# ✗ nonconformant/)
})

test.each([
  ['fail', 3],
  ['warn', 0],
])('the action maps an inconclusive run with %s to exit code %i', async (wanted, expected) => {
  const { code, outputs } = await runJudgeStep({ CATS_BASE_URL: 'http://127.0.0.1:9', INPUT_INCONCLUSIVE: wanted })
  expect([code, outputs['exit-code']]).toEqual([expected, '3'])
})

test('the install step gets no secret, and installs the runtime dependencies without install scripts', async () => {
  const secrets = { CATS_TOKEN: 'tok-3f9a61c2', CATS_HEADER: 'X-Api-Key: tok-3f9a61c2' }
  const root = createFreshCheckout()
  const { code, npm, outputs } = await install(secrets, root)
  expect(npm).toBe('npm ci --omit=dev --no-audit --no-fund --loglevel=error --ignore-scripts\n')
  const runsSources = Boolean(Object.entries(process.features).find(([name]) => name === 'typescript')?.[1])
  expect([code, outputs['cli']]).toEqual(runsSources ? [0, join(root, 'suites', 'cli.ts')] : [2, undefined])
})

test.each(['', ' '])('the action fails without a run for the base URL %j', async (url) => {
  const { code, outputs, stdout } = await runJudgeStep({ CATS_BASE_URL: url, INPUT_CLI: 'not there' })
  expect([code, outputs['exit-code']]).toEqual([2, '2'])
  expect(stdout).toBe(
    '::error title=Conformance::The input base-url is empty, so no deployment was tested. Set base-url to the URL of the deployment.\n',
  )
})

test('the action does not read a .env of the repository', async () => {
  const { origin } = await deployDirectory(directoryWithOneCatMissing)
  const env = { CATS_BASE_URL: origin, INPUT_OPTIONS: '--effort\nquick' }
  const { code, page } = await runJudgeStep(env, 'CATS_ONLY=service/answers')
  expect(code).toBe(1)
  expect(page).not.toMatch(/checks selected|\.env/)
})

test('another version of the suite is installed from npm, by the step without secrets', async () => {
  const { code, npm, outputs } = await install({
    CATS_TOKEN: 'tok-3f9a61c2',
    INPUT_VERSION: 'git+https://git.example/cat-directory-conformance.git#v0.1.0',
  })
  expect(npm).toMatch(
    /^npm install --omit=dev .* -- git\+https:\/\/git\.example\/cat-directory-conformance\.git#v0\.1\.0\n$/,
  )
  expect([code, outputs['cli']]).toEqual([
    0,
    expect.stringMatching(/cat-directory-conformance\/dist\/suites\/cli\.js$/),
  ])
})

test('no step of the action gets a secret, except the one that runs the suite', () => {
  const [, ...steps] = readFileSync(join(folder, 'action.yml'), 'utf8').split(/^ {4}- /m)
  const withSecrets = steps.filter((text) => /inputs\.(token|options)/.test(text))
  expect(withSecrets.map((text) => text.split('\n')[0])).toEqual(['id: judge'])
})

test('"inconclusive" accepts its two values only', async () => {
  const { code, stdout, npm } = await install({ INPUT_INCONCLUSIVE: 'wran' })
  expect([code, npm]).toEqual([2, ''])
  expect(stdout).toMatch(/^::error title=[^:]+::The input "inconclusive" is neither/)
})

test('artifacts of different jobs, matrix entries, deployments and folders have different names', async () => {
  const usual = { CATS_BASE_URL: 'http://127.0.0.1:9', INPUT_OPTIONS: '--version' }
  const names = await Promise.all(
    [
      {},
      { GITHUB_JOB: 'release' },
      { INPUT_JOB_INDEX: '1' },
      { CATS_BASE_URL: 'http://127.0.0.1:9/api' },
      { CATS_REPORT_DIR: 'out/"staging"' },
      { INPUT_ARTIFACT_NAME: 'reports of mine' },
    ].map(async (env) => (await runJudgeStep({ ...usual, ...env })).outputs['artifact-name']),
  )
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[\w.-]+$/)
})

test('actions of others are pinned to the hash of a commit', () => {
  const action = readFileSync(join(folder, 'action.yml'), 'utf8')
  const used = [...action.matchAll(/uses: (\S+)/g)].map(([, name = '']) => name)
  expect(used.length).toBeGreaterThan(0)
  for (const name of used) expect(name).toMatch(/@[0-9a-f]{40}$/)
})

test('the page on CI uses the action by its path, because it is not published', () => {
  const page = readFileSync(join(packageRoot, 'suites', 'docs', 'ci.md'), 'utf8')
  const used = [...page.matchAll(/uses: (\S*actions\/conformance\S*)/g)].map(([, name]) => name)
  expect(used).toEqual(['./conformance/.github/actions/conformance'])
})

test('an option with blanks or quotes is one option, not a command', async () => {
  const { code, stdout } = await runJudgeStep({
    CATS_BASE_URL: 'http://127.0.0.1:9',
    INPUT_OPTIONS: '--header\nX-A: "$(echo no)"; `echo no`\n--only\n$(echo cats/)',
  })
  expect(code).toBe(2)
  expect(stdout).toBe('')
})

test('no input of the action is inserted into the text of a script', () => {
  const action = readFileSync(join(folder, 'action.yml'), 'utf8')
  const scripts = action.split('\n').filter((line) => /^\s+run:/.test(line))
  expect(scripts).toEqual(['install.sh', 'judge.sh'].map((script) => `      run: bash "$GITHUB_ACTION_PATH/${script}"`))
})

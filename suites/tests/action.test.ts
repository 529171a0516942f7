import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  cleanEnvironment,
  cli,
  deployDirectory,
  lacksOneCat,
  packageRoot,
  temporaryFolder,
} from './cli.test.support.ts'

const folder = join(packageRoot, '.github', 'actions', 'conformance')

/** What the runner sees of one run of the action's script; where a version is named, `npx` says which, and is this checkout. */
function run(
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; stdout: string; outputs: string; page: string }> {
  const cwd = temporaryFolder()
  const [output, page, npx] = ['output', 'page', 'npx'].map((name) => join(cwd, name))
  if (output === undefined || page === undefined || npx === undefined) throw new Error('three names give three paths')
  writeFileSync(output, '')
  writeFileSync(page, '')
  writeFileSync(
    npx,
    `#!/usr/bin/env bash\necho "$3"\nshift 4\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(cli)} "$@"\n`,
    { mode: 0o755 },
  )
  const all = {
    ...cleanEnvironment(),
    PATH: `${cwd}:${process.env['PATH']}`,
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: page,
    INPUT_VERSION: '',
    INPUT_INCONCLUSIVE: 'fail',
    CATS_TOKEN: '',
    ...env,
  }
  return new Promise((resolve) => {
    const child = execFile('bash', [join(folder, 'judge.sh')], { cwd, env: all }, (_, stdout) =>
      resolve({
        code: child.exitCode ?? -1,
        stdout,
        outputs: readFileSync(output, 'utf8'),
        page: readFileSync(page, 'utf8'),
      }),
    )
  })
}

test('the action judges, annotates, writes the page of the job, and tells its exit code', async () => {
  const { origin } = await deployDirectory(lacksOneCat)
  const { code, stdout, outputs, page } = await run({
    CATS_BASE_URL: origin,
    INPUT_OPTIONS: '--effort\nquick\n--versions\nv2,v3\n',
  })
  expect([code, outputs]).toEqual([1, 'exit-code=1\n'])
  expect(stdout).toMatch(/^::error title=/m)
  expect(page).toMatch(/^# ✗ nonconformant/)
})

test.each([
  ['fail', 3],
  ['warn', 0],
])('a run that comes to no verdict is to %s: %i', async (wanted, expected) => {
  const { code, outputs } = await run({ CATS_BASE_URL: 'http://127.0.0.1:9', INPUT_INCONCLUSIVE: wanted })
  expect([code, outputs]).toEqual([expected, 'exit-code=3\n'])
})

test('another version of the suite is taken from npm', async () => {
  const { code, stdout } = await run({
    CATS_BASE_URL: 'http://127.0.0.1:9',
    INPUT_VERSION: 'cat-directory-conformance@0.1',
  })
  expect([code, stdout.split('\n', 1)]).toEqual([3, ['cat-directory-conformance@0.1']])
})

test('an option with blanks or quotes is one option, not a command', async () => {
  const { code, stdout } = await run({
    CATS_BASE_URL: 'http://127.0.0.1:9',
    INPUT_OPTIONS: '--header\nX-A: "$(echo no)"; `echo no`\n--only\n$(echo cats/)',
  })
  expect(code).toBe(2)
  expect(stdout).toBe('')
})

test('no input of the action stands in the text of a script', () => {
  const action = readFileSync(join(folder, 'action.yml'), 'utf8')
  const scripts = action.split('\n').filter((line) => /^\s+run:/.test(line))
  expect(scripts).toEqual(['      run: bash "$GITHUB_ACTION_PATH/judge.sh"'])
})

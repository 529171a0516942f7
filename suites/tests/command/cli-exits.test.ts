import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { selectRowsToTest } from '../support/short.test.support.ts'
import {
  cliPath,
  conformantDirectory,
  createCleanEnvironment,
  createTemporaryFolder,
  deploy,
  deployDirectory,
  directoryWithOneCatMissing,
  extractDiagnosis,
  firstLineOf,
  readReport,
  runCli,
  startCliProcess,
} from './cli.test.support.ts'

/**
 * Runs the command in a process that first loads the module `preload`, which disturbs it, e.g. by closing its output.
 */
async function runWithPreload(preload: string, args: readonly string[] = []) {
  const reports = join(createTemporaryFolder(), 'reports')
  const options = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, cliPath, ...args]
  const child = spawn(process.execPath, options, {
    cwd: createTemporaryFolder(),
    env: { ...createCleanEnvironment(), CATS_REPORT_DIR: reports },
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr, reports }
}

describe('a failure of the command itself', () => {
  test('a Node.js that is too old is reported before anything is loaded, and gives no verdict', async () => {
    const old = "Object.defineProperty(process.versions, 'node', { value: '20.18.3' })"
    const { code, stderr } = await runWithPreload(old)
    expect([code, stderr]).toEqual([
      2,
      'This needs Node.js 20.19 or newer, and this is Node.js 20.18.3. Nothing was judged.\n',
    ])
  })

  const uncaught = [
    ['an uncaught error', "throw new Error('miau')"],
    ['an unhandled rejection', "void Promise.reject(new Error('miau'))"],
  ]
  test.each(selectRowsToTest(uncaught))(
    '%s in the command ends it with exit code 4, and is not reported as a defect of the deployment',
    async (_, happens) => {
      const { origin } = await deployDirectory(conformantDirectory, 100)
      // Disturbs the process at its first connection, not after a time: then all modules are loaded, on any machine.
      const onConnect = `import { Socket } from 'node:net'
      const { connect } = Socket.prototype
      Socket.prototype.connect = function (...to) { setImmediate(() => { ${happens} }); return connect.apply(this, to) }`
      const { code, stderr } = await runWithPreload(onConnect, ['--base-url', origin])
      expect([code, firstLineOf(stderr)]).toEqual([4, 'This suite failed, not the deployment: Error: miau'])
    },
  )

  test('a missing module ends the command with exit code 4, and is not reported as a defect of the deployment', async () => {
    const hook = `import { register } from 'node:module'
      const resolve = "export const resolve = (s, c, next) => { if (s === 'fast-check') throw new Error('no fast-check'); return next(s, c) }"
      register('data:text/javascript,' + encodeURIComponent(resolve))`
    const { code, stderr } = await runWithPreload(hook)
    expect([code, firstLineOf(stderr)]).toEqual([4, 'This suite failed, not the deployment: Error: no fast-check'])
  })

  test('a process that runs out of memory leaves no report, and no exit code of a verdict', async () => {
    const reports = join(createTemporaryFolder(), 'reports')
    const child = spawn(process.execPath, ['--max-old-space-size=12', cliPath, '--report-dir', reports], {
      cwd: createTemporaryFolder(),
      env: createCleanEnvironment(),
      stdio: 'ignore',
    })
    await once(child, 'close')
    expect([0, 1, 3]).not.toContain(child.exitCode)
    expect(existsSync(join(reports, 'report.json'))).toBe(false)
  })

  test.runIf(process.platform === 'linux')(
    'an output that cannot be written ends the command with exit code 4, after the reports are written',
    async () => {
      const { origin } = await deployDirectory(directoryWithOneCatMissing)
      const reports = join(createTemporaryFolder(), 'reports')
      const line = `exec "$0" "$1" --base-url ${origin} --effort quick --report-dir ${reports} > /dev/full`
      const child = spawn('bash', ['-c', line, process.execPath, cliPath], {
        cwd: createTemporaryFolder(),
        env: createCleanEnvironment(),
      })
      const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')])
      expect([child.exitCode, stderr]).toEqual([
        4,
        'The output is incomplete, because it could not be written (ENOSPC).\n',
      ])
      expect(readReport(reports).verdict).toBe('nonconformant')
    },
  )

  test.each(selectRowsToTest(['SIGTERM', 'SIGINT']))(
    '%s before anything else is loaded ends the command with exit code 130, and with an inconclusive report',
    async (signal) => {
      const early = `process.once('newListener', () => setImmediate(() => process.kill(process.pid, '${signal}')))`
      const { code, stderr, reports } = await runWithPreload(early)
      expect([code, stderr]).toEqual([130, ''])
      expect(readReport(reports).verdict).toBe('inconclusive')
    },
  )
})

describe('a report directory', () => {
  test('a report directory contains no report of an earlier run after the next one began', async () => {
    const whole = await deployDirectory(conformantDirectory)
    const folder = join(createTemporaryFolder(), 'reports')
    expect((await runCli(['--base-url', whole.origin, '--effort', 'quick', '--report-dir', folder])).code).toBe(0)
    const { origin, connections } = await deploy(() => {})
    const { child, ended } = startCliProcess(['--base-url', origin, '--report-dir', folder])
    while (connections() === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5))
    child.kill('SIGKILL')
    await ended
    for (const name of ['report.json', 'junit.xml', 'badge.json', 'summary.md', 'exchanges.har', 'findings.sh'])
      expect(existsSync(join(folder, name)), name).toBe(false)
  })

  test.each(['report.json', 'junit.xml', 'summary.md'])(
    'a report directory keeps a %s that the suite did not write',
    async (name) => {
      const { origin, connections } = await deployDirectory(conformantDirectory)
      const folder = join(createTemporaryFolder(), 'reports')
      mkdirSync(folder)
      writeFileSync(join(folder, name), 'mine')
      const { code, stderr } = await runCli(['--base-url', origin, '--report-dir', folder])
      expect([code, connections(), readFileSync(join(folder, name), 'utf8')]).toEqual([2, 0, 'mine'])
      expect(stderr).toMatch(/^--report-dir: the file \S+ exists, but this suite did not write it\.\n/)
    },
  )
})

// Clause V3.4 of the contract.
describe('a run of selected checks', () => {
  test('a run of selected checks is never called conformant, and reports how many checks of how many passed', async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const { code, stdout, reports } = await runCli(['--base-url', origin, '--only', 'cats/'])
    const { verdict, classes, checks } = readReport(reports)
    expect([code, verdict, classes['v2']]).toEqual([0, 'partial', 'partial'])
    expect(stdout).toMatch(
      new RegExp(
        `partial · ${checks.length} of \\d+ checks selected · ${checks.length} of ${checks.length} checks passed`,
      ),
    )
    expect(stdout).not.toMatch(/(?<!in)conformant/)
  })

  test.each([
    ['search/survives-every-string', '0:0:0:99'],
    ['search/survives-every-string', '999999'],
    ['cats/is-served', '3:0'],
    ['search/finds-every-cat-by-name', '3:0'],
  ])(
    'a run of selected checks does not decide %s if its --path %s no longer leads to an input, and says so',
    async (id, path) => {
      const { origin } = await deployDirectory(conformantDirectory)
      const replay = ['--only', id, '--seed', '1', '--path', path]
      const { code, stdout, stderr, reports } = await runCli(['--base-url', origin, '--versions', 'v3', ...replay])
      const reason = `the path ${path} no longer selects an input of ${id}, because the listed names have changed: remove --path to search for a counterexample again`
      expect([code, stderr, readReport(reports).notExercised[0]], stdout).toEqual([3, '', reason])
      expect(extractDiagnosis(stdout)).toBe(reason)
    },
  )

  test('a run of selected checks reports why nothing could be judged, with an error in JUnit', async () => {
    const { origin } = await deploy(({ socket }) => socket.destroy())
    const { code, stdout, reports } = await runCli(['--base-url', origin, '--only', 'lives/'])
    expect(code, stdout).toBe(3)
    expect(extractDiagnosis(stdout)).toMatch(/closed the connection/)
    for (const { reason } of readReport(reports).checks) expect(reason).toMatch(/closed the connection/)
    expect(readFileSync(join(reports, 'junit.xml'), 'utf8')).toMatch(
      /errors="[1-9][^]*<error message="[^"]*closed the connection/,
    )
  })
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  conformantDirectory,
  createDirectoryResponder,
  createTemporaryFolder,
  deploy,
  deployDirectory,
  directoryWithOneCatMissing,
  firstLineOf,
  runCli,
} from '../command/cli.test.support.ts'

/** Judges a deployment with a defect. Returns the report, and a function that fixes the defect. */
async function judgeDefective() {
  let isFixed = false
  const { origin } = await deployDirectory((target) =>
    isFixed ? conformantDirectory(target) : directoryWithOneCatMissing(target),
  )
  const { reports, code } = await runCli(['--base-url', origin, '--seed', '5'])
  expect(code).toBe(1)
  return { origin, file: join(reports, 'report.json'), fix: () => void (isFixed = true) }
}

describe('a replay of a saved report', () => {
  test('a replay of a saved report reports what still fails, with the responses then and now, and exits with 1', async () => {
    const { file } = await judgeDefective()
    const { code, stdout } = await runCli(['--replay', file])
    expect(code, stdout).toBe(1)
    expect(stdout).toContain('still failing')
    expect(stdout).toMatch(/then +200 application\/json\n {2}now +200 application\/json, the same/)
  })

  test('a replay of a saved report reports what is fixed, with a different response, and exits with 0', async () => {
    const { file, fix } = await judgeDefective()
    fix()
    const { code, stdout } = await runCli(['--replay', file])
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/then +200 application\/json · \["Salt & .*\n {2}now +200 application\/json · \["Luna",/)
    expect(stdout).toContain('fixed')
    expect(stdout).not.toContain('still failing')
  })

  test('a replay of a saved report compares the parts of a long response that the report shows', async () => {
    const cats = Array.from({ length: 400 }, (_, index) => ({ name: `Cat ${index}`, breed: 'Korat', lives: 9 }))
    const directory = createDirectoryResponder(cats)
    let repeated = 'Cat 300'
    const { origin } = await deployDirectory((target) => {
      const value = directory(target)
      return target === '/v2/cats' && Array.isArray(value) ? [...value, repeated] : value
    })
    const { reports } = await runCli(['--base-url', origin, '--only', 'cats/', '--versions', 'v2', '--effort', 'quick'])
    const replay = () => runCli(['--replay', join(reports, 'report.json')])
    expect((await replay()).stdout).toMatch(/now +200 application\/json, the same/)
    repeated = 'Cat 299'
    expect((await replay()).stdout).not.toContain('the same')
  })

  test('a replay of a saved report names the tested deployment, which may be another one', async () => {
    const [{ file, origin }, other] = await Promise.all([judgeDefective(), deployDirectory(conformantDirectory)])
    const { stdout } = await runCli(['--replay', file, '--base-url', other.origin])
    expect(firstLineOf(stdout)).toContain(other.origin)
    expect(stdout).not.toContain(origin)
  })

  test('a replay of a saved report shows each difference in one line, without raw characters', async () => {
    let names = ['Tom\u001b[2J', ...Array.from({ length: 50 }, (_, nth) => `Cat ${nth}`)]
    const { origin } = await deployDirectory((target) =>
      /^\/v2\/cats(\?|$)/.test(target) ? names : directoryWithOneCatMissing(target),
    )
    const { reports } = await runCli(['--base-url', origin, '--only', 'parity/cats'])
    names = names.toReversed()
    const { stdout } = await runCli(['--replay', join(reports, 'report.json')])
    const lines = stdout.split('\n').filter((line) => /^ {2}(then|now) .* · /.test(line))
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(line.length).toBeLessThan(150)
    expect(stdout).not.toContain('\u001b')
  })

  test.each([['--replay'], ['--base-url', 'http://127.0.0.1:9', '--against']])(
    'an error about a file that is no report names the option and the file (%s)',
    async (...option) => {
      const file = join(createTemporaryFolder(), 'other.json')
      writeFileSync(file, '{}')
      const { code, stderr } = await runCli([...option, file])
      expect([code, firstLineOf(stderr)]).toEqual([
        2,
        expect.stringMatching(
          /^--(replay|against) ".*other\.json": Not a report of this suite: it must have the key "[a-zA-Z]+"\./,
        ),
      ])
    },
  )

  test('a replay of a saved report can be limited to an id after the file name', async () => {
    const { file } = await judgeDefective()
    const { code, stderr } = await runCli(['--replay', file, 'search/'])
    expect([code, firstLineOf(stderr)]).toEqual([2, expect.stringMatching(/contains no finding(?:s| with this id)\.$/)])
    const replayed = await runCli(['--replay', file, 'membership/'])
    expect([replayed.code, replayed.stdout]).toEqual([1, expect.stringContaining('✗ membership/')])
  })

  test('a replay of a saved report says in its first and its last line why the exit code is what it is', async () => {
    const { file, fix } = await judgeDefective()
    const failing = await runCli(['--replay', file])
    fix()
    const fixed = await runCli(['--replay', file])
    for (const [{ code, stdout }, outcomes] of [
      [failing, /1 still failing$/],
      [fixed, /1 fixed$/],
    ] as const) {
      expect(firstLineOf(stdout)).toMatch(outcomes)
      expect(stdout.trimEnd().split('\n').at(-1)).toMatch(outcomes)
      expect(stdout).toContain(`\nexit code ${code}: `)
    }
  })

  test('a replay of a saved report names each option that did not come from the command line, and the findings that it leaves out', async () => {
    const { file } = await judgeDefective()
    const report = JSON.parse(readFileSync(file, 'utf8')) as { checks: { id: string; finding?: object }[] }
    const failed = report.checks.find(({ finding }) => finding)
    const other = report.checks.find(({ id }) => id === 'cats/is-served')
    Object.assign(other ?? {}, { status: 'fail', finding: failed?.finding })
    writeFileSync(file, JSON.stringify(report))
    const cwd = createTemporaryFolder()
    writeFileSync(join(cwd, '.env'), '# ours\nCATS_ONLY=cats/is-served\nCATS_EFFORT=thorough\n')
    const { code, stdout } = await runCli(['--replay', file], { cwd })
    expect(stdout).toContain('\n  not from the command line: --only cats/is-served (.env, line 2)\n')
    expect(stdout.trimEnd()).toMatch(new RegExp(`\nexit code ${code}: 1 of 2 findings selected; 1 (fixed|undecided)$`))
  })

  test('a replay of a saved report decides nothing without a response, and exits with 3', async () => {
    const { file } = await judgeDefective()
    const { code, stdout } = await runCli(['--replay', file, '--base-url', 'http://127.0.0.1:9'])
    expect(code, stdout).toBe(3)
  })

  test('a replay of a saved report masks repeated credentials, and still compares responses by them', async () => {
    const credentials = ['--token', 'tok-3f9a61c2']
    const { origin } = await deploy(({ url = '', headers }, response) => {
      const value = directoryWithOneCatMissing(url)
      response.writeHead(value === undefined ? 404 : 200, {
        'content-type': `application/json; to="${headers.authorization}"`,
      })
      response.end(JSON.stringify(value ?? {}))
    })
    const { reports } = await runCli(['--base-url', origin, ...credentials])
    const again = ['--replay', join(reports, 'report.json'), '--base-url', origin, ...credentials]
    const { code, stdout } = await runCli(again)
    expect(code).toBe(1)
    expect(stdout).toMatch(/now +200 application\/json; to="\*\*\*", the same/)
    expect(stdout).not.toContain('tok-3f9a61c2')
  })

  test('a replay of a saved report sends no credentials to an origin that only the file names', async () => {
    const [{ file, origin }, other] = await Promise.all([judgeDefective(), deployDirectory(conformantDirectory)])
    const stolen = join(createTemporaryFolder(), 'report.json')
    writeFileSync(stolen, readFileSync(file, 'utf8').replaceAll(origin, other.origin))
    const credentials = { CATS_TOKEN: 'tok-3f9a61c2' }
    for (const args of [
      ['--replay', stolen],
      ['--replay', stolen, '--base-url', origin],
      ['--replay', stolen, '--header', 'X-Api-Key: key-3f9a61c2', '--base-url', `${origin}/v2`],
    ]) {
      const { code, stderr } = await runCli(args, { env: credentials })
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^--replay: credentials are configured/)])
    }
    expect(other.requests).toEqual([])
  })

  test('a replay of a saved report sends only paths that begin with a slash below the base URL', async () => {
    const { file, origin } = await judgeDefective()
    const oddReport = join(createTemporaryFolder(), 'report.json')
    writeFileSync(
      oddReport,
      readFileSync(file, 'utf8').replaceAll(`"${origin}/v2/cats"`, `"${origin}.example/v2/cats"`),
    )
    const { code, stdout } = await runCli(['--replay', oddReport])
    expect([code, stdout]).toEqual([1, expect.stringMatching(/example\/v2\/cats\n.*\n {2}now +not sent/)])
  })

  test('a replay of a saved report is refused if the report has nothing to replay', async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const { reports } = await runCli(['--base-url', origin])
    for (const file of [join(reports, 'report.json'), join(reports, 'no-such.json')]) {
      const { code, stderr } = await runCli(['--replay', file])
      expect(code).toBe(2)
      expect(stderr).toContain('--replay')
    }
  })
})

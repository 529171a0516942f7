import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../judge/catalogue.ts'
import { openPointObservers } from '../../open-points/index.ts'
import { wholeRunObservers } from '../../open-points/whole-run.ts'
import { parseOptions } from '../../options/options.ts'
import { APPROXIMATE_REQUEST_COUNTS, renderPlan } from '../../workflows/lookup/plan.ts'
import {
  conformantDirectory,
  createTemporaryFolder,
  deployDirectory,
  packageRoot,
  runCli,
} from '../command/cli.test.support.ts'

const planOf = (...argv: string[]) => renderPlan(parseOptions(['--plan', '--seed', '1', ...argv], {}))

/** Returns the lines of a plan that are about one check, or about one open point of the contract. */
const linesOf = (text: string, id: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(`${id} `))

describe('--plan', () => {
  test('--plan sends nothing, writes nothing and ends with 0', async () => {
    const { origin, requests } = await deployDirectory(conformantDirectory)
    const { code, stdout, stderr, reports } = await runCli(['--plan', '--base-url', origin, '--wait', '5'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^ {2}target +${origin}$`, 'm'))
    expect(requests).toEqual([])
    expect(existsSync(reports)).toBe(false)
  })

  test('--plan lists every check and every open point, and counts them', async () => {
    const text = await planOf()
    const checks = catalogue.map(({ id }) => id)
    const points = [...openPointObservers, ...wholeRunObservers].map(({ id }) => id)
    expect(checks.filter((id) => linesOf(text, id).length !== 1)).toEqual([])
    expect(points.filter((id) => linesOf(text, id).length === 0)).toEqual([])
    const verdicts = catalogue.reduce((sum, { scopes }) => sum + scopes.length, 0)
    expect(text).toMatch(new RegExp(`^ {2}checks +${catalogue.length}, or ${verdicts} if each version is counted`, 'm'))
  })

  test('--plan lists the selected checks and their prerequisites, in the judged versions', async () => {
    const text = await planOf('--only', 'lives/is-served', '--versions', 'v3')
    expect(linesOf(text, 'lives/is-served')).toEqual([expect.stringMatching(/^lives\/is-served +v3 +\w/)])
    expect(linesOf(text, 'cats/is-a-list')).toEqual([expect.stringContaining('(required by --only lives/is-served)')])
    expect(text).not.toMatch(/^search\/|O-SLASH|v2 v3/m)
  })

  test('--plan lists no comparison of versions if a single one is judged', async () => {
    const text = await planOf('--only', 'parity/', '--versions', 'v2')
    expect(text).toContain('Nothing: no selected check tests one of these versions.')
    expect(linesOf(text, 'parity/cats')).toEqual([])
  })

  test('--plan states no usual number of requests if a profile adds some', async () => {
    const profile = join(packageRoot, 'fixtures', 'contract', 'profiles', 'hal.json')
    expect(await planOf('--effort', 'quick')).toContain('O-PAGINATION')
    expect(await planOf('--effort', 'quick')).not.toContain('O-SLASH')
    const text = await planOf('--effort', 'quick', '--profile', profile)
    expect(text).toContain('O-SLASH')
    expect(text).toContain(`no profile sends about ${APPROXIMATE_REQUEST_COUNTS.quick}`)
  })

  test('--plan lists limits, methods and headers, and no secret', async () => {
    const limits = ['--rate', '20/s', '--concurrency', '2', '--max-requests', '500', '--max-time', '60']
    const text = await planOf('--token', 'hush', '--header', 'X-Api-Key: hush', ...limits)
    expect(text).toMatch(/^ {2}methods +GET; also HEAD and OPTIONS for the list of cats$/m)
    expect(await planOf('--effort', 'quick')).toMatch(/^ {2}methods +GET$/m)
    expect(text).toMatch(/^ {2}headers +accept, [^\n]*Authorization: \*{3}[^\n]*x-request-id/m)
    expect(text).toContain('X-Api-Key: ***')
    expect(text).not.toContain('hush')
    expect(text).toContain('--concurrency 2 · --rate 20/s · --retries 1 · --max-requests 500 · --max-time 60 s')
  })

  test("--plan counts the user's strings", async () => {
    const options = { ...parseOptions(['--plan'], {}), strings: ['one of mine', 'another'] }
    expect(await renderPlan(options)).toContain('; 2 strings of your own')
  })

  test('--plan states the number of requests as the page on limits does', () => {
    const readme = readFileSync(join(packageRoot, 'suites', 'docs', 'limits.md'), 'utf8')
    expect(readme).toContain(`about ${APPROXIMATE_REQUEST_COUNTS.standard} requests`)
    expect(readme).toContain(`quick effort, the suite sends at most ${APPROXIMATE_REQUEST_COUNTS.quick}`)
    expect(readme).toContain(`thorough effort, the suite sends about ${APPROXIMATE_REQUEST_COUNTS.thorough}`)
  })

  test.each([
    ['--only', ['--only', 'serach/'], 'did you mean search/?'],
    ['--replay', ['--replay', 'report.json'], 'a replay only sends the requests of its report'],
  ])('--plan refuses unsupported options: %s', async (_, options, message) => {
    const { code, stdout, stderr } = await runCli(['--plan', ...options], { cwd: createTemporaryFolder() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})

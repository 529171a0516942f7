import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import eventSchema from '../../../reports/events.schema.json' with { type: 'json' }
import reportSchema from '../../../reports/report.schema.json' with { type: 'json' }
import {
  conformantDirectory,
  createTemporaryFolder,
  deploy,
  deployDirectory,
  directoryWithOneCatMissing,
  readReport,
  runCli,
} from './cli.test.support.ts'

const quick = ['--effort', 'quick', '--seed', '1']

interface Har {
  readonly log: { readonly entries: readonly { readonly request: { readonly headers: readonly HarField[] } }[] }
}
interface HarField {
  readonly name: string
  readonly value: string
}

const harOf = (folder: string): Har => JSON.parse(readFileSync(join(folder, 'exchanges.har'), 'utf8')) as Har // the form in which renderHar wrote it

describe('each request', () => {
  test('each request has an id of its own, which exchanges.har contains', async () => {
    const { origin, requests } = await deployDirectory(conformantDirectory)
    const { reports } = await runCli(['--base-url', origin, ...quick, '--record', 'all'])
    const ids = requests.map(({ headers }) => headers['x-request-id'])
    expect(new Set(ids).size).toBe(requests.length)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    const recordedIds = harOf(reports).log.entries.map(
      ({ request }) => request.headers.find(({ name }) => name === 'x-request-id')?.value,
    )
    expect(new Set(recordedIds)).toEqual(new Set(ids))
  })

  test('a response may contain the request id, in a header and in the body, without any effect on verdicts', async () => {
    const { origin } = await deploy(({ url = '', headers }, response) => {
      const value = conformantDirectory(url)
      const id = String(headers['x-request-id'])
      response.writeHead(value === undefined ? 404 : 200, { 'x-request-id': id, vary: 'X-Request-Id' })
      response.end(JSON.stringify({ meta: { requestId: id }, data: value ?? null }))
    })
    const { code, stdout } = await runCli(['--base-url', origin, ...quick])
    expect(code, stdout).toBe(0)
  })

  test.each([
    ['no id with --no-request-id', ['--no-request-id'], undefined],
    ['the id that the user gave', ['--header', 'X-Request-ID: mine'], 'mine'],
  ])('each request carries %s', async (_, options, expected) => {
    const { origin, requests } = await deployDirectory(conformantDirectory)
    await runCli(['--base-url', origin, ...options, '--only', 'cats/is-served'])
    expect(requests.length).toBeGreaterThan(0)
    for (const { headers } of requests) expect(headers['x-request-id']).toBe(expected)
  })
})

test('the report lists every request with operation, version, time and status', async () => {
  const { origin, requests } = await deployDirectory(conformantDirectory)
  const { reports } = await runCli(['--base-url', origin, ...quick])
  const series = readReport(reports).traffic?.series ?? []
  const count = (operation: string) =>
    series.filter((one) => one.operation === operation).reduce((sum, one) => sum + one.requests.length, 0)
  expect(series.reduce((sum, one) => sum + one.requests.length, 0)).toBe(requests.length)
  expect(count('searchCats')).toBe(requests.filter(({ target }) => /^\/v[23]\/search\b/.test(target)).length)
  expect(count('getLivesLeft')).toBeGreaterThan(0)
})

describe('--events', () => {
  test('--events writes events, each in a line that is valid by the schema', async () => {
    const { origin } = await deployDirectory(directoryWithOneCatMissing)
    const file = join(createTemporaryFolder(), 'events.ndjson')
    const { code, reports } = await runCli(['--base-url', origin, ...quick, '--events', file])
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const events = lines.map((line) => JSON.parse(line) as { event: string; status?: string; exitCode?: number })
    const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
      .addSchema(reportSchema)
      .compile(eventSchema)
    expect(lines.filter((_, index) => !validate(events[index])).map((line) => line.slice(0, 100))).toEqual([])
    expect([events[0]?.event, events.at(-1)]).toMatchObject(['start', { event: 'end', exitCode: code }])
    const { checks } = readReport(reports)
    for (const kind of ['asked', 'verdict'])
      expect(events.filter(({ event }) => event === kind)).toHaveLength(checks.length)
    expect(events.some(({ status }) => status === 'fail')).toBe(true)
  })

  test.runIf(process.platform === 'linux')(
    '--events reports a lost event output and exits with 4, but keeps the verdict and the reports',
    async () => {
      const { origin } = await deployDirectory(directoryWithOneCatMissing)
      const options = ['--only', 'membership/', '--events', '/dev/full']
      const { code, stdout, stderr, reports } = await runCli(['--base-url', origin, ...options])
      expect([code, stderr]).toEqual([4, 'The events could not be written (ENOSPC): the file is incomplete.\n'])
      expect(stdout).toContain('nonconformant')
      expect(readReport(reports).verdict).toBe('nonconformant')
    },
  )

  test('--events is a usage error if the file cannot be written', async () => {
    const { code, stderr } = await runCli(['--events', join(createTemporaryFolder(), 'no', 'such', 'folder')])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^--events: .* cannot be written \(ENOENT\)/)
  })
})

describe.each(['--events', '--pin', '--write-known'])('%s', (flag) => {
  test.each(['package.json', 'report.json'])(`${flag} overwrites no %s, and sends no request`, async (name) => {
    const { origin, connections } = await deployDirectory(conformantDirectory)
    const file = join(createTemporaryFolder(), name)
    const text = JSON.stringify({ schemaVersion: 1, name: '"profileVersion": 1, "knownVersion": 1' }, null, 2)
    writeFileSync(file, text)
    const { code, stderr } = await runCli(['--base-url', origin, flag, file])
    expect([code, connections(), readFileSync(file, 'utf8')]).toEqual([2, 0, text])
    expect(stderr).toMatch(RegExp(`^${flag}: the file ${name} exists, but this suite did not write it\\.\n`))
  })

  test(`${flag} overwrites its own output and an empty file`, async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const file = join(createTemporaryFolder(), 'written')
    writeFileSync(file, '')
    for (const _ of ['first', 'again'])
      expect((await runCli(['--base-url', origin, ...quick, flag, file])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toBe('')
  })
})

test.each<[string, (folder: string) => readonly string[]]>([
  ['--events, --pin', (folder) => ['--events', join(folder, 'x'), '--pin', join(folder, '.', 'x')]],
  ['--pin, --write-known', (folder) => ['--pin', join(folder, 'x'), '--write-known', join(folder, 'x')]],
  ['--pin, --report-dir', (folder) => ['--pin', join(folder, 'report.json'), '--report-dir', folder]],
  ['--events, --report-dir', (folder) => ['--events', join(folder, 'x'), '--report-dir', join(folder, 'x')]],
])('two outputs to one place are refused (%s), and no request is sent', async (flags, options) => {
  const { origin, connections } = await deployDirectory(conformantDirectory)
  const folder = createTemporaryFolder()
  const { code, stderr } = await runCli(['--base-url', origin, ...options(folder)])
  expect([code, connections(), readdirSync(folder)]).toEqual([2, 0, []])
  expect(stderr).toMatch(RegExp(`^${flags}: both options write to `))
})

describe('a run in GitHub Actions', () => {
  test('a run in GitHub Actions annotates findings, adds the summary to the job page, and prints no other command', async () => {
    const { origin } = await deployDirectory(directoryWithOneCatMissing)
    const page = join(createTemporaryFolder(), 'page.md')
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page }
    const first = await runCli(['--base-url', origin, ...quick], { env })
    const [stopped, ...lines] = first.stdout.trimEnd().split('\n')
    const token = stopped?.split('::').at(-1) ?? ''
    expect(stopped).toBe(`::stop-commands::${token}`)
    const commands = lines.filter((line) => line.startsWith('::'))
    expect(commands[0]).toBe(`::${token}::`)
    expect(commands.length).toBeGreaterThan(1)
    for (const line of commands.slice(1)) expect(line).toMatch(/^::error title=/)
    await runCli(['--base-url', origin, ...quick], { env })
    expect(readFileSync(page, 'utf8').match(/^# ✗ nonconformant/gm)).toHaveLength(2)
  })

  test('a job page of GitHub Actions that cannot be written causes a warning and leaves the verdict', async () => {
    const { origin } = await deployDirectory(directoryWithOneCatMissing)
    const page = join(createTemporaryFolder(), 'no', 'page.md')
    const options = ['--base-url', origin, '--only', 'membership/']
    const { code, stderr, reports } = await runCli(options, { env: { GITHUB_STEP_SUMMARY: page } })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^GITHUB_STEP_SUMMARY: ".*" cannot be written \(ENOENT\)/)
    expect(stderr).not.toContain('--report-dir')
    expect(readReport(reports).verdict).toBe('nonconformant')
  })

  test('a run outside GitHub Actions prints no command of it', async () => {
    const { stdout } = await runCli(['--only', 'cats/is-served'])
    expect(stdout).not.toContain('::')
  })
})

test('--max-failures stops after enough failures: the run is nonconformant, and the remaining checks are undecided', async () => {
  const findNothing: Parameters<typeof deployDirectory>[0] = (target) =>
    /^\/v[23]\/search/.test(target) ? [] : conformantDirectory(target)
  const asked = await Promise.all(
    [['--max-failures', '1'], []].map(async (options) => {
      const { origin, requests } = await deployDirectory(findNothing)
      const { code, reports } = await runCli(['--base-url', origin, ...quick, ...options])
      const { checks } = readReport(reports)
      expect([code, checks.some(({ status }) => status === 'fail')]).toEqual([1, true])
      if (options.length > 0)
        expect(
          checks.some(({ status, reason }) => status === 'inconclusive' && reason?.includes('--max-failures 1')),
        ).toBe(true)
      return requests.length
    }),
  )
  expect(asked[0]).toBeLessThan(asked[1] ?? 0)
})

test('a replay of a finding of --max-failures uses the same quick effort', async () => {
  const { origin } = await deployDirectory(directoryWithOneCatMissing)
  const { code, reports } = await runCli(['--base-url', origin, '--max-failures', '1', '--effort', 'thorough'])
  const { effort, findings } = readReport(reports)
  expect([code, effort]).toEqual([1, 'quick'])
  for (const { finding } of findings) expect(finding.replay.match(/ --effort \S+/g)).toEqual([' --effort quick'])
})

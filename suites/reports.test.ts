import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderJson } from '../reports/json.ts'
import { renderJunit } from '../reports/junit.ts'
import { columns } from '../reports/layout.ts'
import schema from '../reports/report.schema.json' with { type: 'json' }
import { type About, buildReport } from '../reports/report.ts'
import { renderTerminal } from '../reports/terminal.ts'
import { ReportWriteError, writeReports } from '../reports/write.ts'
import type { CheckFacts, ExchangeSummary, RunResult, Scope, Status, Verdict } from './engine/verdict.ts'

const base = 'http://127.0.0.1:4010/api'
const hostile = '\u001b[2J\u009b1m]]><b>\0\u202e*_`|[x](y)\ud800\u200b\ufffe&amp;\n  ✓ conformant'
const about: About = {
  suite: { name: 'cat-directory-conformance', version: '0.1.0' },
  baseUrl: base,
  versions: ['v2', 'v3'],
  embedded: false,
  statementText: (id) => `the sentence of ${id}.`,
  command: 'npm run conformance --',
  replayOptions: ['--base-url', base],
}

const exchange = (id: number, target: string, more: Partial<ExchangeSummary> = {}): ExchangeSummary => ({
  id,
  method: 'GET',
  url: base + target,
  requestHeaders: { accept: 'application/json', 'user-agent': 'suite' },
  status: 200,
  mediaType: 'application/json',
  ms: 3,
  excerpt: '[]',
  ...more,
})

const facts = (id: string, more: Partial<CheckFacts> = {}): CheckFacts => ({
  id,
  title: `the promise of ${id}`,
  statements: ['S-SEARCH'],
  level: 'must',
  operation: 'searchCats',
  ...more,
})

type Ends = (id: string, version: Scope, status: Status, more?: Partial<Verdict>) => Verdict
const ends: Ends = (id, version, status, more) => ({ check: facts(id), version, status, asked: 0, ...more })

const passed = ends('cats/is-served', 'v2', 'pass', { asked: 1 })
const conformant: RunResult = {
  verdicts: [passed, { ...passed, version: 'v3', asked: 50, sampledFrom: 1_000_000 }],
  observations: [
    { id: 'O-SEARCH-CASE', version: 'v2', operation: 'searchCats', value: 'no', evidence: [2] },
    { id: 'O-SEARCH-CASE', version: 'v3', operation: 'searchCats', value: 'no', evidence: [2] },
  ],
  exchanges: new Map([
    [1, exchange(1, '/v3/search?q=%25', { status: 500, mediaType: 'text/plain', ms: 12, excerpt: 'boom\nbang' })],
    [2, exchange(2, '/v2/cats', { excerpt: JSON.stringify([hostile]) + hostile })],
  ]),
  conclusion: 'conformant',
  classes: { v2: 'conformant', v3: 'conformant', parity: 'conformant' },
  startedAt: new Date('2026-11-21T08:00:00.500Z'),
  durationMs: 1312.4,
  requests: 812,
  retries: 3,
  seed: 42,
  effort: 'standard',
  notExercised: ['Names longer than 8,192 octets were not tried.'],
}

const failed = ends('search/survives-every-string', 'v3', 'fail', {
  check: facts('search/survives-every-string', { title: 'Search survives every string.', statements: ['S-ROBUST'] }),
  finding: {
    expected: '2xx with a list, or 400, 404, 413, 414, 422, 431',
    actual: 'status 500',
    counterexample: '%',
    path: '22:2',
    exchanges: [1],
  },
})
const finding = { expected: hostile, actual: hostile, counterexample: hostile, exchanges: [2, 1] }
const nonconformant: RunResult = {
  ...conformant,
  verdicts: [
    passed,
    failed,
    ends('cats/has-names', 'v2', 'fail', { check: facts('cats/has-names', { title: hostile }), finding }),
    ends('parity/shapes', 'v2+v3', 'warn', { finding }),
    ends('cats/drifts', 'v3', 'inconclusive', { reason: hostile, finding }),
    ends('lives/only-in-v3', 'v2', 'error', { reason: 'TypeError: no\n  at x' }),
    ends('search/odd', 'v2', 'not-applicable', { reason: hostile }),
  ],
  observations: [{ id: 'O-LIST-SHAPE', version: 'v2', value: hostile, evidence: [] }],
  conclusion: 'nonconformant',
  classes: { v2: 'nonconformant', v3: 'nonconformant', parity: 'inconclusive' },
}
const inconclusive: RunResult = {
  ...conformant,
  verdicts: Array.from({ length: 30 }, (_, index) =>
    ends(`search/check-${index}`, 'v2', 'inconclusive', { reason: 'the prerequisite cats/is-served failed' }),
  ),
  conclusion: 'inconclusive',
  classes: { v2: 'inconclusive', v3: 'inconclusive', parity: 'inconclusive' },
}
const runs = { conformant, nonconformant, inconclusive }
const plain = { colour: false, width: 100 }
const terminal = (result: RunResult, more: Partial<About> = {}) =>
  renderTerminal(buildReport(result, { ...about, ...more }), result, plain)

describe('report.json', () => {
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema)

  it.each(Object.entries(runs))('is valid by its schema for a %s run', (_, result) => {
    const read: unknown = JSON.parse(renderJson(buildReport(result, about)))
    validate(read)
    expect(validate.errors ?? []).toEqual([])
  })

  it('is refused by its schema with a key too many, a status of its own, or a failure without a finding', () => {
    const report = buildReport(conformant, about)
    const [check] = report.checks
    const variants = [
      { ...report, more: 1 },
      ...['odd', 'fail'].map((status) => ({ ...report, checks: [{ ...check, status }] })),
    ]
    expect(variants.map((variant) => validate(variant))).toEqual([false, false, false])
  })

  it('says the same after it is read again, in ASCII where characters cannot be seen', () => {
    const report = buildReport(nonconformant, about)
    const json = renderJson(report)
    expect(JSON.parse(json)).toEqual(report)
    expect(json).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b]/)
    expect(json.endsWith('}\n')).toBe(true)
  })

  it('gives a replay line with target, seed, path, version and check', () => {
    expect(buildReport(nonconformant, about).checks[1]?.finding?.replay).toBe(
      `npm run conformance -- --base-url ${base} --seed 42 --path 22:2 --versions v3 ` +
        '--only search/survives-every-string',
    )
  })
})

describe('the terminal summary', () => {
  it('tells a finding in the fixed order', () => {
    const text = terminal(nonconformant)
    const from = text.indexOf('✗ search/')
    expect(text.slice(from, text.indexOf('✗ cats/', from))).toMatchInlineSnapshot(`
      "✗ search/survives-every-string  v3
        Search survives every string.

        promised  S-ROBUST: the sentence of S-ROBUST.
        asked     smallest input: %
                  GET http://127.0.0.1:4010/api/v3/search?q=%25
        answered  500 text/plain · 12 ms
                  │ boom
                  │ bang
        expected  2xx with a list, or 400, 404, 413, 414, 422, 431
        actual    status 500
        again     curl -sS -g -i --path-as-is --compressed -H 'Accept: application/json' \\
                    'http://127.0.0.1:4010/api/v3/search?q=%25'
                  npm run conformance -- --base-url http://127.0.0.1:4010/api --seed 42 --path 22:2 \\
                    --versions v3 --only search/survives-every-string

      "
    `)
  })

  it.each(Object.entries(runs))(
    'starts with the verdict of a %s run, and holds its lines within the width',
    (name, result) => {
      const lines = terminal(result).split('\n')
      expect(lines[1]).toContain(` ${name}  http`)
      expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(100)
    },
  )

  it('shows no control, bidi or invisible character of the deployment, and lets none forge a line', () => {
    const text = terminal(nonconformant)
    expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufffe]/)
    expect(text).not.toMatch(/\p{Cs}/u)
    expect(text).toContain('\\u{1B}[2J\\u{9B}1m]]><b>\\u{0}\\u{202E}')
    expect(text).not.toMatch(/^ {0,3}✓ conformant/m)
  })

  it('tells thirty checks behind one failed prerequisite in one line', () => {
    expect(terminal(inconclusive)).toContain('  ? 30 checks (v2): the prerequisite cats/is-served failed\n')
  })

  it('tells equal choices of both versions in one line', () => {
    expect(terminal(conformant)).toContain('O-SEARCH-CASE  searchCats v2 v3  no\n')
  })

  it('says plainly when only the embedded service was judged, and what was not judged at all', () => {
    const text = terminal(conformant, { embedded: true, versions: ['v3'], replayOptions: [] })
    expect(text).toContain('No --base-url was given')
    expect(text).toMatch(/v2 +– not judged +left out by --versions/)
  })

  it('is coloured only when told to', () => {
    const report = buildReport(nonconformant, about)
    expect(renderTerminal(report, nonconformant, { ...plain, colour: true })).toContain('\u001b[31m')
  })
})

describe('junit.xml', () => {
  const python = spawnSync('python3', ['-c', 'import xml.etree'], { encoding: 'utf8' }).status === 0
  const parse =
    'import sys,json,xml.etree.ElementTree as E\nr=E.fromstring(sys.stdin.buffer.read())\n' +
    'print(json.dumps([r.attrib,[len(list(r.iter(t))) for t in ("testcase","failure","error","skipped")]]))'

  it.each(Object.entries(runs))('counts what it holds for a %s run', (_, result) => {
    const xml = renderJunit(buildReport(result, about), result)
    const counts = ['testcase', 'failure', 'error', 'skipped'].map((tag) => xml.split(`<${tag} `).length - 1)
    const [, tests, failures, errors, skipped] =
      /tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)"/.exec(xml) ?? []
    expect([tests, failures, errors, skipped].map(Number)).toEqual(counts)
    expect(counts[0]).toBe(result.verdicts.length)
    expect([...xml.matchAll(/ time="([^"]*)"/g)].every(([, time = '']) => /^\d+\.\d{3}$/.test(time))).toBe(true)
  })

  it.skipIf(!python)('is well-formed XML with the most hostile names', () => {
    const input = renderJunit(buildReport(nonconformant, about), nonconformant)
    const read = spawnSync('python3', ['-c', parse], { input, encoding: 'utf8' })
    expect(read.stderr).toBe('')
    expect(JSON.parse(read.stdout)[1]).toEqual([7, 2, 1, 2])
  })
})

describe('writing', () => {
  let place = ''
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'reports-'))
  })
  afterAll(() => rm(place, { recursive: true, force: true }))
  const refusal = (promise: Promise<void>): Promise<unknown> => promise.catch((error: unknown) => error)

  it('makes the directory and leaves the reports in it, whole, and nothing else', async () => {
    const directory = join(place, 'a', 'b')
    await writeReports(directory, { 'report.json': 'old', 'junit.xml': '<x/>' })
    await writeReports(directory, { 'report.json': 'new' })
    expect((await readdir(directory)).sort()).toEqual(['junit.xml', 'report.json'])
    expect(await readFile(join(directory, 'report.json'), 'utf8')).toBe('new')
  })

  it('leaves nothing half-written when the last report cannot be written', async () => {
    const directory = join(place, 'partial')
    const error = await refusal(writeReports(directory, { 'report.json': '{}', [`${'x'.repeat(300)}.xml`]: '<x/>' }))
    expect(error).toMatchObject({ name: 'ReportWriteError', code: 'ENAMETOOLONG', directory })
    expect(await readdir(directory)).toEqual([])
  })

  it('says what, where, why and what to do when a file is in the way', async () => {
    const file = join(place, 'file')
    await writeFile(file, '')
    for (const [directory, code] of [
      [file, 'EEXIST'],
      [join(file, 'below'), 'ENOTDIR'],
    ] as const) {
      const error = await refusal(writeReports(directory, { 'report.json': '{}' }))
      expect(error).toBeInstanceOf(ReportWriteError)
      expect(String(error)).toMatch(new RegExp(`Cannot write .+ to ".+": .+ \\(${code}\\)\\. .+--report-dir`))
    }
  })

  it.runIf(process.platform === 'linux')('refuses, and returns, where no directory can be made', async () => {
    expect(await refusal(writeReports('/proc/reports/latest', {}))).toMatchObject({ code: 'ENOENT' })
  })

  it.each([
    ['EACCES', 'this user may not write there'],
    ['ENOSPC', 'the disk is full'],
    ['EWHATEVER', 'odd'],
  ])('explains %s', (code, why) => {
    const { message } = new ReportWriteError('out', 'junit.xml', Object.assign(new Error('odd'), { code }))
    expect(message).toContain('Cannot write junit.xml to "out": ')
    expect(message).toMatch(new RegExp(`${why} \\(${code}\\)\\. .+ with --report-dir\\.$`))
  })

  it.skipIf(process.getuid?.() === 0)('says so when it may not write there', async () => {
    const directory = join(place, 'locked')
    await mkdir(directory)
    await chmod(directory, 0o500)
    expect(await refusal(writeReports(directory, { 'report.json': '{}' }))).toMatchObject({ code: 'EACCES' })
  })
})

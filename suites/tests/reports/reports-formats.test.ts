import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderTerminal } from '../../../reports/formats/terminal/terminal.ts'
import { renderAll } from '../../../reports/formats.ts'
import { type Format, formats, parseReport, type Report, ReportParseError, render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { isReportOfThisSuite } from '../../workflows/run/outputs.ts'
import { reportContext, runResults, sampleReports } from './reports.test.support.ts'

/** All report formats, including the output in the terminal. */
const allFormats: Readonly<Record<string, (report: Report) => string>> = {
  ...formats,
  terminal: (report) => renderTerminal(report, { colour: false, width: 80 }),
}
const kinds = Object.entries(sampleReports)
const json = (report: Report) => render(report, 'report.json')

/**
 * Characters that must not appear in a report: control characters except tab and line feed, invisible characters,
 * characters that change the direction of text, noncharacters and lone surrogates.
 */
const forbiddenCharacters = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufffe]|\p{Cs}/u

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

afterEach(() => {
  vi.useRealTimers()
})

it('an unknown format is refused, with a list of the known ones', () => {
  const [, report] = kinds[0] ?? []
  const rendering = () => report && render(report, 'x.txt' as Format)
  expect(rendering).toThrow(/^There is no format "x\.txt"\. Expected report\.json, junit\.xml, /)
})

describe.each(Object.entries(allFormats))('%s', (name, renderFormat) => {
  it.each(kinds)(`${name} renders a report that is %s, and ends with a line end`, (_kind, report) => {
    expect(renderFormat(report)).toMatch(/\S[^]*\n$/)
  })

  it(`${name} contains no raw invisible character`, () => {
    for (const [, report] of kinds) expect(renderFormat(report)).not.toMatch(forbiddenCharacters)
  })

  it.skipIf(['badge.json', 'findings.sh'].includes(name))(`${name} shows what was not tested in the run`, () => {
    const report = buildReport(runResults.nonconformant, reportContext)
    const lettersOf = (text: string) => text.replace(/[^A-Za-z]/g, '')
    expect(lettersOf(renderFormat(report))).toContain(lettersOf(runResults.nonconformant.notExercised.join()))
  })

  it(`${name} contains no user and no password of a URL`, () => {
    const secretUrl = 'http://tom:hunter2@127.0.0.1:4010/api'
    const exchanges = [...runResults.nonconformant.exchanges].map(
      ([id, exchange]) => [id, { ...exchange, url: `${secretUrl}/v2/cats` }] as const,
    )
    const result = { ...runResults.nonconformant, exchanges: new Map(exchanges) }
    const replayOptions = ['--base-url', secretUrl]
    expect(renderFormat(buildReport(result, { ...reportContext, baseUrl: secretUrl, replayOptions }))).not.toMatch(
      /hunter2|\btom:|@127/,
    )
  })

  it.each(kinds)(`${name} depends on the report only: %s`, (_kind, report) => {
    vi.useFakeTimers({ now: 0 })
    const text = renderFormat(deepFreeze(structuredClone(report)))
    vi.setSystemTime(1e12)
    expect(renderFormat(structuredClone(report))).toBe(text)
  })

  it.each(kinds)(`${name} is the same from the stored report as from the one in memory: %s`, (_kind, report) => {
    expect(renderFormat(parseReport(json(report)))).toBe(renderFormat(report))
  })
})

it('every format of the table is written under its name', () => {
  const report = buildReport(runResults.nonconformant, reportContext)
  const all = renderAll(report)
  expect(Object.keys(all)).toEqual(Object.keys(formats))
  for (const [name, text] of Object.entries(all)) expect(text).toBe(render(report, name as Format)) // the keys of `all` are names of formats
})

it('the page on reports lists every format and no other', () => {
  const page = readFileSync(new URL('../../docs/reports.md', import.meta.url), 'utf8')
  const [, underReports = ''] = /^## Files\n([^]*?)^## /m.exec(page) ?? []
  const listed = new Set([...underReports.matchAll(/^- `([^`]+)`/gm)].map(([, name = '']) => name))
  const names = new Set<string>(Object.keys(formats))
  const wrong = [
    ...[...names].filter((name) => !listed.has(name)).map((name) => `add the line "- \`${name}\`: …"`),
    ...[...listed].filter((name) => !names.has(name)).map((name) => `remove the line about ${name}`),
  ]
  expect(wrong.map((what) => `suites/docs/reports.md, under "Files": ${what}`)).toEqual([])
})

it.each(Object.entries(formats))('%s is recognised by the next run, which may overwrite it', (name, renderFormat) => {
  // A large report contains the name of the suite late, e.g. in the command of its first finding.
  const beginnings = kinds.map(([, report]) => renderFormat(report).slice(0, 2000))
  const unknown = beginnings.filter((text) => !isReportOfThisSuite(text))
  const patterns = 'OWN_REPORT_PATTERNS in suites/workflows/run/outputs.ts'
  expect(unknown.map((text) => `${name} matches none of ${patterns}: ${text.slice(0, 100)}`).slice(0, 1)).toEqual([])
})

describe('report.json', () => {
  it.each(kinds)('report.json is valid by its schema and unchanged after it is read again: %s', (_, report) => {
    expect(parseReport(json(report))).toEqual(report)
  })

  it('report.json preserves any string', () => {
    const anyString = fc
      .array(fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 30 })
      .map((units) => String.fromCharCode(...units))
    const property = fc.property(anyString, (value) => {
      const observations = [{ id: 'O-LIST-SHAPE', version: 'v2', value, evidence: [] }] as const
      const stored = json(buildReport({ ...runResults.conformant, observations }, reportContext))
      expect(parseReport(stored).openPoints[0]?.value).toBe(value)
      expect(stored).not.toMatch(forbiddenCharacters)
    })
    fc.assert(property, { numRuns: 100 })
  })
})

describe('a stored report', () => {
  const stored = sampleReports['nonconformant'] ?? buildReport(runResults.nonconformant, reportContext)
  const [check, failed, ...others] = stored.checks
  const [exchange] = stored.exchanges
  const { openPoints, exchanges } = stored
  const refusals: readonly [name: string, text: string, pointer: string, expected: string][] = [
    ['it is no JSON', '{"schemaVersion": 1,', '', 'the file is not JSON'],
    ['it is empty', '', '', 'the file is not JSON'],
    ['it is another JSON', '[]', '', 'it must be of type object'],
    ...(
      [
        ['a key is missing', { ...stored, exchanges: undefined }, '', 'must have the key "exchanges"'],
        ['a key is too many', { ...stored, more: 1 }, '', '"more"'],
        ['its schema is another', { ...stored, schemaVersion: 2 }, '/schemaVersion', '2 must be 1'],
        [
          'a status is unknown',
          { ...stored, checks: [{ ...check, status: 'odd' }] },
          '/checks/0/status',
          '"odd" must be "pass", or "fail", ',
        ],
        [
          'a failure has no finding',
          { ...stored, checks: [check, { ...failed, finding: undefined }, ...others] },
          '/checks/1',
          'must have the key "finding"',
        ],
        [
          'an exchange has neither status nor fault',
          { ...stored, exchanges: [{ ...exchange, status: undefined }] },
          '/exchanges/0',
          'must have the key "status"',
        ],
        [
          'a URL has a password',
          { ...stored, exchanges: [{ ...exchange, url: 'http://a:b@c/' }] },
          '/exchanges/0/url',
          'has the wrong form',
        ],
        [
          'a finding cites what does not stand in it',
          { ...stored, exchanges: exchanges.filter(({ id }) => id !== 1) },
          '/checks/1/finding/exchanges/0',
          'cites exchange 1,',
        ],
        [
          'an open point cites what does not stand in it',
          { ...stored, openPoints: openPoints.map((point) => ({ ...point, evidence: [2, 99] })) },
          '/openPoints/0/evidence/1',
          'cites exchange 99,',
        ],
      ] as const
    ).map(([name, value, pointer, expected]) => [name, JSON.stringify(value), pointer, expected] as const),
  ].map(([name, text, pointer, expected]) => [name, text, pointer, expected])

  it.each(refusals)(
    'a stored report is refused, with the place and the reason in one paragraph, if %s',
    (_, text, pointer, expected) => {
      const parse = () => parseReport(text)
      expect(parse).toThrow(ReportParseError)
      expect(parse).toThrow(expect.objectContaining({ pointer }))
      expect(parse).toThrow(/^Not a report of this suite(?:, at "[^"\n]+")?: [^\n]+\. Give a report\.json [^\n]+\.$/)
      expect(parse).toThrow(expected)
    },
  )

  it('a stored report is refused if it holds bytes that must not reach a terminal', () => {
    const text = JSON.stringify({ ...stored, '\u202e': 1 })
    expect(() => parseReport(text)).toThrow('\\u{202E}')
    expect(() => parseReport('\u001b[2J')).not.toThrow('\u001b')
  })
})

describe('junit.xml', () => {
  const python = spawnSync('python3', ['-c', 'import xml.etree'], { encoding: 'utf8' }).status === 0
  const parse =
    'import sys,json,xml.etree.ElementTree as E\nr=E.fromstring(sys.stdin.buffer.read())\n' +
    'print(json.dumps([r.attrib,[len(list(r.iter(t))) for t in ("testcase","failure","error","skipped")]]))'
  const junit = (report: Report) => render(report, 'junit.xml')

  it.each(kinds)('junit.xml has correct counts: %s', (_, report) => {
    const xml = junit(report)
    const counts = ['testcase', 'failure', 'error', 'skipped'].map((tag) => xml.split(`<${tag} `).length - 1)
    const [, tests, failures, errors, skipped] =
      /tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)"/.exec(xml) ?? []
    expect([tests, failures, errors, skipped].map(Number)).toEqual(counts)
    // A run without checks has one test case in the report, which says why the run is inconclusive.
    expect(counts[0]).toBe(report.checks.length === 0 ? 1 : report.checks.length)
    expect([...xml.matchAll(/ time="([^"]*)"/g)].every(([, time = '']) => /^\d+\.\d{3}$/.test(time))).toBe(true)
  })

  it('junit.xml gives a finding the duration of the exchanges it cites', () => {
    expect(junit(buildReport(runResults.nonconformant, reportContext))).toContain(
      '<testcase classname="search" name="survives-every-string [v3]" time="0.012">',
    )
  })

  it.skipIf(!python)('junit.xml is well-formed XML with the most hostile names', () => {
    const input = junit(buildReport(runResults.nonconformant, reportContext))
    const read = spawnSync('python3', ['-c', parse], { input, encoding: 'utf8' })
    expect(read.stderr).toBe('')
    expect(JSON.parse(read.stdout)[1]).toEqual([7, 2, 1, 2])
  })
})

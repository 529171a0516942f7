import { describe, expect, it } from 'vitest'
import { renderTerminal } from '../../../reports/formats/terminal/terminal.ts'
import { countColumns } from '../../../reports/formats/terminal/wrap.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { findHighlightedTerms, takeExcerptAroundTerm } from '../../../reports/report/highlight.ts'
import type { Report } from '../../../reports/report/report.ts'
import { describeRedirects } from '../../../reports/report/rows.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { BASE_URL, HOSTILE_TEXT, reportContext, runResults, sampleReports } from './reports.test.support.ts'

const reportOf = (run: Partial<RunResult>): Report =>
  buildReport({ ...runResults.nonconformant, ...run }, reportContext)

describe('the data model of all reports', () => {
  it('the data model of all reports contains the exchanges that findings and open points cite, each once, ordered by id, and no others', () => {
    const ids = (report: Report) => report.exchanges.map(({ id }) => id)
    expect(ids(reportOf({}))).toEqual([1, 2])
    expect(ids(reportOf({ verdicts: [] }))).toEqual([])
    const observations = [3, 2].map((id) => ({ id: 'O-MEDIA', version: 'v2', value: '', evidence: [id] }) as const)
    expect(ids(reportOf({ verdicts: [], observations }))).toEqual([2, 3])
  })

  it('the data model of all reports describes an exchange by its time, its request and its result', () => {
    expect(reportOf({}).exchanges[0]).toEqual({
      id: 1,
      method: 'GET',
      url: `${BASE_URL}/v3/search?q=%25`,
      status: 500,
      mediaType: 'text/plain',
      requestHeaders: { accept: 'application/json', 'user-agent': 'cat-directory-conformance' },
      askedAt: '2026-11-21T08:00:00.700Z',
      ms: 12,
      excerpt: 'boom\nbang',
    })
  })

  it('the data model of all reports cuts long texts of a deployment, but never the URL, which must be repeatable', () => {
    const [cited] = [...runResults.nonconformant.exchanges.values()]
    if (cited === undefined) throw new Error('the report has no exchange')
    const long = 'x'.repeat(100_000)
    const exchange = { ...cited, url: `${BASE_URL}/${long}`, mediaType: long, fault: long, excerpt: long }
    const [built] = reportOf({ exchanges: new Map([[1, exchange]]) }).exchanges
    expect(built?.url).toBe(exchange.url)
    expect(JSON.stringify({ ...built, url: '' }).length).toBeLessThan(4000)
  })

  it('the data model of all reports gives a replay line with target, seed, path, version and check', () => {
    expect(reportOf({}).checks[1]?.finding?.replay).toBe(
      `npm run conformance -- --base-url ${BASE_URL} --seed 42 --path 22:2 --versions v3 ` +
        '--only search/survives-every-string',
    )
  })
})

const LAYOUT = { colour: false, width: 100, reports: 'out' }

const terminal = (name: string, width = LAYOUT.width) =>
  renderTerminal(sampleReports[name] ?? reportOf({}), { ...LAYOUT, width })

describe('the terminal summary', () => {
  it('the terminal summary shows a finding in the fixed order', () => {
    const text = terminal('nonconformant')
    const from = text.indexOf('✗ status 500')
    expect(text.slice(from, text.indexOf('\n✗ ', from))).toMatchInlineSnapshot(`
      "✗ status 500
        search/survives-every-string  v3

        requirement  S-ROBUST: the sentence of S-ROBUST.
        request      GET http://127.0.0.1:4010/api/v3/search?q=%25
        response     500 text/plain · 12 ms
                     │ boom
                     │ bang
        expected     2xx with a list, or 400, 404, 413, 414, 422, 431
        inputs       %
        again        curl -sS -g -i --path-as-is --compressed -H 'Accept: application/json' \\
                       'http://127.0.0.1:4010/api/v3/search?q=%25'
                     npm run conformance -- --base-url http://127.0.0.1:4010/api --seed 42 --path 22:2 \\
                       --versions v3 --only search/survives-every-string
        fix          npm run conformance -- --explain search/survives-every-string
      "
    `)
  })

  it.each(Object.entries(sampleReports))(
    'the terminal summary starts with the verdict of a report that is %s, and keeps its lines within the width',
    (name, { verdict, target }) => {
      const lines = terminal(name).split('\n')
      expect(lines[1]).toContain(` ${verdict}  ${target.embedded ? 'the embedded' : 'http'}`)
      for (const width of [80, 100, 120])
        expect(Math.max(...terminal(name, width).split('\n').map(countColumns))).toBeLessThanOrEqual(width)
    },
  )

  it('the terminal summary lets no name from the deployment forge a line', () => {
    const text = terminal('nonconformant')
    expect(HOSTILE_TEXT).toContain('\n  ✓ conformant')
    expect(text).toContain('\\u{1B}[2J\\u{9B}1m]]><b>\\u{0}\\u{202E}')
    expect(text).not.toMatch(/^ {0,3}✓ conformant/m)
  })

  it('the terminal shows the body of the response that is the cause of an inconclusive run', () => {
    const diagnosis = { cause: 'The list of cats is empty.', exchange: 4, next: 'Load some cats.' }
    const report = reportOf({ ...runResults.inconclusive })
    const cited = reportOf({ observations: [{ id: 'O-MEDIA', version: 'v2', value: '', evidence: [4] }] }).exchanges
    expect(renderTerminal({ ...report, diagnosis, exchanges: cited }, LAYOUT)).toMatch(
      /^ {2}response {2}200 application\/json · 3 ms\n {12}│ \[\]\n {2}next {6}Load some cats\.$/m,
    )
  })

  it('the terminal summary groups thirty checks behind one failed prerequisite in one line', () => {
    expect(terminal('inconclusive')).toContain('  ? 30 checks (v2): the prerequisite cats/is-served failed\n')
  })

  it('the terminal summary describes a choice in words, one line for each open point, and in full on request', () => {
    const report = sampleReports['conformant'] ?? reportOf({})
    expect(terminal('conformant')).toContain('  O-SEARCH-CASE  search ignores case\n')
    expect(terminal('conformant')).not.toContain('searchCats')
    const full = renderTerminal(report, { colour: false, width: 100, allChoices: true })
    expect(full).toContain('O-SEARCH-CASE  searchCats v2 v3  no\n')
  })

  it('the terminal summary says what a selected check did if it gave advice or did not apply to the run', () => {
    const selected = { checks: 1, of: 116 }
    const [check] = reportOf({}).checks
    if (check === undefined) throw new Error('the report has no check')
    const headlineOf = (report: Pick<Report, 'verdict'>, status: 'warn' | 'not-applicable') =>
      renderTerminal({ ...reportOf({}), ...report, selected, findings: [], checks: [{ ...check, status }] }, LAYOUT)
    expect(headlineOf({ verdict: 'partial' }, 'warn')).toContain(
      '1 of 116 checks selected; no check failed; 1 with advice',
    )
    expect(headlineOf({ verdict: 'inconclusive' }, 'not-applicable')).toContain(
      '1 of 116 checks selected; nothing was tested; 1 not applicable to this run',
    )
    expect(headlineOf({ verdict: 'partial' }, 'warn')).toMatch(/^ {2}v3 +– not judged +no selected check is about it$/m)
  })

  it.each(['nonconformant', 'inconclusive'])(
    'the terminal summary says only how many choices there are if the run is %s',
    (name) => {
      expect(terminal(name)).toMatch(/^\d+ choices? observed: --choices$/m)
      expect(terminal(name)).not.toContain('Choices where the document is silent')
    },
  )

  it('the terminal summary leaves out no characters if fewer than the remark would have', () => {
    const body = `[${'"Mia", '.repeat(24)}"Tom", "Tom"]`
    expect(takeExcerptAroundTerm(['Tom'], { excerpt: body }, { characters: 320 })).toBe(body)
    const long = `[${'"Mia", '.repeat(80)}"Tom", "Tom"]`
    expect(takeExcerptAroundTerm(['Tom'], { excerpt: long }, { characters: 320 })).toMatch(
      /^… \(\d+ bytes left out\) .*"Tom", "Tom"\]$/,
    )
    const slightlyLong = `[${'"Mia", '.repeat(25)}"Tom", ${'"Zoë", '.repeat(20)}]`
    expect(takeExcerptAroundTerm(['Tom'], { excerpt: slightlyLong }, { characters: 320 })).toMatch(/^\["Mia"/)
  })

  it.each([
    ['the lives of "Tom" are -3 at /lives_left', ['Tom', '-3']],
    ['the lives of "Tom" are 2.5 at /lives_left', ['Tom', '2.5']],
    ['the lives of "Tom" are the JSON value null at /lives_left', ['Tom', 'null']],
    ['the list of all cats (v2) contains null as an element, but a name must be a string', ['null']],
    ['the list of all cats (v2) is shorter: there are 12 names', []],
  ])('a finding highlights the values that its sentence names: %s', (actual, terms) => {
    const finding = { promised: '', expected: '', actual, exchanges: [], curl: [], replay: '' }
    expect(findHighlightedTerms(finding)).toEqual(terms)
  })

  it.each([
    [{}, []],
    [{ redirects: 1, redirectedTo: `${BASE_URL}/v2/cats/` }, ['after a redirect to /api/v2/cats/']],
    [{ redirects: 2, redirectedTo: 'http://other.test/cats' }, ['after 2 redirects to http://other.test/cats']],
  ])('a response says to which URL the redirects led: %j', (followed, phrases) => {
    const [cited] = [...runResults.nonconformant.exchanges.values()]
    expect(cited && describeRedirects({ ...cited, ...followed })).toEqual(phrases)
  })

  it('the terminal summary counts the bytes after the excerpt among those that are left out', () => {
    const excerpt = `["${'Zoë'.repeat(100)}"`
    expect(takeExcerptAroundTerm([], { excerpt, bytesAfter: 70_000 }, { characters: 320 })).toBe(
      `${excerpt}… (70,000 more bytes)`,
    )
    expect(takeExcerptAroundTerm([], { excerpt, bytesAfter: 70_000 }, { characters: 302 })).toMatch(
      /… \(70,001 more bytes\)$/,
    )
    expect(takeExcerptAroundTerm([], { excerpt }, { characters: 295 })).toMatch(/Zo… \(11 more bytes\)$/)
  })

  it('the terminal summary says how many bytes are left out before, between and after the excerpts of a body', () => {
    const parts = { excerpt: '{"name":"Tom"}', secondExcerpt: { bytesBefore: 2000, excerpt: '{"name": "Tom"}' } }
    expect(takeExcerptAroundTerm(['Tom'], { ...parts, bytesBefore: 1, bytesAfter: 3000 }, { characters: 320 })).toBe(
      '… (1 byte left out) {"name":"Tom"} … (2,000 bytes left out) … {"name": "Tom"}… (3,000 more bytes)',
    )
    const long = { excerpt: `"Tom"${' '.repeat(200)}`, secondExcerpt: { bytesBefore: 10, excerpt: '"Tom"' } }
    expect(takeExcerptAroundTerm(['Tom'], long, { characters: 20 })).toBe('"Tom"      … (205 bytes left out) … "Tom"')
  })

  it('the terminal summary shows the lines around the first term, and what is left out, if lines are limited', () => {
    const excerpt = ['[', ...Array.from({ length: 9 }, (_, index) => `  "Cat ${index}",`), '  "Tom"', ']'].join('\n')
    expect(takeExcerptAroundTerm(['Cat 8'], { excerpt }, { characters: 320, lines: 4 })).toBe(
      '… (68 bytes left out)   "Cat 6",\n  "Cat 7",\n  "Cat 8",\n  "Tom"… (2 more bytes)',
    )
    expect(takeExcerptAroundTerm(['Cat 1'], { excerpt }, { characters: 320, lines: 4 })).toMatch(/^\[\n {2}"Cat 0"/)
  })

  it('the terminal summary shows first how many checks of how many decided, and everything in its last line', () => {
    const lines = terminal('nonconformant').trimEnd().split('\n')
    expect(lines[2]).toBe(
      '  2 of 6 checks failed (2 root causes); 1 in error, 1 inconclusive, 1 with advice, 1 passed, 1 not',
    )
    expect(lines.at(-1)).toBe('✗ nonconformant · 2 of 6 checks failed · reports in out · again with --seed 42')
  })

  it.each(Object.keys(sampleReports))('the terminal summary fits 40 columns except for lines to paste: %s', (name) => {
    const pasted = /^ *(?:again|fix)? *(?:curl|npm|npx|-|'http)|^ {12,}\S+(?: \\)?$/
    const lines = terminal(name, 40)
      .split('\n')
      .filter((line) => !pasted.test(line))
    expect(lines.filter((line) => countColumns(line) > 40)).toEqual([])
  })

  it('the terminal summary states clearly that only the embedded service was judged, and what was not judged at all', () => {
    expect(terminal('embedded')).toContain('No --base-url was given')
    expect(terminal('embedded')).toMatch(/v2 +– not judged +left out by --versions/)
  })

  it('the terminal summary is coloured only on request, for any stream, with the same text', () => {
    const text = terminal('nonconformant')
    const coloured = renderTerminal(reportOf({}), { colour: true, width: 100, reports: 'out' })
    expect(coloured).toContain('\u001b[31m')
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(text)
    expect(text).not.toContain('\u001b')
  })
})

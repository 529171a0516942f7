import { buildReport, type ReportContext } from '../../../reports/report/build.ts'
import type { Report } from '../../../reports/report/report.ts'
import type { CheckFacts, RunResult, Status, Verdict, VerdictScope } from '../../engine/check/verdict.ts'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'
import { describeChoice } from '../../open-points/choice-sentences.ts'

export const BASE_URL = 'http://127.0.0.1:4010/api'
/**
 * A hostile text that a deployment may send anywhere, e.g. as a name, with characters that are special in some report
 * format.
 */
export const HOSTILE_TEXT = '\u001b[2J\u009b1m]]><b>\0\u202e*_`|[x](y)\ud800\u200b\ufffe&amp;\n  ✓ conformant'
/** The facts about the environment that all these reports contain. */
export const reportContext: ReportContext = {
  suite: { name: 'cat-directory-conformance', version: '0.1.0' },
  baseUrl: BASE_URL,
  versions: ['v2', 'v3'],
  embedded: false,
  statementText: (id) => `the sentence of ${id}.`,
  operationOf: () => ({ operation: 'searchCats', version: 'v3' }),
  isRecordingAll: false,
  describeChoice,
  command: 'npm run conformance --',
  replayOptions: ['--base-url', BASE_URL],
}

const exchange = (id: number, target: string, more: Partial<ExchangeSummary> = {}): ExchangeSummary => ({
  id,
  method: 'GET',
  url: BASE_URL + target,
  requestHeaders: { accept: 'application/json', 'user-agent': 'cat-directory-conformance' },
  status: 200,
  mediaType: 'application/json',
  askedAt: '2026-11-21T08:00:00.700Z',
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

type Ends = (id: string, version: VerdictScope, status: Status, more?: Partial<Verdict>) => Verdict
const ends: Ends = (id, version, status, more) => ({ check: facts(id), version, status, inputsTested: 0, ...more })

const passed = ends('cats/is-served', 'v2', 'pass', { inputsTested: 1 })
const conformant: RunResult = {
  verdicts: [passed, { ...passed, version: 'v3', inputsTested: 50, sampledFrom: 1_000_000 }],
  observations: [
    { id: 'O-SEARCH-CASE', version: 'v2', operation: 'searchCats', value: 'no', evidence: [2] },
    { id: 'O-SEARCH-CASE', version: 'v3', operation: 'searchCats', value: 'no', evidence: [2] },
  ],
  exchanges: new Map([
    [1, exchange(1, '/v3/search?q=%25', { status: 500, mediaType: 'text/plain', ms: 12, excerpt: 'boom\nbang' })],
    [2, exchange(2, '/v2/cats', { excerpt: JSON.stringify([HOSTILE_TEXT]) + HOSTILE_TEXT })],
    [
      3,
      exchange(3, '/v3/cats', {
        fault: `dropped: ${HOSTILE_TEXT}`,
        redirects: 2,
        redirectedTo: `${BASE_URL}/v3/${HOSTILE_TEXT}`,
        mediaType: HOSTILE_TEXT,
        excerpt: '',
      }),
    ],
    [4, exchange(4, '/v3/breeds')],
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
const finding = { expected: HOSTILE_TEXT, actual: HOSTILE_TEXT, counterexample: HOSTILE_TEXT, exchanges: [2, 1] }
const nonconformant: RunResult = {
  ...conformant,
  verdicts: [
    passed,
    failed,
    ends('cats/has-names', 'v2', 'fail', { check: facts('cats/has-names', { title: HOSTILE_TEXT }), finding }),
    ends('parity/shapes', 'v2+v3', 'warn', { finding }),
    ends('cats/drifts', 'v3', 'inconclusive', { reason: HOSTILE_TEXT, finding }),
    ends('lives/only-in-v3', 'v2', 'error', { reason: 'TypeError: no\n  at x' }),
    ends('search/odd', 'v2', 'not-applicable', { reason: HOSTILE_TEXT }),
  ],
  observations: [{ id: 'O-LIST-SHAPE', version: 'v2', value: HOSTILE_TEXT, evidence: [] }],
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
/**
 * The result of a run against an unreachable deployment: no check was completed, and the exchange has a fault instead
 * of a status.
 */
const unreachable: RunResult = {
  ...inconclusive,
  verdicts: [
    ends('service/answers', 'v3', 'inconclusive', { reason: HOSTILE_TEXT, finding: { ...finding, exchanges: [3] } }),
  ],
  observations: [],
}
/** The result of a run without checks: every list in it is empty. */
const empty: RunResult = { ...inconclusive, verdicts: [], observations: [], notExercised: [] }

/** One result for each kind of conclusion. */
export const runResults = { conformant, nonconformant, inconclusive, unreachable, empty }

/** Reports on `runResults`, and reports with further contents. */
export const sampleReports: Readonly<Record<string, Report>> = {
  ...Object.fromEntries(Object.entries(runResults).map(([name, run]) => [name, buildReport(run, reportContext)])),
  embedded: buildReport(conformant, { ...reportContext, embedded: true, versions: ['v3'], replayOptions: [] }),
}

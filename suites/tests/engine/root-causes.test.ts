import { expect, test } from 'vitest'
import type { ReportCheck } from '../../../reports/report/report.ts'
import { findRootCauses } from '../../../reports/report/root-causes.ts'
import { buildCurlLine, buildCurlLines } from '../../../reports/text/curl.ts'

const failed = (version: string, curl: readonly string[], more: Partial<ReportCheck> = {}): ReportCheck => ({
  ...{ id: 'lives/x', title: 'x', statements: [], level: 'must', operation: 'getLivesLeft', version },
  ...{ status: 'fail', asked: 1 },
  finding: { promised: '', expected: '', actual: '', curl, replay: '', exchanges: curl.map((_, nth) => nth) },
  ...more,
})

const curlOf = (...checks: ReportCheck[]): readonly string[] =>
  findRootCauses(checks).flatMap(({ finding }) => finding.curl)

test('a request with two different responses is shown in two lines', () => {
  expect(curlOf(failed('v3', ['curl a', 'curl a']))).toEqual(['curl a', 'curl a'])
})

test('a cause that takes four lines is shown completely', () => {
  const lines = ['curl lives', 'curl search', 'curl other', 'curl lives']
  expect(curlOf(failed('v3', lines))).toEqual(lines)
})

test('a cause that takes one line is shown in each version', () => {
  const other = failed('v3', ['curl v3', 'curl more'], { cause: { id: 'lives/x', version: 'v2' } })
  expect(curlOf(failed('v2', ['curl v2']), other)).toEqual(['curl v2', 'curl v3'])
})

const createRequest = (target: string) =>
  ({ method: 'GET', url: `http://cats.test${target}`, requestHeaders: {} }) as const

test.each([
  [
    ['/tom', '/mia', '/tom'],
    ['/tom', 'sleep', '/mia', '/tom'],
  ],
  [
    ['/tom', '/tom'],
    ['/tom', '/tom'],
  ],
])(
  'one line sends the requests for %j in this order, and waits for caches before it sends others',
  (targets, parts) => {
    const [line = '', ...more] = buildCurlLines(targets.map(createRequest))
    expect(more).toEqual([])
    expect(line.split('; ').filter((part) => part !== 'echo')).toEqual(
      parts.map((part) => (part === 'sleep' ? 'sleep 6' : buildCurlLine(createRequest(part)))),
    )
  },
)

test('requests that are all different have one line each', () => {
  expect(buildCurlLines(['/tom', '/mia', '/salem'].map(createRequest))).toHaveLength(3)
})

test.each([
  ['/v2/breeds/Manx/cats', { redirects: 1 }, false],
  ['/v2/breeds/x/../Manx/cats', { redirects: 1 }, true],
  ['/v2/breeds/Manx/cats', {}, true],
])(
  'a curl line keeps the path %s as it is unless a redirect may have dot segments: %j, %j',
  (target, followed, isKept) => {
    expect(buildCurlLine({ ...createRequest(target), ...followed }).includes('--path-as-is')).toBe(isKept)
  },
)

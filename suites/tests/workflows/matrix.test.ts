import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../../reports/report/report.ts'
import { renderReportMatrix } from '../../workflows/matrix/matrix.ts'
import {
  conformantDirectory,
  createTemporaryFolder,
  deployDirectory,
  directoryWithOneCatMissing,
  runCli,
} from '../command/cli.test.support.ts'
import { sampleReports } from '../reports/reports.test.support.ts'

/** A run to report: its day in November, the status of its check, and other differences from a conformant run. */
type ReportedRun = { readonly day: number; readonly status: Report['checks'][number]['status'] } & Partial<Report>

const finding = {
  promised: 'S-LIST-CATS',
  expected: 'a list',
  actual: 'status 500',
  curl: [],
  replay: '# none',
  exchanges: [],
}

/** Returns the further members that the schema of reports requires for a check with this status. */
const detailsOf = (status: ReportedRun['status']): Partial<Report['checks'][number]> =>
  status === 'pass' ? {} : status === 'fail' ? { finding } : { reason: 'nothing to test with' }

/** Writes the reports of the runs, and renders them as a matrix in this order. */
async function renderRuns(runs: readonly ReportedRun[], ...options: readonly string[]): Promise<string> {
  const folder = createTemporaryFolder()
  const { conformant: report } = sampleReports
  if (report === undefined) throw new Error('there is no report of a conformant run')
  const files = runs.map(({ day, status, ...more }, index) => {
    const [first, ...others] = report.checks
    const startedAt = `2026-11-${String(day).padStart(2, '0')}T08:30:00.000Z`
    const checks = first === undefined ? [] : [{ ...first, status, ...detailsOf(status) }, ...others]
    const file = join(folder, `${index}.json`)
    writeFileSync(file, JSON.stringify({ ...report, startedAt, checks, ...more }))
    return file
  })
  return renderReportMatrix([...options, ...files])
}

/** Returns the changes that a matrix lists, each as `day name: before → after note`. */
const findListedChanges = (matrix: string): readonly string[] =>
  matrix.split('\n').flatMap((line) => {
    const [time = '', name = '', before = '', after, note] = line.split(/ {2,}/)
    const day = /^2026-11-(\d\d) /.exec(time)?.[1]
    return day === undefined || after === undefined ? [] : [`${day} ${name}: ${before} → ${after} ${note ?? ''}`.trim()]
  })

describe('the trend in the matrix of saved reports', () => {
  test('the trend in the matrix of saved reports lists what changed between the reports of one deployment, newest first, in whatever order they are given', async () => {
    const matrix = await renderRuns([
      { day: 3, status: 'fail' },
      { day: 9, status: 'pass' },
      { day: 2, status: 'fail', verdict: 'nonconformant' },
    ])
    expect(findListedChanges(matrix)).toEqual([
      '09 cats/is-served v2: failed → passed',
      '03 verdict: nonconformant → conformant',
    ])
    expect(matrix).toMatch(/^ +2026-11-09 08:30:00 +2026-11-03 08:30:00 +2026-11-02 08:30:00$/m)
  })

  test('the trend in the matrix of saved reports marks a check that passed, failed and passed as unstable', async () => {
    const matrix = await renderRuns([
      { day: 1, status: 'pass' },
      { day: 2, status: 'fail' },
      { day: 3, status: 'pass' },
    ])
    expect(findListedChanges(matrix)).toEqual([
      '03 cats/is-served v2: failed → passed unstable',
      '02 cats/is-served v2: passed → failed unstable',
    ])
  })

  test('the trend in the matrix of saved reports marks neither a check that was inconclusive once nor one that has failed since', async () => {
    const matrix = await renderRuns([
      { day: 1, status: 'pass' },
      { day: 2, status: 'inconclusive' },
      { day: 3, status: 'pass' },
      { day: 4, status: 'fail' },
    ])
    expect(findListedChanges(matrix)).toEqual([
      '04 cats/is-served v2: passed → failed',
      '03 cats/is-served v2: inconclusive → passed',
      '02 cats/is-served v2: passed → inconclusive',
    ])
  })

  test('the trend in the matrix of saved reports skips reports that did not test a check', async () => {
    const matrix = await renderRuns([
      { day: 1, status: 'pass' },
      { day: 2, status: 'not-applicable' },
      { day: 3, status: 'pass', checks: [], openPoints: [] },
      { day: 4, status: 'fail' },
    ])
    expect(findListedChanges(matrix)).toEqual(['04 cats/is-served v2: passed → failed'])
  })

  test('the trend in the matrix of saved reports lists changed choices and a new version of the suite beside the checks', async () => {
    const [point] = sampleReports['conformant']?.openPoints ?? []
    if (point === undefined) throw new Error('the report has no choice')
    const runs = [
      { day: 1, status: 'pass', openPoints: [point] },
      { day: 2, status: 'pass', openPoints: [{ ...point, value: 'yes' }], suite: { name: 'x', version: '0.2.0' } },
    ] as const
    expect(findListedChanges(await renderRuns(runs))).toEqual([
      '02 suite: 0.1.0 → 0.2.0',
      '02 O-SEARCH-CASE searchCats v2: no → yes',
    ])
    expect(await renderRuns(runs, '--format', 'markdown')).toContain('| suite | 0\\.1\\.0 | 0\\.2\\.0 |')
    expect(await renderRuns(runs, '--format', 'html')).toContain('<td>suite</td><td>0.1.0</td><td>0.2.0</td>')
  })

  test('the trend in the matrix of saved reports compares each deployment with itself only', async () => {
    const target = { baseUrl: 'https://other.example.org', versions: ['v2', 'v3'], embedded: false }
    const matrix = await renderRuns([
      { day: 1, status: 'pass' },
      { day: 2, status: 'fail', target },
      { day: 3, status: 'pass' },
    ])
    expect(matrix).toMatch(/^Changes of \S+, newest first: none$/m)
    expect(matrix.match(/^Changes of/gm)).toHaveLength(1)
  })
})

describe('the matrix of saved reports', () => {
  test.each([
    ['text', /conformant +nonconformant/],
    ['markdown', /\| conformant \| nonconformant \|/],
    ['html', /<td>conformant<\/td><td>nonconformant<\/td>/],
  ])(
    'the matrix of saved reports shows verdicts, requirements and choices as %s, differences first',
    async (format, verdicts) => {
      const [good, bad] = await Promise.all([
        deployDirectory(conformantDirectory),
        deployDirectory(directoryWithOneCatMissing),
      ])
      const [one, two] = await Promise.all([good, bad].map(({ origin }) => runCli(['--base-url', origin])))
      const files = [one, two].map((run) => join(run?.reports ?? '', 'report.json'))
      const { code, stdout } = await runCli(['matrix', '--format', format, ...files])
      expect(code).toBe(0)
      expect(stdout).toMatch(verdicts)
      for (const text of ['contract', 'Choices', 'passed in every report', '✗', 'empty list'])
        expect(stdout).toContain(text)
    },
  )

  test('the trend in the matrix of saved reports names the verdict, not every check, if nothing could be tested', async () => {
    const reason = { reason: 'the connection was refused' }
    const checks = (sampleReports['conformant']?.checks ?? []).map((one) => ({
      ...one,
      ...reason,
      status: 'inconclusive' as const,
    }))
    const matrix = await renderRuns([
      { day: 1, status: 'pass' },
      { day: 2, status: 'inconclusive', checks, verdict: 'inconclusive' },
      { day: 3, status: 'pass' },
    ])
    expect(findListedChanges(matrix)).toEqual([
      '03 verdict: inconclusive → conformant',
      '02 verdict: conformant → inconclusive',
    ])
  })

  test('the matrix of saved reports contains nothing that a deployment could have put into the page', async () => {
    const { origin } = await deployDirectory(conformantDirectory)
    const { reports } = await runCli(['--base-url', origin])
    const { stdout } = await runCli(['matrix', '--format=html', join(reports, 'report.json')])
    expect(stdout).toContain("default-src 'none'")
    expect(stdout).not.toMatch(/<script|src=|href=/)
  })

  test('the matrix of saved reports shows its usage on request', async () => {
    const { code, stdout, stderr } = await runCli(['matrix', '--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Usage: .* matrix \[--format text\|markdown\|html\] REPORT…/)
  })

  test('the matrix of saved reports refuses invalid reports, formats and options', async () => {
    const file = join(createTemporaryFolder(), 'x.json')
    writeFileSync(file, '{}')
    for (const args of [[], [file], ['no-such.json'], ['--format', 'pdf', file], ['--colour', file]]) {
      const { code, stderr } = await runCli(['matrix', ...args])
      expect(code, args.join(' ')).toBe(2)
      expect(stderr).toContain('matrix')
    }
  })
})

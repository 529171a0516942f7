import type { Status } from '../../suites/engine/check/verdict.ts'
import { formatCount, formatWholeNumber, statusWords } from '../text/wording.ts'
import { countByStatus } from './grouping.ts'
import type { Report } from './report.ts'

/** Describes the selection, e.g. `1 of 109 checks selected`. */
export const describeSelection = ({ checks, of }: NonNullable<Report['selected']>): string =>
  `${formatWholeNumber(checks)} of ${formatCount(of, 'check')} selected`

/** Describes options from elsewhere, e.g. `--only search/ (.env, line 3)`. The value of a secret is not shown. */
export const describeOutsideOptions = ({ outsideOptions = [] }: Report): readonly string[] =>
  outsideOptions.map(
    ({ option, source, value }) => `${value === undefined ? option : `${option} ${value}`} (${source})`,
  )

/** E.g. `--only search/ (.env, line 3)`; the value of a secret is not shown. */
export function buildHeadline(report: Report): string {
  const { checks, findings, verdict } = report
  const counts = countByStatus(checks)
  const deciding = decidingStatusOf(verdict, counts)
  const failures = findings.filter(({ status }) => status === 'fail').length
  const causes = deciding === 'fail' && failures > 0 ? ` (${formatCount(failures, 'root cause')})` : ''
  const others = statusWords.flatMap(([status, word]) =>
    status === deciding || counts[status] === 0 ? [] : [`${counts[status]} ${word}`],
  )
  const first = `${report.selected ? `${describeSelection(report.selected)}; ` : ''}${describeDecidingCount(report)}${causes}`
  return others.length === 0 ? first : `${first}; ${others.join(', ')}`
}

/** Describes the number of checks that decide the verdict. */
export function describeDecidingCount({ checks, verdict }: Report): string {
  const counts = countByStatus(checks)
  const deciding = decidingStatusOf(verdict, counts)
  const words = new Map(statusWords)
  return `${formatWholeNumber(counts[deciding])} of ${formatCount(checks.length, 'check')} ${words.get(deciding) ?? deciding}`
}

function decidingStatusOf(verdict: Report['verdict'], counts: Readonly<Record<Status, number>>): Status {
  if (verdict === 'nonconformant') return 'fail'
  if (verdict !== 'inconclusive') return 'pass'
  return counts.error > 0 ? 'error' : 'inconclusive'
}

import type { Status } from '../../suites/engine/check/verdict.ts'
import { formatCount, formatDuration, formatWholeNumber, statusWords } from '../text/wording.ts'
import { countByStatus } from './grouping.ts'
import type { Report } from './report.ts'

/** Lists the numbers that say how much ran, e.g. `512 requests`. */
export const listRunCounts = ({ checks, requests, retries, durationMs }: Report): readonly string[] => [
  formatCount(checks.length, 'check'),
  formatCount(requests, 'request'),
  formatCount(retries, 'retry', 'retries'),
  formatDuration(durationMs),
]

/** Describes the selection, e.g. `1 of 109 checks selected`. */
export const describeSelectedChecks = ({ checks, of }: NonNullable<Report['selected']>): string =>
  `${formatWholeNumber(checks)} of ${formatCount(of, 'check')} selected`

/**
 * Describes the options that were set outside the command line, e.g. `--only search/ (.env, line 3)`. Omits secret
 * values.
 */
export const describeOptionsFromEnvironment = ({
  outsideOptions = [],
}: Pick<Report, 'outsideOptions'>): readonly string[] =>
  outsideOptions.map(
    ({ option, source, value }) => `${value === undefined ? option : `${option} ${value}`} (${source})`,
  )

/**
 * Describes a run in one line: the number of checks that decide the verdict, their root causes, and the numbers of the
 * other checks.
 */
export function buildHeadline(report: Report): string {
  const { checks, findings, verdict } = report
  const counts = countByStatus(checks)
  const deciding = decidingStatusOf(verdict, counts)
  const failures = findings.filter(({ status }) => status === 'fail').length
  const causes = deciding === 'fail' && failures > 0 ? ` (${formatCount(failures, 'root cause')})` : ''
  const others = statusWords.flatMap(([status, word]) =>
    status === deciding || counts[status] === 0 ? [] : [`${counts[status]} ${word}`],
  )
  const first = `${report.selected ? `${describeSelectedChecks(report.selected)}; ` : ''}${describeCountOfDecidingChecks(report)}${causes}`
  return others.length === 0 ? first : `${first}; ${others.join(', ')}`
}

/**
 * Describes how many of the checks that apply to this run decide the verdict, e.g. how many failed. If no check passed
 * because all selected checks gave advice or do not apply, says that instead: `0 of 1 check passed` would contradict
 * the exit code 0.
 */
export function describeCountOfDecidingChecks({ checks, verdict }: Report): string {
  const counts = countByStatus(checks)
  const deciding = decidingStatusOf(verdict, counts)
  if (counts[deciding] === 0) return verdict === 'inconclusive' ? 'nothing was tested' : 'no check failed'
  const words = new Map(statusWords)
  const applicable = checks.length - counts['not-applicable']
  return `${formatWholeNumber(counts[deciding])} of ${formatCount(applicable, 'check')} ${words.get(deciding) ?? deciding}`
}

/** Returns the status of the checks that decide the verdict, e.g. `fail` if the run is nonconformant. */
function decidingStatusOf(verdict: Report['verdict'], counts: Readonly<Record<Status, number>>): Status {
  if (verdict === 'nonconformant') return 'fail'
  if (verdict !== 'inconclusive') return 'pass'
  return counts.error > 0 ? 'error' : 'inconclusive'
}

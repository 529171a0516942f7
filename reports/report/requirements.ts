import { formatWholeNumber } from '../text/wording.ts'
import type { ReportCheck, Requirement } from './report.ts'

/**
 * Collects the statements of the contract with their checks in all versions, in the order in which checks first cite
 * them.
 */
export function collectRequirements(checks: readonly ReportCheck[], sentenceOf: (id: string) => string): Requirement[] {
  const ids = [...new Set(checks.flatMap(({ statements }) => statements))]
  return ids.map((id) => {
    const own = checks.filter(({ statements }) => statements.includes(id))
    const count = (...statuses: readonly ReportCheck['status'][]) =>
      own.filter(({ status }) => statuses.includes(status)).length
    return {
      id,
      sentence: sentenceOf(id),
      checks: own.length,
      passed: count('pass'),
      failed: count('fail'),
      advice: count('warn'),
      inconclusive: count('inconclusive', 'error'),
      notApplicable: count('not-applicable'),
      inputs: own.reduce((sum, { asked, status }) => sum + (status === 'inconclusive' ? 0 : asked), 0),
    }
  })
}

/**
 * Describes the results of a requirement, e.g. `17 of 17 passed` or `16 of 17 passed, 1 with advice, 64 not tested`.
 * Checks that were not tested are not among the 17.
 */
export function describeCoverage({ passed, checks, advice, inconclusive, notApplicable }: Requirement): string {
  const untested = inconclusive + notApplicable
  const tested = checks - untested
  if (tested === 0) return `${formatWholeNumber(untested)} not tested`
  return [
    `${formatWholeNumber(passed)} of ${formatWholeNumber(tested)} passed`,
    ...(advice > 0 ? [`${formatWholeNumber(advice)} with advice`] : []),
    ...(untested > 0 ? [`${formatWholeNumber(untested)} not tested`] : []),
  ].join(', ')
}

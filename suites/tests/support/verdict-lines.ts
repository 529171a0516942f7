import type { Report } from '../../../reports/report/report.ts'
import type { RunResult, Status } from '../../engine/check/verdict.ts'

/** Returns a line with check, version, status and reason for each verdict with one of these statuses. */
export const describeVerdicts = (
  { verdicts }: Pick<RunResult, 'verdicts'>,
  ...statuses: readonly Status[]
): readonly string[] =>
  verdicts
    .filter(({ status }) => statuses.includes(status))
    .map(({ check, version, status, reason }) => `${check.id} ${version}: ${status}, ${reason}`)

/** Returns such a line for each check in a report that has one of these statuses. */
export const describeChecks = ({ checks }: Pick<Report, 'checks'>, ...statuses: readonly Status[]): readonly string[] =>
  checks
    .filter(({ status }) => statuses.includes(status))
    .map(({ id, version, status, reason }) => `${id} ${version}: ${status}, ${reason}`)

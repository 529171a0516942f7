import type { Report } from '../../../reports/report/report.ts'
import type { RunResult, Status, Verdict } from '../../engine/check/verdict.ts'

const formatLine = (id: string, version: string, status: Status, reason?: string): string =>
  `${id} ${version}: ${status}${reason === undefined ? '' : `, ${reason}`}`

/** Returns a line with check, version, status and reason, e.g. "lives/is-served v3: inconclusive, drift". */
export const describeVerdict = ({ check, version, status, reason }: Verdict): string =>
  formatLine(check.id, version, status, reason)

/** Describes each verdict that has one of these statuses. */
export const describeVerdicts = (
  { verdicts }: Pick<RunResult, 'verdicts'>,
  ...statuses: readonly Status[]
): readonly string[] => verdicts.filter(({ status }) => statuses.includes(status)).map(describeVerdict)

/** Describes each check in a report that has one of these statuses. */
export const describeChecks = ({ checks }: Pick<Report, 'checks'>, ...statuses: readonly Status[]): readonly string[] =>
  checks
    .filter(({ status }) => statuses.includes(status))
    .map(({ id, version, status, reason }) => formatLine(id, version, status, reason))

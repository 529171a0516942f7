import type { CheckReference, Report, ReportCheck, ReportFinding } from './report.ts'

/** A root cause as it is shown in reports, or a check in error, which has no finding. */
export interface ShownCheck extends Pick<ReportCheck, 'id' | 'title' | 'status' | 'level'> {
  readonly versions: readonly string[]
  /** All checks with the same cause. The first is the check whose finding is shown. */
  readonly checks: readonly CheckReference[]
  readonly finding?: ReportFinding
  readonly reason?: string
}

/** Returns the root causes in the order of reports. Checks in error follow the failures. */
export function selectShownChecks({ findings, checks }: Report): ShownCheck[] {
  const causes = findings.map((cause): ShownCheck => {
    const reason = checks.find(({ id, version }) => id === cause.id && version === cause.version)?.reason
    return { ...cause, ...(reason !== undefined && { reason }) }
  })
  const errors = checks
    .filter(({ status, finding }) => status === 'error' && finding === undefined)
    .map(({ id, title, status, level, version, reason }): ShownCheck => {
      return { id, title, status, level, versions: [version], checks: [{ id, version }], ...(reason && { reason }) }
    })
  const isFailure = ({ status }: ShownCheck) => status === 'fail'
  return [...causes.filter(isFailure), ...errors, ...causes.filter((one) => !isFailure(one))]
}

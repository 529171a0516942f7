import type { CheckReference, Report, ReportCheck, ReportFinding } from './report.ts'

/** What is told by itself: a root cause, or a check that broke without finding anything. */
export interface Told extends Pick<ReportCheck, 'id' | 'title' | 'status' | 'level'> {
  readonly versions: readonly string[]
  /** All checks that say the same, the one that leads first. */
  readonly checks: readonly CheckReference[]
  readonly finding?: ReportFinding
  readonly reason?: string
}

/** Each root cause once, in the order of the report, and after what failed the checks that are in error. */
export function told({ findings, checks }: Report): Told[] {
  const causes = findings.map((cause): Told => {
    const reason = checks.find(({ id, version }) => id === cause.id && version === cause.version)?.reason
    return { ...cause, ...(reason !== undefined && { reason }) }
  })
  const errors = checks
    .filter(({ status, finding }) => status === 'error' && finding === undefined)
    .map(({ id, title, status, level, version, reason }): Told => {
      return { id, title, status, level, versions: [version], checks: [{ id, version }], ...(reason && { reason }) }
    })
  const isFailure = ({ status }: Told) => status === 'fail'
  return [...causes.filter(isFailure), ...errors, ...causes.filter((one) => !isFailure(one))]
}

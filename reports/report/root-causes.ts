import { checkKeyOf } from './pairs.ts'
import type { ReportCheck, ReportFinding, RootCause } from './report.ts'

/**
 * Returns the findings, one per root cause: failures first, then unstable results, then advice.
 * @param checks the checks with their causes
 */
export function findRootCauses(checks: readonly ReportCheck[]): RootCause[] {
  const found = checks.filter(({ finding }) => finding !== undefined)
  const leading = found.filter((check) => findLeadingCheck(check, found) === check)
  const causes = leading.flatMap((leader) => {
    const { id, title, level, operation, version, status, finding } = leader
    if (finding === undefined) return []
    const followers = found.filter((check) => check !== leader && findLeadingCheck(check, found) === leader)
    const all = [leader, ...followers]
    return {
      ...{ id, title, level, operation, status, version },
      versions: [...new Set(all.map((check) => check.version))].sort(compareVersions),
      checks: all.map((check) => ({ id: check.id, version: check.version })),
      finding: combineFindings(
        finding,
        followers.filter((check) => check.id === id),
      ),
    }
  })
  return causes.toSorted((one, other) => STATUS_ORDER.indexOf(one.status) - STATUS_ORDER.indexOf(other.status))
}

/** Compares versions so that comparisons of two versions come last. */
const compareVersions = (one: string, other: string): number => one.length - other.length || (one < other ? -1 : 1)

const STATUS_ORDER: readonly string[] = ['fail', 'error', 'inconclusive', 'warn']

/**
 * Returns the check under which the finding of a check is reported: its cause, if that is a check with a finding of the
 * same status, else the check itself.
 */
function findLeadingCheck(check: ReportCheck, found: readonly ReportCheck[]): ReportCheck {
  const { cause, status } = check
  const leader = cause && found.find((one) => checkKeyOf(one) === checkKeyOf(cause))
  return leader && leader.status === status && leader.cause === undefined ? leader : check
}

/**
 * The maximum number of responses per root cause, one for each version. If the finding that is shown needs more
 * responses to show a contradiction, it keeps all of them.
 */
const MAX_EXCHANGES_PER_ROOT_CAUSE = 2

/**
 * Adds elements of `others` that are not in `own`, up to the limit. Keeps elements that occur twice in `own`: they
 * belong to a request that was repeated to show that its responses differ.
 */
function fillFromOthers<T>(own: readonly T[], others: readonly T[]): readonly T[] {
  const more = [...new Set(others)].filter((one) => !own.includes(one))
  return [...own, ...more].slice(0, Math.max(MAX_EXCHANGES_PER_ROOT_CAUSE, own.length))
}

/** Adds to a finding the clearest curl line and exchange of each other version. */
function combineFindings(finding: ReportFinding, others: readonly ReportCheck[]): ReportFinding {
  const lines = others.flatMap((check) => check.finding?.curl.slice(0, 1) ?? [])
  const exchanges = others.flatMap((check) => check.finding?.exchanges.slice(0, 1) ?? [])
  return {
    ...finding,
    curl: fillFromOthers(finding.curl, lines),
    exchanges: fillFromOthers(finding.exchanges, exchanges),
  }
}

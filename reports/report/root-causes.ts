import type { CheckReference, ReportCheck, ReportFinding, RootCause } from './report.ts'

const keyOf = ({ id, version }: CheckReference): string => `${id} ${version}`

/**
 * What was found, one for each root cause: what failed first, then what came and went, then advice.
 * @param checks each with the cause that it refers to, if any
 */
export function rootCauses(checks: readonly ReportCheck[]): RootCause[] {
  const found = checks.filter(({ finding }) => finding !== undefined)
  const leading = found.filter((check) => leaderOf(check, found) === check)
  const causes = leading.flatMap((leader) => {
    const { id, title, level, operation, version, status, finding } = leader
    if (finding === undefined) return []
    const followers = found.filter((check) => check !== leader && leaderOf(check, found) === leader)
    const all = [leader, ...followers]
    return {
      ...{ id, title, level, operation, status, version },
      versions: [...new Set(all.map((check) => check.version))].sort(),
      checks: all.map((check) => ({ id: check.id, version: check.version })),
      finding: together(
        { ...finding, ...commonTo(all, finding) },
        followers.filter((check) => check.id === id),
      ),
    }
  })
  return causes.toSorted((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status))
}

/** One cause may show in several operations: which, is what its findings have in common. */
function commonTo(all: readonly ReportCheck[], { common }: ReportFinding): Pick<ReportFinding, 'common'> {
  const ids = [...new Set(all.map(({ id }) => id))]
  const said = ids.length > 1 ? [`it fails ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`] : []
  const parts = [...(common === undefined ? [] : [common]), ...said]
  return parts.length > 0 ? { common: parts.join('; ') } : {}
}

const ORDER: readonly string[] = ['fail', 'error', 'inconclusive', 'warn']

/** A finding of the same status that is referred to leads; what waits for another check has no finding. */
function leaderOf(check: ReportCheck, found: readonly ReportCheck[]): ReportCheck {
  const { cause, status } = check
  const leader = cause && found.find((one) => keyOf(one) === keyOf(cause))
  return leader && leader.status === status && leader.cause === undefined ? leader : check
}

/** One answer in each version: who is shown more reads none of it. What contradicts itself in one is shown whole. */
const MOST_SHOWN = 2

/** Some of a list, and what others add to it, while they are few. The same asked twice is two lines: it is answered otherwise. */
function withOthers<T>(own: readonly T[], others: readonly T[]): readonly T[] {
  const more = [...new Set(others)].filter((one) => !own.includes(one))
  return [...own, ...more].slice(0, Math.max(MOST_SHOWN, own.length))
}

/** The finding, and how to see it in the other versions too where it takes one answer to see it: the telling line of each. */
function together(finding: ReportFinding, others: readonly ReportCheck[]): ReportFinding {
  const lines = others.flatMap((check) => check.finding?.curl.slice(0, 1) ?? [])
  const exchanges = others.flatMap((check) => check.finding?.exchanges.slice(0, 1) ?? [])
  return {
    ...finding,
    curl: withOthers(finding.curl, lines),
    exchanges: withOthers(finding.exchanges, exchanges),
  }
}

import type { Scope, Status } from '../../suites/engine/check/verdict.ts'
import { counted } from '../text/wording.ts'
import { reasonText, withoutVersions } from './reasons.ts'
import type { Report, ReportCheck, ReportOpenPoint } from './report.ts'

/** Checks that share a status and a reason: thirty behind one failed prerequisite are one group. */
export interface ReasonGroup {
  readonly status: Status
  readonly reason: string
  readonly checks: readonly ReportCheck[]
}

/** One answer that the deployment gave to an open point, with all places where it gave it. */
export interface Choice {
  readonly id: string
  readonly operation?: string
  readonly versions: readonly Scope[]
  readonly value: string
  readonly says?: string
}

/** How many checks ended in which way, zeros included. */
export function countByStatus(checks: readonly ReportCheck[]): Readonly<Record<Status, number>> {
  const counts = { pass: 0, fail: 0, warn: 0, inconclusive: 0, 'not-applicable': 0, error: 0 }
  for (const { status } of checks) counts[status]++
  return counts
}

/**
 * The checks that tested nothing, by reason in words, the largest group first; v2 and v3 with the same reason are one
 * group. An inconclusive check with a finding (an unstable response) is shown as a finding instead.
 */
export function groupByReason(checks: readonly ReportCheck[]): ReasonGroup[] {
  const groups = new Map<string, ReportCheck[]>()
  for (const check of checks) {
    if (!isUnexercised(check)) continue
    const key = `${check.status} ${withoutVersions(check.reason ?? '')}`
    groups.set(key, [...(groups.get(key) ?? []), check])
  }
  return [...groups.values()]
    .flatMap((members) => {
      const [first] = members
      if (first === undefined) return []
      const isOfSeveral = members.some(({ reason }) => reason !== first.reason)
      const reason = withoutOwnReason(
        isOfSeveral ? (first.reason ?? '').replace(/ \(v\d(?:\+v\d)?\)/g, '') : (first.reason ?? ''),
      )
      return [{ status: first.status, reason, checks: members }]
    })
    .sort((one, other) => other.checks.length - one.checks.length)
}

/** What the run says of itself as a whole, each in a sentence: what stands at a check is left out. */
export const sentencesOfRun = ({ checks, notExercised }: Report): readonly string[] =>
  notExercised.filter((sentence) => !checks.some(({ id, version }) => sentence.startsWith(`${id} (${version}): `)))

/** The checks that passed as far as anyone can see, by what keeps that from saying more. */
export function groupByCaveat(checks: readonly ReportCheck[]): Pick<ReasonGroup, 'reason' | 'checks'>[] {
  const groups = new Map<string, ReportCheck[]>()
  for (const check of checks)
    if (check.caveat !== undefined) groups.set(check.caveat, [...(groups.get(check.caveat) ?? []), check])
  return [...groups].map(([reason, members]) => ({ reason, checks: members }))
}

/** One or two checks by name, more by how many they are; with their versions. */
export function whoTheyAre(checks: readonly ReportCheck[]): string {
  const names = [...new Set(checks.map(({ id }) => id))]
  const versions = [...new Set(checks.map(({ version }) => version))].sort().join(', ')
  return `${names.length <= 2 ? names.join(', ') : counted(checks.length, 'check')} (${versions})`
}

/** The reason of a prerequisite stands at the prerequisite itself, in the same list. */
const withoutOwnReason = (reason: string): string =>
  reasonText(reason).replace(/^(not tested, because \S+ \([^)]*\) was inconclusive): .*$/s, '$1')

function isUnexercised({ status, finding }: ReportCheck): boolean {
  return status === 'not-applicable' || (status === 'inconclusive' && finding === undefined)
}

/** The open points, with equal answers of both versions made one. */
export function choices(openPoints: readonly ReportOpenPoint[]): Choice[] {
  const found = new Map<string, Choice>()
  for (const { id, operation, version, value, says } of openPoints) {
    const key = JSON.stringify([id, operation, value])
    const versions = [...new Set([...(found.get(key)?.versions ?? []), version])]
    found.set(key, {
      id,
      ...(operation !== undefined && { operation }),
      versions,
      value,
      ...(says !== undefined && { says }),
    })
  }
  return [...found.values()]
}

/** The checks that tried some of what there was to try. */
export function sampledChecks(checks: readonly ReportCheck[]): ReportCheck[] {
  return checks.filter(({ asked, sampledFrom }) => sampledFrom !== undefined && asked < sampledFrom)
}

/** The class that a verdict counts in: a version, or `parity` where it is about more than one. */
export const classOf = (version: Scope): string => (version.includes('+') ? 'parity' : version)

/** Why a class was not judged at all, or undefined when it was. */
export function notJudged({ target: { versions } }: Report, name: string): string | undefined {
  if (name === 'parity') return versions.length < 2 ? 'needs both versions' : undefined
  return versions.includes(name) ? undefined : 'left out by --versions'
}

import type { Scope, Status } from '../../suites/engine/check/verdict.ts'
import { formatCount } from '../text/wording.ts'
import { describeReason, removeVersions } from './reasons.ts'
import type { Report, ReportCheck, ReportOpenPoint } from './report.ts'

/** Checks with the same status and reason: thirty behind one failed prerequisite are one group. */
export interface ReasonGroup {
  readonly status: Status
  readonly reason: string
  readonly checks: readonly ReportCheck[]
}

/** A choice at an open point, with all places where it was observed. */
export interface ChoiceSummary {
  readonly id: string
  readonly operation?: string
  readonly versions: readonly Scope[]
  readonly value: string
  readonly says?: string
}

/** The number of checks per status, zeros included. */
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
    if (!hasTestedNothing(check)) continue
    const key = `${check.status} ${removeVersions(check.reason ?? '')}`
    groups.set(key, [...(groups.get(key) ?? []), check])
  }
  return [...groups.values()]
    .flatMap((members) => {
      const [first] = members
      if (first === undefined) return []
      const isOfSeveral = members.some(({ reason }) => reason !== first.reason)
      const reason = removePrerequisiteReason(
        isOfSeveral ? (first.reason ?? '').replace(/ \(v\d(?:\+v\d)?\)/g, '') : (first.reason ?? ''),
      )
      return [{ status: first.status, reason, checks: members }]
    })
    .sort((one, other) => other.checks.length - one.checks.length)
}

/** Sentences about the run as a whole, without those that a check already shows. */
export const runSentencesOf = ({ checks, notExercised }: Report): readonly string[] =>
  notExercised.filter((sentence) => !checks.some(({ id, version }) => sentence.startsWith(`${id} (${version}): `)))

/** Checks that passed with a limitation, grouped by it. */
export function groupByCaveat(checks: readonly ReportCheck[]): Pick<ReasonGroup, 'reason' | 'checks'>[] {
  const groups = new Map<string, ReportCheck[]>()
  for (const check of checks)
    if (check.caveat !== undefined) groups.set(check.caveat, [...(groups.get(check.caveat) ?? []), check])
  return [...groups].map(([reason, members]) => ({ reason, checks: members }))
}

/** One or two checks by name, more by number, with their versions. */
export function describeChecks(checks: readonly ReportCheck[]): string {
  const names = [...new Set(checks.map(({ id }) => id))]
  const versions = [...new Set(checks.map(({ version }) => version))].sort().join(', ')
  return `${names.length <= 2 ? names.join(', ') : formatCount(checks.length, 'check')} (${versions})`
}

/** Drops the reason of a prerequisite, which the list shows at the prerequisite itself. */
const removePrerequisiteReason = (reason: string): string =>
  describeReason(reason).replace(/^(not tested, because \S+ \([^)]*\) was inconclusive): .*$/s, '$1')

function hasTestedNothing({ status, finding }: ReportCheck): boolean {
  return status === 'not-applicable' || (status === 'inconclusive' && finding === undefined)
}

/** The open points, with equal choices of both versions merged. */
export function summariseChoices(openPoints: readonly ReportOpenPoint[]): ChoiceSummary[] {
  const found = new Map<string, ChoiceSummary>()
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

/** The checks that tested a sample. */
export function selectSampledChecks(checks: readonly ReportCheck[]): ReportCheck[] {
  return checks.filter(({ asked, sampledFrom }) => sampledFrom !== undefined && asked < sampledFrom)
}

/** The class of a verdict: a version, or `parity` for several. */
export const versionClassOf = (version: Scope): string => (version.includes('+') ? 'parity' : version)

/** The reason why a class was not judged; undefined if it was. */
export function reasonNotJudged({ target: { versions } }: Report, name: string): string | undefined {
  if (name === 'parity') return versions.length < 2 ? 'needs both versions' : undefined
  return versions.includes(name) ? undefined : 'left out by --versions'
}

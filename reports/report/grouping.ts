import type { Status, VerdictScope } from '../../suites/engine/check/verdict.ts'
import { groupBy } from '../text/group-by.ts'
import { formatCount, formatWholeNumber } from '../text/wording.ts'
import { describeReason, removeVersionsFromReason } from './reasons.ts'
import type { Report, ReportCheck, ReportOpenPoint } from './report.ts'

/** Checks with the same status and reason, e.g. thirty checks with one failed prerequisite. */
export interface ReasonGroup {
  readonly status: Status
  readonly reason: string
  readonly checks: readonly ReportCheck[]
}

/**
 * A choice of the deployment at an open point of the contract, with all operations and versions where it was observed.
 */
export interface ChoiceSummary extends Pick<ReportOpenPoint, 'id' | 'operation' | 'value' | 'says'> {
  readonly versions: readonly VerdictScope[]
}

/** Returns whether any check passed. If none did, all inconclusive checks of a report usually have the same cause. */
export const hasPassedChecks = ({ checks }: Pick<Report, 'checks'>): boolean =>
  checks.some(({ status }) => status === 'pass' || status === 'warn')

/** Counts the checks of each status. A status without checks has the count 0. */
export function countByStatus(checks: readonly ReportCheck[]): Readonly<Record<Status, number>> {
  const counts = { pass: 0, fail: 0, warn: 0, inconclusive: 0, 'not-applicable': 0, error: 0 }
  for (const { status } of checks) counts[status]++
  return counts
}

/**
 * Groups the checks that tested nothing by reason, the largest group first. Checks of v2 and v3 with the same reason
 * are one group. Inconclusive checks with a finding are left out, because they are shown as unstable findings.
 */
export function groupChecksByReason(checks: readonly ReportCheck[]): ReasonGroup[] {
  const groups = groupBy(
    checks.filter(hasTestedNothing),
    ({ status, reason = '' }) => `${status} ${removeVersionsFromReason(reason)}`,
  )
  return [...groups.values()]
    .map((members) => {
      const [first] = members
      const hasSeveralReasons = members.some(({ reason }) => reason !== first.reason)
      const reason = removePrerequisiteReason(
        hasSeveralReasons ? (first.reason ?? '').replace(/ \(v\d(?:\+v\d)?\)/g, '') : (first.reason ?? ''),
      )
      return { status: first.status, reason, checks: members }
    })
    .sort((one, other) => other.checks.length - one.checks.length)
}

/**
 * Returns the sentences about what was not tested in the run. Sentences about a single check are left out, because they
 * are shown with that check.
 */
export const findSentencesAboutRun = ({ checks, notExercised }: Report): readonly string[] =>
  notExercised.filter((sentence) => !checks.some(({ id, version }) => sentence.startsWith(`${id} (${version}): `)))

/** Describes one or two checks by id and more by number, with their versions. */
export function describeChecks(checks: readonly ReportCheck[]): string {
  const names = [...new Set(checks.map(({ id }) => id))]
  const versions = [...new Set(checks.map(({ version }) => version))].sort().join(', ')
  return `${names.length <= 2 ? names.join(', ') : formatCount(checks.length, 'check')} (${versions})`
}

/**
 * Shortens the reason of a check whose prerequisite was inconclusive. The reason of the prerequisite is left out,
 * because it is listed at the prerequisite itself.
 */
const removePrerequisiteReason = (reason: string): string =>
  describeReason(reason).replace(
    /^(?:not tested, because )?([a-z-]+\/[a-z-]+(?: \([^)]*\))? was inconclusive): .*$/s,
    'not tested, because $1',
  )

function hasTestedNothing({ status, finding }: ReportCheck): boolean {
  return status === 'not-applicable' || (status === 'inconclusive' && finding === undefined)
}

/** Merges entries with the same open point, operation and value. Each result has the versions of all merged entries. */
export function summariseChoices(openPoints: readonly ReportOpenPoint[]): ChoiceSummary[] {
  const groups = groupBy(openPoints, ({ id, operation, value }) => JSON.stringify([id, operation, value]))
  return [...groups.values()].map((equalChoices) => ({
    ...equalChoices[0],
    versions: [...new Set(equalChoices.map(({ version }) => version))],
  }))
}

/**
 * Returns the sentences about what the run tested incompletely: those about the run, the limitations of checks that
 * passed, and the number of checks that tested only a sample.
 */
export function listLimitations(report: Report): readonly string[] {
  const groupBySentence = (sentenceOf: (check: ReportCheck) => string | undefined) => {
    const groups = groupBy(report.checks, (check) => sentenceOf(check) ?? '')
    groups.delete('')
    return [...groups]
  }
  return [
    ...findSentencesAboutRun(report),
    ...groupBySentence(({ caveat }) => caveat).map(
      ([caveat, checks]) => `${describeChecks(checks)} passed, but: ${caveat}`,
    ),
    ...groupBySentence(({ refused }) => refused).map(([refused, checks]) => `${describeChecks(checks)}: ${refused}`),
    ...describeSampledChecks(report.checks),
  ]
}

/** Returns a sentence about the checks that tested only a sample; an empty array if there are none. */
function describeSampledChecks(checks: readonly ReportCheck[]): string[] {
  const shareOf = ({ asked, sampledFrom }: ReportCheck) => (sampledFrom === undefined ? 1 : asked / sampledFrom)
  const sampled = checks.filter((check) => shareOf(check) < 1).sort((one, other) => shareOf(one) - shareOf(other))
  const [least] = sampled
  if (least === undefined) return []
  const { id, version, asked, sampledFrom = asked } = least
  const example = `${id} ${version}, ${formatWholeNumber(asked)} of ${formatWholeNumber(sampledFrom)} inputs`
  return [`${formatCount(sampled.length, 'check')} tested a sample; lowest coverage: ${example}`]
}

/** Returns the class under which a check is counted: its version, or `parity` if it compares versions. */
export const versionClassOf = (version: VerdictScope): string => (version.includes('+') ? 'parity' : version)

/**
 * Returns the reason why the run has no conclusion for a class of checks; undefined if it has one.
 * @param name the class: `v2`, `v3` or `parity`
 */
export function describeWhyClassWasNotJudged(
  { target: { versions }, selected, checks }: Report,
  name: string,
): string | undefined {
  if (name === 'parity' && versions.length < 2) return 'needs both versions'
  if (name !== 'parity' && !versions.includes(name)) return 'left out by --versions'
  const hasChecks = checks.some(({ version }) => versionClassOf(version) === name)
  return selected && !hasChecks ? 'no selected check is about it' : undefined
}

import type { RunResult, Verdict } from '../../engine/check/verdict.ts'
import { conclude, isJudged, isKept } from '../../engine/run/conclusion.ts'
import { exitCodeOf, exits } from '../../options/exit-code.ts'
import { causeOf, hasPlaceholder, type KnownViolation, type KnownViolations, PLACEHOLDER_REASON } from './known.ts'

/** A run held against a baseline; its verdict stays unchanged. */
export interface Gate {
  /** Each failing verdict that is known, with its entry. */
  readonly known: ReadonlyMap<Verdict, KnownViolation>
  /** Failing verdicts that no entry covers. */
  readonly unknown: readonly Verdict[]
  /** Invalid entries, each with the correction. */
  readonly problems: readonly string[]
  /** Entries that this run did not test. */
  readonly notExercised: readonly KnownViolation[]
  /** The run without known violations and their dependents. */
  readonly rest: Pick<RunResult, 'conclusion' | 'verdicts'>
}

const nameOf = ({ check, version }: KnownViolation): string => `${check} (${version})`

const isAbout =
  ({ check, version }: KnownViolation) =>
  (verdict: Verdict): boolean =>
    verdict.check.id === check && verdict.version === version

/** True if a verdict matches an entry, on any day. */
const fitting =
  (entry: KnownViolation) =>
  (verdict: Verdict): boolean =>
    isAbout(entry)(verdict) && (entry.cause === undefined || entry.cause === causeOf(verdict))

function isExercised(entry: KnownViolation, verdicts: readonly Verdict[]): boolean {
  const verdict = verdicts.find(isAbout(entry))
  return verdict !== undefined && isJudged(verdict)
}

/** Expired when the day has ended everywhere on earth. */
const isOver = ({ expires }: KnownViolation, now: Date): boolean =>
  expires !== undefined && now.getTime() > new Date(`${expires}T00:00:00Z`).getTime() + 36 * 3600 * 1000

/** The reason why an entry is invalid, and the correction; undefined if it is valid or not tested. */
function problemWith(entry: KnownViolation, verdicts: readonly Verdict[], now: Date): string | undefined {
  const verdict = verdicts.find(isAbout(entry))
  if (verdict && isKept(verdict)) return `${nameOf(entry)} is mended: delete its entry`
  if (verdict?.status !== 'fail') return undefined
  if (hasPlaceholder(entry)) return `${nameOf(entry)} has the placeholder as its reason: say why it is not mended yet`
  if (isOver(entry, now))
    return `${nameOf(entry)} expired on ${entry.expires}: mend it, or say again why not and until when`
  if (entry.cause === undefined || entry.cause === causeOf(verdict)) return undefined
  return `${nameOf(entry)} is broken otherwise than known, by ${JSON.stringify(causeOf(verdict))}: delete its entry, or put this cause in`
}

/**
 * Compares failures with a baseline.
 * @param now the time for expiry
 */
export function gateOf({ verdicts }: Pick<RunResult, 'verdicts'>, { violations }: KnownViolations, now: Date): Gate {
  const failing = verdicts.filter(({ status }) => status === 'fail')
  const known = new Map<Verdict, KnownViolation>()
  for (const verdict of failing) {
    const entry = violations.find((one) => fitting(one)(verdict) && !isOver(one, now) && !hasPlaceholder(one))
    if (entry) known.set(verdict, entry)
  }
  const isExcused = (verdict: Verdict): boolean =>
    [...known.keys()].some((one) => one.check.id === verdict.check.id && one.version === verdict.version)
  const rest = verdicts.filter(
    (verdict) =>
      !isExcused(verdict) && !(verdict.status === 'inconclusive' && verdict.cause && isExcused(verdict.cause)),
  )
  // If several entries match one violation, one of them is enough.
  const excuses = new Set(known.values())
  const idle = violations.filter((one) => !excuses.has(one))
  const isTold = (one: KnownViolation) =>
    [...excuses].some((fit) => fit.check === one.check && fit.version === one.version)
  const problems = idle.filter((one) => !isTold(one)).flatMap((one) => problemWith(one, verdicts, now) ?? [])
  return {
    known,
    unknown: failing.filter((verdict) => !known.has(verdict)),
    problems: [
      ...problems,
      ...idle
        .filter(isTold)
        .map(
          (one) =>
            `${nameOf(one)} has another entry that fits: delete the one for ${JSON.stringify(one.cause ?? 'any cause')}`,
        ),
    ],
    notExercised: violations.filter((one) => !isExercised(one, verdicts)),
    rest: { conclusion: concludeRest(rest, known.size), verdicts: rest },
  }
}

/** A run whose selected checks all fail as known is not inconclusive. */
function concludeRest(rest: readonly Verdict[], known: number): RunResult['conclusion'] {
  const conclusion = conclude(rest)
  const isUndecided = rest.some(
    ({ check, status }) => check.level !== 'should' && (status === 'inconclusive' || status === 'error'),
  )
  return conclusion === 'inconclusive' && known > 0 && !isUndecided ? 'partial' : conclusion
}

/**
 * Creates a baseline of all failures; people fill in the reasons.
 * @param before the previous baseline: its texts and untested entries are kept
 */
export function knownOf(
  { verdicts }: Pick<RunResult, 'verdicts'>,
  before: KnownViolations = { knownVersion: 1, violations: [] },
): KnownViolations {
  const failing = verdicts.filter(({ status }) => status === 'fail')
  const kept = before.violations.filter((one) => !isExercised(one, verdicts) || failing.some(fitting(one)))
  const added = failing
    .filter((verdict) => !kept.some((one) => fitting(one)(verdict)))
    .map((verdict) => ({
      check: verdict.check.id,
      version: verdict.version,
      cause: causeOf(verdict),
      reason: PLACEHOLDER_REASON,
    }))
  return { ...before, violations: [...kept, ...added] }
}

/** The number of known failures, and the result of the gate. */
function outcomeOf({ known, unknown, problems, rest }: Gate, isPassed: boolean): string {
  const total = known.size + unknown.length
  if (total === 0 && !rest.verdicts.some(isJudged)) return 'nothing was judged, and so the gate was not reached'
  const isUndecided = unknown.length === 0 && problems.length === 0 && rest.conclusion === 'inconclusive'
  const gate = isPassed ? 'the gate is passed' : 'the gate is not passed'
  const why = !isPassed && isUndecided ? ': what else was asked is inconclusive' : ''
  return `${known.size} of ${total} failing ${total === 1 ? 'check is' : 'checks are'} known; ${gate}${why}`
}

/**
 * The text about known violations after the verdict.
 * @param isPassed whether the exit code is 0
 */
export function gateText(gate: Gate, isPassed: boolean): string {
  const { known, unknown, problems, notExercised } = gate
  const lines = [
    `known violations: ${outcomeOf(gate, isPassed)}`,
    ...[...known.values()].map(({ issue, expires, reason, ...one }) => {
      const more = [issue, expires === undefined ? undefined : `until ${expires}`].filter(Boolean).join(', ')
      return `  known    ${nameOf({ ...one, reason })}: ${reason}${more ? ` (${more})` : ''}`
    }),
    ...unknown.map(({ check, version }) => `  unknown  ${check.id} (${version})`),
    ...problems.map((problem) => `  stale    ${problem}`),
    ...notExercised.map((one) => `  not exercised in this run, and so not mended: ${nameOf(one)}`),
  ]
  return `${lines.join('\n')}\n`
}

/** The exit code with a baseline: known failures pass, invalid entries fail. */
export function gatedCode(
  { unknown, problems, rest }: Pick<Gate, 'unknown' | 'problems' | 'rest'>,
  manner: { strict: boolean; interrupted: boolean },
): number {
  if (!manner.interrupted && (unknown.length > 0 || problems.length > 0)) return exits.nonconformant.code
  return exitCodeOf(rest, manner)
}

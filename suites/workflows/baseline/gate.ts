import type { RunResult, Verdict } from '../../engine/check/verdict.ts'
import { conclude, isJudged, isKept } from '../../engine/run/conclusion.ts'
import { exitCodeOf, exits } from '../../options/exit-code.ts'
import { causeOf, hasPlaceholder, type KnownViolation, type KnownViolations, PLACEHOLDER_REASON } from './known.ts'

/** What known violations make of a run: the verdict stays what it is. */
export interface Gate {
  /** Each failing verdict that is known, and by what. */
  readonly known: ReadonlyMap<Verdict, KnownViolation>
  /** Failing verdicts that nothing excuses. */
  readonly unknown: readonly Verdict[]
  /** Entries that are no excuse any more, each with what to do about it. */
  readonly problems: readonly string[]
  /** Entries that this run says nothing of. */
  readonly notExercised: readonly KnownViolation[]
  /** The run without what is known, and without what waits for it. */
  readonly rest: Pick<RunResult, 'conclusion' | 'verdicts'>
}

const nameOf = ({ check, version }: KnownViolation): string => `${check} (${version})`

const isAbout =
  ({ check, version }: KnownViolation) =>
  (verdict: Verdict): boolean =>
    verdict.check.id === check && verdict.version === version

/** Whether a verdict is what an entry says, whatever the day. */
const fitting =
  (entry: KnownViolation) =>
  (verdict: Verdict): boolean =>
    isAbout(entry)(verdict) && (entry.cause === undefined || entry.cause === causeOf(verdict))

function isExercised(entry: KnownViolation, verdicts: readonly Verdict[]): boolean {
  const verdict = verdicts.find(isAbout(entry))
  return verdict !== undefined && isJudged(verdict)
}

/** A day ends everywhere. */
const isOver = ({ expires }: KnownViolation, now: Date): boolean =>
  expires !== undefined && now.getTime() > new Date(`${expires}T00:00:00Z`).getTime() + 36 * 3600 * 1000

/** Why an entry excuses nothing any more, and what to do; undefined where all is as it says, or nothing is said of it. */
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
 * Holds what failed against what is known.
 * @param now for what expires
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
  // Of several entries for one violation, one that fits is enough.
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

/** Where all that was selected is known to fail, nothing is left to pass: that is not undecided. */
function concludeRest(rest: readonly Verdict[], known: number): RunResult['conclusion'] {
  const conclusion = conclude(rest)
  const isUndecided = rest.some(
    ({ check, status }) => check.level !== 'should' && (status === 'inconclusive' || status === 'error'),
  )
  return conclusion === 'inconclusive' && known > 0 && !isUndecided ? 'partial' : conclusion
}

/**
 * What fails, as a file of known violations; the reasons are for people to fill in.
 * @param before what was known before: what still fails keeps its words, what was not exercised stays
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

/** How many failures are known, and what that makes of the gate. */
function outcomeOf({ known, unknown, problems, rest }: Gate, isPassed: boolean): string {
  const total = known.size + unknown.length
  if (total === 0 && !rest.verdicts.some(isJudged)) return 'nothing was judged, and so the gate was not reached'
  const isUndecided = unknown.length === 0 && problems.length === 0 && rest.conclusion === 'inconclusive'
  const gate = isPassed ? 'the gate is passed' : 'the gate is not passed'
  const why = !isPassed && isUndecided ? ': what else was asked is inconclusive' : ''
  return `${known.size} of ${total} failing ${total === 1 ? 'check is' : 'checks are'} known; ${gate}${why}`
}

/**
 * What is said of known violations after the verdict.
 * @param isPassed as the exit code says
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

/** The same where violations are known: what is known fails nothing; what is said of it and is not so fails. */
export function gatedCode(
  { unknown, problems, rest }: Pick<Gate, 'unknown' | 'problems' | 'rest'>,
  manner: { strict: boolean; interrupted: boolean },
): number {
  if (!manner.interrupted && (unknown.length > 0 || problems.length > 0)) return exits.nonconformant.code
  return exitCodeOf(rest, manner)
}

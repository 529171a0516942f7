import type { RunResult, Verdict } from '../../engine/check/verdict.ts'
import { concludeRun, hasDecisiveStatus, isPassOrWarn } from '../../engine/run/conclusion.ts'
import { exitCodeOf, exitCodes } from '../../options/exit-code.ts'
import {
  defectTextOf,
  hasPlaceholderReason,
  type KnownViolation,
  type KnownViolations,
  PLACEHOLDER_REASON,
} from './known.ts'

/**
 * The result of comparing a run with a baseline (a file of known violations). It affects the exit code, not the
 * verdict.
 */
export interface BaselineResult {
  /** The failing verdicts that the baseline covers, each with its entry in the baseline. */
  readonly known: ReadonlyMap<Verdict, KnownViolation>
  /** The failing verdicts that no entry of the baseline covers. */
  readonly unknown: readonly Verdict[]
  /** Sentences about invalid entries of the baseline, which also say how to correct them. */
  readonly problems: readonly string[]
  /** The entries of the baseline whose checks this run did not test. */
  readonly notExercised: readonly KnownViolation[]
  /**
   * The verdicts without known violations and without the checks that depend on these, and the conclusion from the
   * rest.
   */
  readonly resultWithoutKnown: Pick<RunResult, 'conclusion' | 'verdicts'>
}

const entryNameOf = ({ check, version }: KnownViolation): string => `${check} (${version})`

/** Creates a function that returns whether a verdict is about the check and version of an entry. */
const isForCheck =
  ({ check, version }: KnownViolation) =>
  (verdict: Verdict): boolean =>
    verdict.check.id === check && verdict.version === version

/**
 * Creates a function that returns whether an entry of the baseline is about the defect of a verdict, even if the entry
 * is expired.
 */
const isForDefect =
  (entry: KnownViolation) =>
  (verdict: Verdict): boolean =>
    isForCheck(entry)(verdict) && (entry.cause === undefined || entry.cause === defectTextOf(verdict))

/** Returns whether the run decided the check of an entry. */
function isEntryTested(entry: KnownViolation, verdicts: readonly Verdict[]): boolean {
  const verdict = verdicts.find(isForCheck(entry))
  return verdict !== undefined && hasDecisiveStatus(verdict)
}

/** Returns whether an entry of the baseline is expired: its last day is over in every time zone. */
const isExpired = ({ expires }: KnownViolation, now: Date): boolean =>
  expires !== undefined && now.getTime() > new Date(`${expires}T00:00:00Z`).getTime() + 36 * 3600 * 1000

/**
 * Returns a sentence that says why an entry of the baseline is invalid and how to correct it. Returns undefined if the
 * entry is valid, or if its check was not tested.
 */
function findProblem(entry: KnownViolation, verdicts: readonly Verdict[], now: Date): string | undefined {
  const verdict = verdicts.find(isForCheck(entry))
  if (verdict && isPassOrWarn(verdict)) return `${entryNameOf(entry)} is fixed: delete its entry`
  if (verdict?.status !== 'fail') return undefined
  if (hasPlaceholderReason(entry))
    return `the reason of ${entryNameOf(entry)} is still the placeholder: write why the violation is not fixed yet`
  if (isExpired(entry, now))
    return `${entryNameOf(entry)} expired on ${entry.expires}: fix the violation, or give a new reason and date`
  if (entry.cause === undefined || entry.cause === defectTextOf(verdict)) return undefined
  return `${entryNameOf(entry)} fails for another cause than the known one: ${JSON.stringify(defectTextOf(verdict))}. Fix this violation, or replace the cause in its entry`
}

/**
 * Compares the failing verdicts of a run with a baseline.
 * @param now the current time, by which entries of the baseline expire
 */
export function compareWithBaseline(
  { verdicts }: Pick<RunResult, 'verdicts'>,
  { violations }: KnownViolations,
  now: Date,
): BaselineResult {
  const failing = verdicts.filter(({ status }) => status === 'fail')
  const known = new Map<Verdict, KnownViolation>()
  for (const verdict of failing) {
    const entry = violations.find(
      (one) => isForDefect(one)(verdict) && !isExpired(one, now) && !hasPlaceholderReason(one),
    )
    if (entry) known.set(verdict, entry)
  }
  const isKnownFailure = (verdict: Verdict): boolean =>
    [...known.keys()].some((one) => one.check.id === verdict.check.id && one.version === verdict.version)
  const rest = verdicts.filter(
    (verdict) =>
      !isKnownFailure(verdict) &&
      !(verdict.status === 'inconclusive' && verdict.cause && isKnownFailure(verdict.cause)),
  )
  // Several entries may cover one violation. One of them suffices; the others count as unused.
  const usedEntries = new Set(known.values())
  const unusedEntries = violations.filter((one) => !usedEntries.has(one))
  const isCheckCovered = ({ check, version }: KnownViolation) =>
    [...usedEntries].some((used) => used.check === check && used.version === version)
  const problems = unusedEntries
    .filter((one) => !isCheckCovered(one))
    .flatMap((one) => findProblem(one, verdicts, now) ?? [])
  return {
    known,
    unknown: failing.filter((verdict) => !known.has(verdict)),
    problems: [
      ...problems,
      ...unusedEntries
        .filter(isCheckCovered)
        .map(
          (one) =>
            `${entryNameOf(one)} has another entry that fits: delete the one for ${JSON.stringify(one.cause ?? 'any cause')}`,
        ),
    ],
    notExercised: violations.filter((one) => !isEntryTested(one, verdicts)),
    resultWithoutKnown: { conclusion: concludeWithoutKnown(rest, known.size), verdicts: rest },
  }
}

/**
 * Returns the conclusion from the verdicts without known violations. If there are only known violations, it is
 * `partial` rather than inconclusive.
 */
function concludeWithoutKnown(rest: readonly Verdict[], knownCount: number): RunResult['conclusion'] {
  const conclusion = concludeRun(rest)
  const isUndecided = rest.some(
    ({ check, status }) => check.level !== 'should' && (status === 'inconclusive' || status === 'error'),
  )
  return conclusion === 'inconclusive' && knownCount > 0 && !isUndecided ? 'partial' : conclusion
}

/**
 * Creates a baseline with all failing checks. People then write a reason into each entry.
 * @param before the previous baseline; entries that still apply, or were not tested, stay as they are
 */
export function createBaseline(
  { verdicts }: Pick<RunResult, 'verdicts'>,
  before: KnownViolations = { knownVersion: 1, violations: [] },
): KnownViolations {
  const failing = verdicts.filter(({ status }) => status === 'fail')
  const kept = before.violations.filter((one) => !isEntryTested(one, verdicts) || failing.some(isForDefect(one)))
  const added = failing
    .filter((verdict) => !kept.some((one) => isForDefect(one)(verdict)))
    .map((verdict) => ({
      check: verdict.check.id,
      version: verdict.version,
      cause: defectTextOf(verdict),
      reason: PLACEHOLDER_REASON,
    }))
  return { ...before, violations: [...kept, ...added] }
}

/** Describes how many failing checks are known, and whether the baseline lets the command pass. */
function describeOutcome({ known, unknown, problems, resultWithoutKnown }: BaselineResult, isPassed: boolean): string {
  const total = known.size + unknown.length
  if (total === 0 && !resultWithoutKnown.verdicts.some(hasDecisiveStatus))
    return 'nothing was tested, so the run cannot be compared with the known violations'
  const isUndecided = unknown.length === 0 && problems.length === 0 && resultWithoutKnown.conclusion === 'inconclusive'
  const gate = isPassed ? 'the gate is passed' : 'the gate is not passed'
  const why = !isPassed && isUndecided ? ': other checks are inconclusive' : ''
  return `${known.size} of ${total} failing ${total === 1 ? 'check is' : 'checks are'} known; ${gate}${why}`
}

/** Renders the lines about known violations, which follow the verdict in the output. */
export function renderBaselineResult(result: BaselineResult, isPassed: boolean): string {
  const { known, unknown, problems, notExercised } = result
  const lines = [
    `known violations: ${describeOutcome(result, isPassed)}`,
    ...[...known.values()].map(({ issue, expires, reason, ...one }) => {
      const more = [issue, expires === undefined ? undefined : `until ${expires}`].filter(Boolean).join(', ')
      return `  known    ${entryNameOf({ ...one, reason })}: ${reason}${more ? ` (${more})` : ''}`
    }),
    ...unknown.map(({ check, version }) => `  unknown  ${check.id} (${version})`),
    ...problems.map((problem) => `  stale    ${problem}`),
    ...notExercised.map((one) => `  not tested in this run, so kept: ${entryNameOf(one)}`),
  ]
  return `${lines.join('\n')}\n`
}

/** Returns the exit code of a run with a baseline. Known violations do not fail the command, but invalid entries do. */
export function exitCodeWithBaseline(
  { unknown, problems, resultWithoutKnown }: Pick<BaselineResult, 'unknown' | 'problems' | 'resultWithoutKnown'>,
  exitOptions: { strict: boolean; isInterrupted: boolean },
): number {
  if (!exitOptions.isInterrupted && (unknown.length > 0 || problems.length > 0)) return exitCodes.nonconformant.code
  return exitCodeOf(resultWithoutKnown, exitOptions)
}

import type { CheckFacts, Finding, SkippedInputs, Verdict, VerdictScope } from '../check/verdict.ts'
import { NotApplicable, PrerequisiteFailed, UndecidedContradiction } from '../check/violations.ts'
import {
  type CheckRecord,
  type ConfirmedViolation,
  collectFailedInputs,
  type FailedInput,
} from '../finding/check-record.ts'
import { describeCommonTrait } from '../finding/common-traits.ts'
import { adviseOnCause } from '../finding/input-diagnoses.ts'
import { createInconclusiveStatus, formatAdvisedText, Inconclusive } from '../inconclusive.ts'
import { quote } from '../quoted.ts'
import type { CheckRun, ExchangeCiter } from './plan.ts'

type VerdictBase = Pick<
  Verdict,
  'check' | 'version' | 'inputsTested' | 'sampledFrom' | 'testedSummary' | 'refusedInputs'
>

/**
 * Describes the inputs that were refused; undefined if none was, or if no other input was tested: then the reason of the
 * verdict describes them.
 */
function describeRefusedInputs(
  { inputNoun = 'inputs' }: CheckFacts,
  { inputsTested, refusalReasons = [] }: CheckRecord,
): string | undefined {
  const [first, ...others] = new Set(refusalReasons)
  if (first === undefined || inputsTested === 0) return undefined
  const more = others.length > 0 ? `, and ${others.length} more` : ''
  const all = inputsTested + others.length + 1
  return `${others.length + 1} of ${all} ${inputNoun} did not count as tested: ${first}${more}`
}

/** Returns the members of a verdict that do not depend on the result of the check. */
export const createVerdictBase = (facts: CheckFacts, version: VerdictScope, record: CheckRecord): VerdictBase => {
  const { id, title, statements, statementsIfIntermittent, level, operation, fix, inputNoun } = facts
  const { inputsTested, sampledFrom, testedSummary } = record
  const refusedInputs = describeRefusedInputs(facts, record)
  return {
    check: {
      id,
      title,
      statements,
      level,
      operation,
      ...(statementsIfIntermittent && { statementsIfIntermittent }),
      ...(fix !== undefined && { fix }),
      ...(inputNoun !== undefined && { inputNoun }),
    },
    version,
    inputsTested,
    ...(sampledFrom !== undefined && { sampledFrom }),
    ...(testedSummary !== undefined && { testedSummary }),
    ...(refusedInputs !== undefined && { refusedInputs }),
  }
}

/** The record of a check that ended, and the error that ended it, if any. */
export interface CheckCompletion {
  readonly record: CheckRecord
  readonly thrown?: unknown
}

/** Creates the verdict of a check that has ended. */
export function createVerdict(
  { check, scope }: CheckRun<never>,
  { record, thrown }: CheckCompletion,
  skippedInputs: SkippedInputs,
  cite: ExchangeCiter,
): Verdict {
  const base = createVerdictBase(check, scope, record)
  // If the check ended early, a violation that it had already confirmed still counts.
  if (thrown !== undefined && !(record.confirmed && thrown instanceof Inconclusive))
    return createVerdictFromError(base, thrown)
  if (record.confirmed) return createFindingVerdict(base, record.confirmed, cite)
  return record.undecided
    ? createInconclusiveVerdict(base, record.undecided, cite)
    : createPassVerdict(base, record, skippedInputs)
}

/**
 * Creates the verdict for an error that a check threw: inconclusive, not applicable, or (for unexpected errors) a
 * defect of this suite.
 */
export function createVerdictFromError(base: VerdictBase, error: unknown): Verdict {
  if (error instanceof NotApplicable) return { ...base, status: 'not-applicable', reason: error.message }
  if (error instanceof Inconclusive) {
    return {
      ...base,
      ...createInconclusiveStatus(error),
      ...(error instanceof PrerequisiteFailed && { cause: error.cause }),
      ...(isFromEarlyEnd(error) && { endedEarly: true }),
    }
  }
  const errorText = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { ...base, status: 'error', reason: `a defect of this suite: ${errorText}` }
}

/** Returns whether the run ended before a check, or one that it requires, could end. */
const isFromEarlyEnd = (error: Inconclusive): boolean =>
  error instanceof PrerequisiteFailed
    ? error.cause.endedEarly === true
    : error.kind === 'budget' || error.kind === 'interrupted'

function createFindingVerdict(base: VerdictBase, confirmed: ConfirmedViolation, cite: ExchangeCiter): Verdict {
  const finding = createFinding(confirmed, base, cite)
  return { ...base, status: base.check.level === 'should' ? 'warn' : 'fail', reason: finding.actual, finding }
}

/** Creates the verdict of a check that is blocked: the failure of another check explains its violation. */
export const createBlockedVerdict = (base: VerdictBase, cause: Verdict): Verdict => ({
  ...base,
  status: 'inconclusive',
  reason: `blocked by ${cause.check.id} (${cause.version})`,
  cause,
})

function createInconclusiveVerdict(
  base: VerdictBase,
  { reason, exchanges }: NonNullable<CheckRecord['undecided']>,
  cite: ExchangeCiter,
): Verdict {
  const contradiction = reason instanceof UndecidedContradiction ? reason.contradiction : undefined
  const finding = contradiction && {
    expected: contradiction.expected,
    actual: contradiction.actual,
    exchanges: cite(exchanges),
  }
  return { ...base, ...createInconclusiveStatus(reason), ...(finding && { finding }) }
}

/** The reason of a check that tested no input, e.g. because a list is empty. */
export const NO_DATA_REASON = 'the deployment has no data that the check could use'

/**
 * Creates the verdict of a check without a violation. It names the inputs that were skipped. If no input was tested,
 * or the inputs found no data, the check is inconclusive.
 */
function createPassVerdict(
  base: VerdictBase,
  { caveat, hasNoData, refusalReasons: [refusalReason] = [] }: CheckRecord,
  skippedInputs: SkippedInputs,
): Verdict {
  const skipped = skippedInputs.failedChecks.length > 0 ? describeSkippedInputs(skippedInputs) : undefined
  if (base.inputsTested === 0) {
    const nothing = { kind: 'nothing to ask', text: refusalReason ?? NO_DATA_REASON } as const
    return { ...base, ...createInconclusiveStatus(skipped ? { kind: 'prerequisite', text: skipped } : nothing) }
  }
  if (hasNoData) {
    const status = createInconclusiveStatus({ kind: 'nothing to ask', text: NO_DATA_REASON })
    return { ...base, inputsTested: 0, hasNoData, ...status }
  }
  const caveats = [caveat, skipped].flatMap((one) => one ?? [])
  return { ...base, status: 'pass', ...(caveats.length > 0 && { caveat: caveats.join('; ') }) }
}

const MAX_NAMED_INPUTS = 3

function describeSkippedInputs({ inputs, failedChecks }: SkippedInputs): string {
  if (inputs.size === 0) return `tested without the data that failed in ${failedChecks.join(' and ')}`
  const named = [...inputs]
    .slice(0, MAX_NAMED_INPUTS)
    .map((input) => (input === '' ? 'the empty string' : quote(input)))
  const more = inputs.size - named.length
  return `not tested with ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}, because of failures in ${failedChecks.join(' and ')}`
}

/** The maximum number of failing inputs that a finding lists. */
const MAX_LISTED_INPUTS = 20

/** Describes the trait that only the failing inputs have, and adds the remark; `''` if there is neither. */
function describeCommonTraits(
  { violation, passedInputs, remark }: ConfirmedViolation,
  all: readonly FailedInput[],
): string {
  const inputs = all.flatMap(({ input }) => input ?? [])
  // If a single input fails, and only at times, its characters are hardly the cause.
  const isByChance = violation.contradiction.intermittent !== undefined && all.length === 1
  const canCompare = inputs.length === all.length && !isByChance
  const trait = canCompare ? describeCommonTrait(inputs, passedInputs) : undefined
  return [trait, remark].filter((one) => one !== undefined).join('; ')
}

function createFinding(
  confirmed: ConfirmedViolation,
  { check, inputsTested }: VerdictBase,
  cite: ExchangeCiter,
): Finding {
  const { violation, shownExchanges, text, path, otherInputs } = confirmed
  const { expected, actual, evidence, intermittent } = violation.contradiction
  const statementsOfCheck = intermittent ? check.statementsIfIntermittent : undefined
  const statements = violation.contradiction.statements ?? statementsOfCheck
  const all = collectFailedInputs(confirmed)
  const texts = [...new Set(all.flatMap((failed) => failed.text ?? []))]
  const commonTraits = describeCommonTraits(confirmed, all)
  const fix = adviseOnCause(confirmed)
  const affected = `(${all.length} of ${inputsTested} ${check.inputNoun ?? 'inputs'} affected)`
  // The shown exchanges are cited last: they have better excerpts, and if an exchange is cited twice, the last is kept.
  const inFlight = evidence && cite(evidence.inFlight)
  return {
    expected,
    actual: otherInputs.length > 0 || (text !== undefined && inputsTested > 1) ? `${actual} ${affected}` : actual,
    exchanges: cite(shownExchanges),
    ...(inFlight && { inFlight }),
    ...(text !== undefined && { counterexample: text }),
    ...(path !== undefined && { path }),
    ...(texts.some(Boolean) && { inputs: texts.slice(0, MAX_LISTED_INPUTS) }),
    ...(texts.length > MAX_LISTED_INPUTS && { moreInputs: texts.length - MAX_LISTED_INPUTS }),
    ...(commonTraits !== '' && { commonTraits }),
    ...(statements && { statements }),
    ...(fix !== undefined && { fix }),
  }
}

/**
 * Creates the error for a check whose prerequisite failed. It names the first check in the chain that failed, so that
 * all dependent checks name the same cause.
 */
export function createPrerequisiteFailure(verdict: Verdict): PrerequisiteFailed {
  const { check, version, status, reason, inconclusiveReason } = verdict
  const text = inconclusiveReason ? formatAdvisedText(inconclusiveReason) : reason
  const why = status === 'inconclusive' && text ? `: ${text.split('\n', 1)[0]}` : ''
  const ownReason = `${check.id} (${version}) ${status === 'fail' ? 'failed' : `was ${status}${why}`}`
  const message = inconclusiveReason?.kind === 'prerequisite' && text !== undefined ? text : ownReason
  return new PrerequisiteFailed(message, verdict.cause ?? verdict)
}

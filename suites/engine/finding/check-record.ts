import type { CauseTraits } from '../check/verdict.ts'
import { type Contradiction, namesIn } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Inconclusive } from '../inconclusive.ts'
import { type Candidate, isServiceFailure } from './candidate.ts'
import { findCommonTraits, findMinimalTraits, hasAnyTrait } from './common-traits.ts'

/** One failing input with its violation, or the violation of a check without inputs. */
export interface FailedInput extends Pick<Candidate, 'violation' | 'exchanges'> {
  /** The input as a person would type it. */
  readonly text?: string
  /** The exchanges to show, the clearest first. */
  readonly shownExchanges: readonly Exchange[]
  /** The input itself, if it is a string. */
  readonly input?: string
  /** A feature of the response that may explain the defect, e.g. the media type of a gateway. */
  readonly remark?: string
  /** A sentence that says where to look for the observed cause. */
  readonly fix?: string
  /** True if the input is generated or unlisted. Then other inputs like it may fail too. */
  readonly isGenerated?: boolean
}

/** A confirmed violation, with everything that a finding needs. */
export interface ConfirmedViolation extends FailedInput {
  readonly path?: string
  /** The other failing inputs. */
  readonly otherInputs: readonly FailedInput[]
  /** The inputs that passed. The traits of the failing inputs are compared with theirs. */
  readonly passedInputs: readonly string[]
}

/**
 * The state of a check: a confirmed violation, a reason why no verdict is possible, or neither if the requirement was
 * met.
 */
export interface CheckRecord {
  inputsTested: number
  sampledFrom?: number
  /** The reason why a refused input does not count as tested. */
  refusalReason?: string | undefined
  testedSummary?: string
  caveat?: string
  confirmed?: ConfirmedViolation
  undecided?: { readonly reason: Inconclusive; readonly exchanges: readonly Exchange[] }
}

/** Inputs that dependent checks leave out, because a prerequisite failed for them and for no others. */
export interface SkippedInputs {
  readonly inputs: ReadonlySet<string>
  /** The ids of the failed checks. */
  readonly failedChecks: readonly string[]
}

const isServiceFailureOf = ({ exchanges }: FailedInput): boolean => exchanges.some(isServiceFailure)

const defectKindOf = ({ defectKind, actual }: Contradiction): string => defectKind ?? actual

/** Returns the traits of a violation by which other violations with the same cause are recognised. */
export function causeTraitsOf(confirmed: ConfirmedViolation): CauseTraits {
  const all = collectFailedInputs(confirmed)
  const contradictions = all.map(({ violation }) => violation.contradiction)
  const names = all.map((failed) => namesAtFaultOf(failed, confirmed.passedInputs))
  const inputs = all.flatMap(({ input }) => input ?? [])
  const [first, ...others] = contradictions.map(({ causes = [] }) => causes)
  return {
    names: names.includes(undefined) ? undefined : new Set(names.flatMap((some) => some ?? [])),
    inputs: new Set(inputs),
    defectKind: defectKindOf(confirmed.violation.contradiction),
    traits: traitsOf(confirmed),
    misreadTraits: [
      ...new Set([
        ...findMinimalTraits(inputs, confirmed.passedInputs),
        ...contradictions.flatMap(({ misreadTraits = [] }) => misreadTraits),
      ]),
    ],
    causes: (first ?? []).filter((cause) => others.every((causes) => causes.includes(cause))),
    crossOperationCause: contradictions.every(
      ({ crossOperationCause }) => crossOperationCause === confirmed.violation.contradiction.crossOperationCause,
    )
      ? confirmed.violation.contradiction.crossOperationCause
      : undefined,
    isServiceFailure: all.some(isServiceFailureOf),
    isIntermittent: contradictions.some(({ isIntermittent, evidence }) => isIntermittent || evidence?.inFlight.length),
  }
}

/**
 * Returns the names at fault: none if only the input itself is at fault, undefined if any name may be (no input passed,
 * or there are no inputs).
 */
function namesAtFaultOf(
  { violation, input }: FailedInput,
  passedInputs: readonly string[],
): readonly string[] | undefined {
  const { namesAtFault, missingNames, explainsEverything } = violation.contradiction
  if (explainsEverything || (input !== undefined && passedInputs.length === 0)) return undefined
  return namesAtFault || missingNames || input !== undefined
    ? [...(namesAtFault ?? []), ...(missingNames ?? [])]
    : undefined
}

/**
 * Returns whether another violation explains this one: it has the same cause, the same input, an input with the same
 * misread trait, or names at fault that this one concerns. A service failure is explained only by another service
 * failure. A response that is wrong by itself (T2.9) is not explained by names.
 */
export function explainsFailedInput(other: CauseTraits, failed: FailedInput): boolean {
  if (isServiceFailureOf(failed) && !other.isServiceFailure) return false
  const { names } = other
  const { input, violation } = failed
  const {
    missingNames,
    causes = [],
    misreadTraits = [],
    restsOnAllResponses,
    isWrongByItself,
    ...others
  } = violation.contradiction
  if (restsOnAllResponses || (names === undefined && !isWrongByItself)) return true
  const isWrong = (name: string) => !isWrongByItself && names !== undefined && names.has(name)
  const isInput = (text: string) => isWrong(text) || other.inputs.has(text) || hasAnyTrait(other.misreadTraits, text)
  if (causes.some((cause) => other.causes.includes(cause))) return true
  if (misreadTraits.some((trait) => other.misreadTraits.includes(trait))) return true
  if (input !== undefined && isInput(input)) return true
  return missingNames?.every(isWrong) === true || namesIn(others).some(isWrong)
}

/** Returns the traits that all failing listed names have, and no passing one has. */
function traitsOf(confirmed: ConfirmedViolation): readonly string[] {
  const inputs = listedInputsOf(confirmed)
  return inputs.length === collectFailedInputs(confirmed).length ? findCommonTraits(inputs, confirmed.passedInputs) : []
}

const listedInputsOf = (confirmed: ConfirmedViolation): readonly string[] =>
  collectFailedInputs(confirmed).flatMap(({ input, isGenerated }) => (input && !isGenerated ? [input] : []))

/** Returns all failing inputs, the one shown in the finding first. */
export const collectFailedInputs = (confirmed: ConfirmedViolation): readonly FailedInput[] => [
  confirmed,
  ...confirmed.otherInputs,
]

/**
 * Puts the input that was confirmed last first, so that the finding shows it. Drops the path, which leads to the former
 * first input.
 */
export function showLastInputFirst(confirmed: ConfirmedViolation): ConfirmedViolation {
  const { otherInputs, passedInputs } = confirmed
  const last = otherInputs.at(-1)
  return last ? { ...last, otherInputs: [confirmed, ...otherInputs.slice(0, -1)], passedInputs } : confirmed
}

/** Returns the failing inputs if others passed; empty if any input may fail. */
export function failedInputsOf(confirmed: ConfirmedViolation): readonly string[] {
  const all = collectFailedInputs(confirmed)
  const isOfNames = all.every(({ violation, input }) => input && violation.contradiction.namesAtFault !== undefined)
  return isOfNames && confirmed.passedInputs.length > 0 ? all.flatMap(({ input }) => input ?? []) : []
}

/** Removes the failing inputs that other violations explain; undefined if none is left. */
export function removeExplainedInputs(
  confirmed: ConfirmedViolation,
  isExplained: (failed: FailedInput) => boolean,
): ConfirmedViolation | undefined {
  const [first, ...also] = collectFailedInputs(confirmed).filter((failed) => !isExplained(failed))
  if (!first) return undefined
  return first === confirmed
    ? { ...confirmed, otherInputs: also }
    : { ...first, otherInputs: also, passedInputs: confirmed.passedInputs }
}

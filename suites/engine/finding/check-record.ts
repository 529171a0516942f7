import type { CauseTraits } from '../check/verdict.ts'
import type { Contradiction } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { headerValue } from '../http/decode/response.ts'
import type { Inconclusive } from '../inconclusive.ts'
import { findSharedEntry } from './cache-symptoms.ts'
import { type CandidateViolation, isServiceFailure } from './candidate.ts'
import { findCommonTraits, findMinimalTraits, hasAnyTrait } from './common-traits.ts'

/** A failing input with its violation. For a check without inputs, only the violation. */
export interface FailedInput extends Pick<CandidateViolation, 'violation' | 'exchanges'> {
  /** The input as a person would type it. */
  readonly text?: string
  /** The exchanges that the report shows, the clearest first. */
  readonly shownExchanges: readonly Exchange[]
  readonly input?: string
  /** An observation that may explain the defect, e.g. that a gateway sent the error response. */
  readonly remark?: string
  /** Advice on the cause that the responses suggest. */
  readonly fix?: string
  /** True if the suite made up the input, i.e. the deployment does not list it. Other inputs like it may fail too. */
  readonly isGenerated?: boolean
}

/**
 * A confirmed violation with everything that the report says about it, including the failing input that is shown first.
 */
export interface ConfirmedViolation extends FailedInput {
  readonly path?: string
  readonly otherInputs: readonly FailedInput[]
  /** The inputs that passed, for a comparison with the failing inputs. */
  readonly passedInputs: readonly string[]
}

/**
 * The result of a check so far: a confirmed violation, or a reason why no verdict is possible, or neither if the
 * requirement is met.
 */
export interface CheckRecord {
  inputsTested: number
  sampledFrom?: number
  /** For each input that was refused and does not count as tested, the reason in one sentence. */
  refusalReasons?: readonly string[]
  testedSummary?: string
  /** True if the deployment has no data to which the requirement applies. */
  hasNoData?: true
  caveat?: string
  confirmed?: ConfirmedViolation
  undecided?: { readonly reason: Inconclusive; readonly exchanges: readonly Exchange[] }
}

const isServiceFailureOf = ({ exchanges }: FailedInput): boolean => exchanges.some(isServiceFailure)

/** Returns the features by which a violation explains violations of other checks. */
export function causeTraitsOf(confirmed: ConfirmedViolation): CauseTraits {
  const all = collectFailedInputs(confirmed)
  const contradictions = all.map(({ violation }) => violation.contradiction)
  const names = all.map((failed) => namesAtFaultOf(failed, confirmed.passedInputs))
  const inputs = all.flatMap(({ input }) => input ?? [])
  const [first, ...others] = contradictions.map(({ causes = [] }) => causes)
  const isIntermittent = contradictions.some(
    ({ intermittent, evidence }) => intermittent !== undefined || (evidence?.inFlight.length ?? 0) > 0,
  )
  return {
    names: names.includes('any') ? 'any' : new Set(names.flatMap((some) => (some === 'any' ? [] : some))),
    inputs: new Set(inputs),
    defectKind: confirmed.violation.contradiction.defectKind ?? confirmed.violation.contradiction.actual,
    traitsOfNames: traitsOfNames(confirmed),
    misreadTraits: [
      ...new Set([
        ...findMinimalTraits(inputs, confirmed.passedInputs),
        ...contradictions.flatMap(({ misreadTraits = [] }) => misreadTraits),
      ]),
    ],
    causes: (first ?? []).filter((cause) => others.every((causes) => causes.includes(cause))),
    crossOperationCause:
      (isIntermittent ? describeServerError(confirmed) : undefined) ??
      commonValueOf(contradictions, (one) => one.crossOperationCause) ??
      commonValueOf(all, findPage) ??
      findCommonMistake(all),
    isServiceFailure: all.some(isServiceFailureOf),
    unreadableNames: countUnreadableNames(contradictions),
    isIntermittent,
    exchanges: confirmed.exchanges,
    sharedEntry: findSharedEntry(confirmed.exchanges),
    comparesRequests: contradictions.every(({ shownBy }) => shownBy.length > 1) && !all.some(isServiceFailureOf),
  }
}

const countUnreadableNames = (contradictions: readonly Contradiction[]): ReadonlyMap<string, number> =>
  new Map(
    contradictions.flatMap(({ shownBy, names: { unreadableCount = 0 } = {} }) =>
      unreadableCount > 0 ? shownBy.map(({ key }) => [key, unreadableCount] as const) : [],
    ),
  )

/** Returns the value that `read` returns for every item; undefined if there are different values. */
function commonValueOf<T>(items: readonly T[], read: (item: T) => string | undefined): string | undefined {
  const values = new Set(items.map(read))
  return values.size === 1 ? [...values][0] : undefined
}

/** Returns the mistake because of which a response to every failing input is not JSON, e.g. a byte order mark. */
function findCommonMistake([first, ...others]: readonly FailedInput[]): string | undefined {
  const [mistake] = first ? mistakesIn(first) : []
  return others.every((failed) => mistake !== undefined && mistakesIn(failed).includes(mistake)) ? mistake : undefined
}

const mistakesIn = ({ exchanges }: FailedInput): readonly string[] =>
  exchanges.flatMap(({ outcome }) =>
    outcome.kind === 'response' && outcome.body.kind === 'not-json' ? (outcome.body.knownMistake ?? []) : [],
  )

/** Returns the HTML page that an input got with a 2xx, e.g. an error page without an error status. */
const findPage = ({ exchanges }: FailedInput): string | undefined => exchanges.find(isPage)?.excerpt

const isPage = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'response' &&
  outcome.status < 300 &&
  outcome.body.kind === 'not-json' &&
  /\bhtml\b/i.test(headerValue(outcome, 'content-type') ?? '')

/** Describes a 5xx by its status and body. Equal errors in several operations have one cause. */
function describeServerError({ exchanges }: FailedInput): string | undefined {
  const failed = exchanges.find(({ outcome }) => outcome.kind === 'response' && outcome.status >= 500)
  return failed && `status ${failed.outcome.status}: ${failed.excerpt}`
}

/**
 * Returns the names that are affected; an empty list if only the input is affected. Returns `any` if any name may be
 * affected, because all inputs failed or the check has no inputs.
 */
function namesAtFaultOf({ violation, input }: FailedInput, passedInputs: readonly string[]): readonly string[] | 'any' {
  const { names: { atFault, missing } = {}, relation } = violation.contradiction
  if (relation === 'explains all' || (input !== undefined && passedInputs.length === 0)) return 'any'
  return atFault || missing || input !== undefined ? [...(atFault ?? []), ...(missing ?? [])] : 'any'
}

/**
 * Returns whether elements of a list that have no readable name explain the violation: no more names are missing than
 * such elements are in the same list.
 */
function areMissingNamesUnreadable({ shownBy, names }: Contradiction, { unreadableNames }: CauseTraits): boolean {
  const unreadable = shownBy.reduce((sum, { key }) => sum + (unreadableNames?.get(key) ?? 0), 0)
  return unreadable > 0 && names?.missing !== undefined && new Set(names.missing).size <= unreadable
}

/**
 * Returns whether a violation with the traits `other` explains the failed input. A service failure is explained only by
 * another service failure. A response that is wrong by itself (T2.9) is not explained by names.
 */
export function explainsFailedInput(other: CauseTraits, failed: FailedInput): boolean {
  if (isServiceFailureOf(failed) && !other.isServiceFailure) return false
  const { contradiction } = failed.violation
  const { causes = [], misreadTraits = [], relation, isWrongByItself, names = {} } = contradiction
  const isAnyNameAffected = other.names === 'any' && !other.unreadableNames?.size
  const isAffected = (name: string) => !isWrongByItself && other.names !== 'any' && other.names.has(name)
  const isFailingInput = (text: string) =>
    isAffected(text) || other.inputs.has(text) || hasAnyTrait(other.misreadTraits, text)
  return (
    relation === 'explained by any' ||
    (isAnyNameAffected && !isWrongByItself) ||
    areMissingNamesUnreadable(contradiction, other) ||
    causes.some((cause) => other.causes.includes(cause)) ||
    misreadTraits.some((trait) => other.misreadTraits.includes(trait)) ||
    (failed.input !== undefined && isFailingInput(failed.input)) ||
    names.missing?.every(isAffected) === true ||
    [...(names.atFault ?? []), ...(names.others ?? [])].some(isAffected)
  )
}

/**
 * Returns the traits that all failing names have in common and no passing name has, if all failing inputs are listed
 * names.
 */
function traitsOfNames(confirmed: ConfirmedViolation): readonly string[] {
  const inputs = listedInputsOf(confirmed)
  return inputs.length === collectFailedInputs(confirmed).length ? findCommonTraits(inputs, confirmed.passedInputs) : []
}

/** Returns the failing inputs that the deployment lists as names. */
export const listedInputsOf = (confirmed: ConfirmedViolation): readonly string[] =>
  collectFailedInputs(confirmed).flatMap(({ input, isGenerated }) => (input && !isGenerated ? [input] : []))

/** Returns all failing inputs. The first is the one that the finding shows. */
export const collectFailedInputs = (confirmed: ConfirmedViolation): readonly FailedInput[] => [
  confirmed,
  ...confirmed.otherInputs,
]

/** Returns the failing inputs for other checks to skip; empty if they are not names, or if no input passed. */
export function failedInputsOf(confirmed: ConfirmedViolation): readonly string[] {
  const all = collectFailedInputs(confirmed)
  const inputs = all.flatMap(({ input }) => input ?? [])
  const areNames =
    inputs.length === all.length && all.every(({ violation }) => violation.contradiction.names?.atFault !== undefined)
  // The empty string may find all names. If other inputs fail too, any of these names may be the reason.
  const isEmptyOneOfSeveral = inputs.includes('') && inputs.some((one) => one !== '')
  return areNames && !isEmptyOneOfSeveral && confirmed.passedInputs.length > 0 ? inputs : []
}

/** Returns the violation without the failing inputs that other violations explain; undefined if none is left. */
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

import type { Exchange } from '../http/client/exchange.ts'
import { Inconclusive, type InconclusiveKind } from '../inconclusive.ts'
import type { Resource } from './readers.ts'
import type { Verdict } from './verdict.ts'

/** An expectation that was not met, what was observed instead, and the evidence. Most need only the first members. */
export interface Contradiction {
  // The observation
  /** All acceptable outcomes, as text. */
  readonly expected: string
  /** The defect as one sentence. */
  readonly actual: string
  /**
   * The one to three resources whose readings contradict the requirement or each other. They are requested again in
   * this order. The reading of the last one is wrong.
   */
  readonly shownBy: readonly Resource<unknown>[]
  /**
   * The exchanges that show the violation. Present only if reading each resource once cannot show it, because it takes
   * several readings or several requests in flight.
   */
  readonly evidence?: Evidence
  /** The part of the body that excerpts show, if one occurrence of the first name is not enough. */
  readonly place?: FaultyPlace
  /** True if the response is wrong without regard to other responses, e.g. a negative count (T2.9). */
  readonly isWrongByItself?: boolean
  /**
   * Present if identical requests got different responses although no data changed. `even alone`: requests sent one at a
   * time suffice for that.
   */
  readonly intermittent?: 'yes' | 'even alone'

  // The names and inputs affected
  /** The names that the violation is about. If absent, any name may be affected. */
  readonly names?: ContradictionNames
  /**
   * True if the violation is about one input. Such a violation does not count if it occurs only while other requests are
   * in flight (R13).
   */
  readonly concernsOneInput?: true

  // The relation to other violations
  /** The defect without its input, e.g. `status 404`. Findings with the same kind of defect may have one cause. */
  readonly defectKind?: string
  /**
   * The relation to the violations of other checks, if it does not depend on names. `explains all`: the defect does not
   * depend on a name or input, so it explains all violations of dependent checks. `explained by any`: no single response
   * shows the violation, only all of them together. If one of these responses has a violation itself, that explains this
   * violation.
   */
  readonly relation?: 'explains all' | 'explained by any'
  /** The ids of causes that the check identified. Violations that share a cause explain each other. */
  readonly causes?: readonly string[]
  /** The id of a cause that affects all operations, e.g. a wrong encoding. */
  readonly crossOperationCause?: string
  /** Traits of the inputs that the deployment misreads, e.g. `contain a plus sign`, if the check knows them. */
  readonly misreadTraits?: readonly string[]

  // The texts that replace those of the check in the report
  /** The statements that the violation breaks, if these are not the statements of the check. */
  readonly statements?: readonly string[]
  /** Advice on the cause that this violation suggests. It replaces the general `fix` of the check. */
  readonly fix?: string
  /** Advice on causes that this input suggests. A finding shows the first one that all its failing inputs suggest. */
  readonly inputFixes?: readonly string[]
  /** Advice if encoding is no cause: the input needs none, or no character distinguishes failing and passing inputs. */
  readonly fixForOrdinaryInputs?: string
}

/**
 * The part of a body that an excerpt shows: `repeated name` means two occurrences of the first name. Otherwise it is the
 * wrong element, as JSON; a long one is cut and ends with `…`.
 */
type FaultyPlace = 'repeated name' | { readonly element: string }

/** The names in a contradiction, by their role. */
interface ContradictionNames {
  /**
   * The affected names, if no other name is affected. The violation explains only violations about these names, and
   * dependent checks skip only these.
   */
  readonly atFault?: readonly string[]
  /**
   * Names that the evidence contains although they are not affected. If another check reports a violation about one of
   * them, that violation explains this one.
   */
  readonly others?: readonly string[]
  /**
   * Names that are in one list and not in the other. If other checks report a violation for each of these names, those
   * violations explain this one.
   */
  readonly missing?: readonly string[]
  /**
   * The number of elements of a list whose names cannot be read, if the rest of the list can be used. Dependent checks run
   * with the rest. If one of them finds that at most this number of names is missing in the same list, this violation
   * explains its violation.
   */
  readonly unreadableCount?: number
}

/** The exchanges that show a violation. */
export interface Evidence {
  /** The exchanges that contradict each other, the clearest first. */
  readonly exchanges: readonly Exchange[]
  /** The exchanges whose requests, sent together, reproduce the contradiction. */
  readonly inFlight: readonly Exchange[]
  /** A text that only one of the responses contains. A long body is cut to the part around this text. */
  readonly excerptText?: string
}

/** Thrown if a requirement is not met. No other error makes a check fail. */
export class Violation extends Error {
  readonly contradiction: Contradiction
  constructor(contradiction: Contradiction) {
    super(`${contradiction.actual}; expected: ${contradiction.expected}`)
    this.name = 'Violation'
    this.contradiction = contradiction
  }
}

/** Thrown if responses contradict each other, but the deployment may not be at fault, e.g. because its data changed. */
export class UndecidedContradiction extends Inconclusive {
  readonly contradiction: Contradiction
  constructor(kind: InconclusiveKind, message: string, contradiction: Contradiction) {
    super(kind, message)
    this.contradiction = contradiction
  }
}

/** Thrown if a check cannot run, because a check that it requires failed. The `cause` is the verdict of that check. */
export class PrerequisiteFailed extends Inconclusive {
  override readonly cause: Verdict
  constructor(message: string, cause: Verdict) {
    super('prerequisite', message)
    this.cause = cause
  }
}

/** Thrown if a requirement does not concern this deployment. */
export class NotApplicable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotApplicable'
  }
}

/** Thrown if the deployment refused an input, as it may. The input does not count as tested. */
export class InputRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InputRefused'
  }
}

/**
 * Ends the test of an input that was refused. The input does not count as tested.
 * @throws {InputRefused} always
 */
export function skipRefusedInput(why: string): never {
  throw new InputRefused(why)
}

/**
 * Reports that a requirement is not met.
 * @throws {Violation} always
 */
export function reportViolation(contradiction: Contradiction): never {
  throw new Violation(contradiction)
}

/** Returns all names in a contradiction, the affected ones first. */
export const namesInContradiction = ({ names = {} }: Contradiction): readonly string[] => [
  ...(names.atFault ?? []),
  ...(names.others ?? []),
  ...(names.missing ?? []),
]

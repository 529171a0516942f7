import type { Exchange } from '../http/client/exchange.ts'
import { Inconclusive, type InconclusiveKind } from '../inconclusive.ts'
import type { Resource } from './readers.ts'
import type { Verdict } from './verdict.ts'

/** An expectation, what was observed instead, and the evidence. */
export interface Contradiction {
  /** All acceptable outcomes, as text. */
  readonly expected: string
  /** The defect as one sentence. */
  readonly actual: string
  /** The defect without the input that shows it, e.g. `status 404`. Findings with equal kinds may have one cause. */
  readonly defectKind?: string
  /**
   * The one to three resources whose readings contradict the requirement or each other, in the order to request them
   * again.
   */
  readonly shownBy: readonly Resource<unknown>[]
  /**
   * The names at fault, if no other name is affected. The violation then explains only violations about these names,
   * and dependent checks skip only these. If undefined, any name may be at fault.
   */
  readonly namesAtFault?: readonly string[]
  /** Other names in the evidence. A violation about one of them in another check explains this one. */
  readonly otherNames?: readonly string[]
  /**
   * Names that one list has and the other lacks. If other checks report a violation for every one of them, those
   * explain this violation.
   */
  readonly missingNames?: readonly string[]
  /**
   * True if the fault does not depend on a name or input. Then this violation explains every violation of a dependent
   * check.
   */
  readonly explainsEverything?: boolean
  /**
   * True if no single response shows this violation, only all of them together. If one of these responses has a
   * violation itself, that violation explains this one.
   */
  readonly restsOnAllResponses?: boolean
  /** Ids of causes that the check identified. Violations with a cause in common explain each other. */
  readonly causes?: readonly string[]
  /** A cause that affects every operation, e.g. an encoding. */
  readonly crossOperationCause?: string
  /** Traits of the inputs that the deployment misreads, if the check knows them. */
  readonly misreadTraits?: readonly string[]
  /**
   * The exchanges that show the violation, if reading a resource again does not: the violation needs several readings,
   * or several requests in flight.
   */
  readonly evidence?: Evidence
  /** True if the response is wrong whatever other responses say (T2.9). */
  readonly isWrongByItself?: boolean
  /** True if identical requests get different responses although the data that they depend on did not change. */
  readonly isIntermittent?: true
  /** True if one input is at fault. A failure that needs several requests in flight is then no violation (R13). */
  readonly concernsOneInput?: true
}

/** Exchanges that contradict each other. */
export interface Evidence {
  /** The exchanges, the clearest first. */
  readonly exchanges: readonly Exchange[]
  /** The exchanges to send together, perhaps repeatedly, to reproduce the contradiction. */
  readonly inFlight: readonly Exchange[]
  /** A text that only one of the responses has. The excerpt of a long body shows the part around it. */
  readonly excerptText?: string
}

/** A requirement that is not met. It is the only error that leads to `fail`. */
export class Violation extends Error {
  readonly contradiction: Contradiction
  constructor(contradiction: Contradiction) {
    super(`${contradiction.actual}; expected: ${contradiction.expected}`)
    this.name = 'Violation'
    this.contradiction = contradiction
  }
}

/** A contradiction that cannot be attributed to the deployment. */
export class UndecidedContradiction extends Inconclusive {
  readonly contradiction: Contradiction
  constructor(kind: InconclusiveKind, message: string, contradiction: Contradiction) {
    super(kind, message)
    this.contradiction = contradiction
  }
}

export class PrerequisiteFailed extends Inconclusive {
  override readonly cause: Verdict
  constructor(message: string, cause: Verdict) {
    super('prerequisite', message)
    this.cause = cause
  }
}

/** A requirement that does not concern this deployment. */
export class NotApplicable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotApplicable'
  }
}

/** An input that the deployment refused, as it may. The requirement was not tested with it. */
export class InputRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotTried'
  }
}

/**
 * Reports that an input was refused and does not count as tested.
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

/** Returns all names in a contradiction, the most important first. */
export const namesIn = ({
  namesAtFault = [],
  otherNames = [],
  missingNames = [],
}: Contradiction): readonly string[] => [...namesAtFault, ...otherNames, ...missingNames]

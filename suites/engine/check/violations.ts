import type { Exchange } from '../http/client/exchange.ts'
import { Inconclusive, type InconclusiveKind } from '../inconclusive.ts'
import type { Subject } from './readers.ts'
import type { Verdict } from './verdict.ts'

/** An expectation, the different observation, and its evidence. */
export interface Contradiction {
  /** All acceptable outcomes, in words. */
  readonly expected: string
  /** The defect as one sentence. */
  readonly actual: string
  /** The defect without the input that shows it, e.g. `status 404`. Findings with equal kinds may have one cause. */
  readonly defectKind?: string
  /** The one to three readings that contradict the requirement or each other, in the order to repeat them. */
  readonly shownBy: readonly Subject<unknown>[]
  /**
   * The names at fault, if nothing is wrong with other names: the violation then explains only violations about these,
   * and only these are left out elsewhere. Without it, any name may be at fault.
   */
  readonly namesAtFault?: readonly string[]
  /** Other names in the evidence: a violation about one of them elsewhere explains this one. */
  readonly otherNames?: readonly string[]
  /** Names that one list has and the other lacks: explained if something is wrong with every one of them. */
  readonly missingNames?: readonly string[]
  /** True if the fault is not in a particular name or input: it explains every dependent violation. */
  readonly explainsEverything?: boolean
  /** True if all responses together show it: a violation of any of them explains this one. */
  readonly restsOnAllResponses?: boolean
  /** Causes that the check identified; they explain violations with the same cause. */
  readonly causes?: readonly string[]
  /** A cause that shows in every operation, e.g. an encoding. */
  readonly crossOperationCause?: string
  /** Traits of inputs that the deployment misreads, if the check knows them. */
  readonly misreadTraits?: readonly string[]
  /**
   * The exchanges that show it, if a single repeated reading does not: it takes several readings, or several requests
   * in flight.
   */
  readonly evidence?: Evidence
  /** True if the response is wrong by itself, whatever other responses say (T2.9). */
  readonly isWrongByItself?: boolean
  /** True if identical requests get different responses although nothing that they depend on changed. */
  readonly isIntermittent?: true
  /** True if one input is at fault: a failure that needs several requests in flight is not its violation (R13). */
  readonly concernsOneInput?: true
}

/** Exchanges that contradict each other. */
export interface Evidence {
  /** The most telling one first. */
  readonly exchanges: readonly Exchange[]
  /** The exchanges to send together, repeatedly, to reproduce it. */
  readonly inFlight: readonly Exchange[]
  /** A text that only one of the responses has: the excerpt of a long body shows the part around it. */
  readonly excerptText?: string
}

/** A requirement is not met. The only throwable that can end in `fail`. */
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

/** A prerequisite of this check failed. */
export class PrerequisiteFailed extends Inconclusive {
  override readonly cause: Verdict
  constructor(message: string, cause: Verdict) {
    super('prerequisite', message)
    this.cause = cause
  }
}

/** The requirement does not concern this deployment. */
export class NotApplicable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotApplicable'
  }
}

/** The deployment refused the input, as it may: the requirement was not tested with it. */
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

/** All names in a contradiction, the most important first. */
export const namesIn = ({
  namesAtFault = [],
  otherNames = [],
  missingNames = [],
}: Contradiction): readonly string[] => [...namesAtFault, ...otherNames, ...missingNames]

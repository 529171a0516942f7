import type { Exchange } from '../http/client/exchange.ts'
import { Inconclusive, type InconclusiveKind } from '../inconclusive.ts'
import type { Subject } from './readers.ts'
import type { Verdict } from './verdict.ts'

/** What a violation shows: what was promised against what came. */
export interface Contradiction {
  /** All acceptable outcomes, in words. */
  readonly expected: string
  /** The defect as one sentence. */
  readonly actual: string
  /** The defect without the input that shows it, e.g. `status 404`: findings of equal manner may have one cause. */
  readonly manner?: string
  /** The one, two or three readings that contradict the promise or each other, in the order to repeat them. */
  readonly shownBy: readonly Subject<unknown>[]
  /**
   * The names that it is about, where nothing is wrong with others: it explains only what is broken elsewhere about
   * these, and spoils only these. Without, it may be about anything.
   */
  readonly about?: readonly string[]
  /** Other names that stand in what shows it: what is wrong with one of these elsewhere explains it. */
  readonly mentions?: readonly string[]
  /** Names that stand in one list and not in another: it is explained where something is wrong with every one of them. */
  readonly lacks?: readonly string[]
  /** It is not these names or this input that is at fault: it explains whatever is broken beside it. */
  readonly isOfAnything?: boolean
  /** All answers together show it: what is wrong with any of them explains it. */
  readonly isOfAll?: boolean
  /** What is at fault, where the check can tell: what else is of the same cause is explained. */
  readonly causes?: readonly string[]
  /** What is at fault wherever it shows, in whichever operation. */
  readonly everywhere?: string
  /** What is misread, as a trait of inputs, where the check can tell. */
  readonly misreads?: readonly string[]
  /** What showed it, where to read once more shows nothing: it takes several readings, or several requests in flight. */
  readonly evidence?: Evidence
  /** True if the response is wrong by itself, whatever other responses say (T2.9). */
  readonly isWrongByItself?: boolean
  /** The same request, asked again, is answered otherwise, and nothing that it rests on moved. */
  readonly isUnsteady?: true
  /** It is held against one input: what comes with several requests in flight, and not alone, is not its doing. */
  readonly isOfOneInput?: true
}

/** Answers that contradict each other. */
export interface Evidence {
  /** The telling one first. */
  readonly exchanges: readonly Exchange[]
  /** What is to be in flight together, again and again, to see it. */
  readonly inFlight: readonly Exchange[]
  /** Stands in one of the answers alone: where one is long, what stands around it is shown. */
  readonly around?: string
}

/** A promise is broken. The only throwable that can end in `fail`. */
export class Violation extends Error {
  readonly contradiction: Contradiction
  constructor(contradiction: Contradiction) {
    super(`${contradiction.actual}; expected: ${contradiction.expected}`)
    this.name = 'Violation'
    this.contradiction = contradiction
  }
}

/** What was seen is a contradiction, and neither side of it can be held against the deployment. */
export class Undecided extends Inconclusive {
  readonly contradiction: Contradiction
  constructor(kind: InconclusiveKind, message: string, contradiction: Contradiction) {
    super(kind, message)
    this.contradiction = contradiction
  }
}

/** A check that this one requires did not hold. */
export class Waiting extends Inconclusive {
  override readonly cause: Verdict
  constructor(message: string, cause: Verdict) {
    super('prerequisite', message)
    this.cause = cause
  }
}

/** The promise does not concern this deployment. */
export class NotApplicable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotApplicable'
  }
}

/** The deployment refused the input for what it is, as it may: the promise was not tried on it. */
export class NotTried extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotTried'
  }
}

/**
 * Says that a promise was not tried.
 * @throws {NotTried} always
 */
export function notTried(why: string): never {
  throw new NotTried(why)
}

/**
 * Says that a promise is broken.
 * @throws {Violation} always
 */
export function broken(contradiction: Contradiction): never {
  throw new Violation(contradiction)
}

/** All names that a contradiction speaks of, those that matter first. */
export const namesOf = ({ about = [], mentions = [], lacks = [] }: Contradiction): readonly string[] => [
  ...about,
  ...mentions,
  ...lacks,
]

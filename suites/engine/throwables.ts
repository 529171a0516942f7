import type { Subject } from './reading.ts'

/** What a violation shows: what was promised against what came. */
export interface Contradiction {
  /** All acceptable outcomes, in words. */
  readonly expected: string
  readonly actual: string
  /** The one, two or three readings that contradict the promise or each other, in the order to repeat them. */
  readonly shownBy: readonly Subject<unknown>[]
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

export type InconclusiveKind =
  | 'budget'
  | 'drift'
  | 'interrupted'
  | 'limited'
  | 'nothing to ask'
  | 'prerequisite'
  | 'unreachable'
  | 'unreadable'
  | 'unstable'

/** The promise could be neither kept nor broken: never a pass, never a violation. */
export class Inconclusive extends Error {
  readonly kind: InconclusiveKind
  readonly contradiction: Contradiction | undefined
  constructor(kind: InconclusiveKind, message: string, contradiction?: Contradiction) {
    super(message)
    this.name = 'Inconclusive'
    this.kind = kind
    this.contradiction = contradiction
  }
}

/** The promise does not concern this deployment. */
export class NotApplicable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotApplicable'
  }
}

/**
 * Says that a promise is broken.
 * @throws {Violation} always
 */
export function broken(contradiction: Contradiction): never {
  throw new Violation(contradiction)
}

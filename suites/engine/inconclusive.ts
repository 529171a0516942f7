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
  | 'withheld'

/** The promise could be neither kept nor broken: never a pass, never a violation. */
export class Inconclusive extends Error {
  readonly kind: InconclusiveKind
  constructor(kind: InconclusiveKind, message: string) {
    super(message)
    this.name = 'Inconclusive'
    this.kind = kind
  }
}

/**
 * Handles what a promise rejects with: what cannot be told stands as this, all else is thrown on.
 * @param instead what it comes to where it cannot be told
 */
export const unlessInconclusive =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof Inconclusive) return instead
    throw error
  }

/** What an aborted signal says of the end of the run. */
export const endOf = (signal: AbortSignal): Inconclusive =>
  signal.reason instanceof Inconclusive ? signal.reason : new Inconclusive('interrupted', 'the run was stopped')

/** Of one input, or of one promise: that others have theirs. Anything else ends the asking. */
export const concernsOne = ({ kind }: Inconclusive): boolean =>
  kind === 'prerequisite' || kind === 'unreadable' || kind === 'withheld'

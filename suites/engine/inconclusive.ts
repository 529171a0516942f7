export type InconclusiveKind =
  | 'budget'
  | 'drift'
  | 'interrupted'
  | 'limited'
  | 'not tested'
  | 'nothing to ask'
  | 'prerequisite'
  | 'unreachable'
  | 'unreadable'
  | 'unstable'
  | 'withheld'

/** The reason why no verdict is possible: neither a pass nor a violation. */
export class Inconclusive extends Error {
  readonly kind: InconclusiveKind
  constructor(kind: InconclusiveKind, message: string) {
    super(message)
    this.name = 'Inconclusive'
    this.kind = kind
  }
}

/** Returns an error handler, for `catch`, that returns the value for an Inconclusive and rethrows any other error. */
export const resolveInconclusiveTo =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof Inconclusive) return value
    throw error
  }

/** Returns the reason of an aborted signal, which is an Inconclusive. */
export const abortReasonOf = (signal: AbortSignal): Inconclusive =>
  signal.reason instanceof Inconclusive ? signal.reason : new Inconclusive('interrupted', 'the run was stopped')

/** Returns whether the reason affects only one input or check; otherwise the run must stop. */
export const concernsOneInputOnly = ({ kind }: Inconclusive): boolean =>
  kind === 'prerequisite' || kind === 'unreadable' || kind === 'withheld' || kind === 'not tested'

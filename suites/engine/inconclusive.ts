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
  constructor(kind: InconclusiveKind, message: string) {
    super(message)
    this.name = 'Inconclusive'
    this.kind = kind
  }
}

/** What an aborted signal says of the end of the run. */
export const endOf = (signal: AbortSignal): Inconclusive =>
  signal.reason instanceof Inconclusive ? signal.reason : new Inconclusive('interrupted', 'the run was stopped')

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

/** The response because of which no verdict is possible: that of a resource, or of one of its pages. */
interface UnusableResponse {
  readonly resource: { readonly key: string }
  /** The URL of the page, if the resource has several. */
  readonly url?: string | undefined
}

/** Thrown if no verdict is possible: the requirement is neither met nor violated. The message is the reason. */
export class Inconclusive extends Error {
  readonly kind: InconclusiveKind
  readonly response: UnusableResponse | undefined
  constructor(kind: InconclusiveKind, message: string, response?: UnusableResponse) {
    super(message)
    this.name = 'Inconclusive'
    this.kind = kind
    this.response = response
  }
}

/** Returns a handler for `catch`. It returns `value` for an `Inconclusive`, and rethrows all other errors. */
export const resolveInconclusiveTo =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof Inconclusive) return value
    throw error
  }

/** Returns the reason why a signal was aborted. */
export const abortReasonOf = (signal: AbortSignal): Inconclusive =>
  signal.reason instanceof Inconclusive ? signal.reason : new Inconclusive('interrupted', 'the run was stopped')

/** Returns whether the reason affects only one input or check. All other reasons end the run. */
export const concernsOneInputOnly = ({ kind }: Inconclusive): boolean =>
  kind === 'prerequisite' || kind === 'unreadable' || kind === 'withheld' || kind === 'not tested'

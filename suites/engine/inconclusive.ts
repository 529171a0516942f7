/**
 * The kinds of reasons why no verdict is possible:
 * - `budget`: the permitted requests or time are used up, or a response is too large
 * - `drift`: the data changed, which may explain what was observed
 * - `interrupted`: the run was stopped
 * - `limited`: the deployment limits the requests of this client
 * - `not tested`: the run is judged from a recording, which lacks a request of the check
 * - `nothing to ask`: the deployment has no data with which the check could test
 * - `prerequisite`: a check that this one requires has failed
 * - `unreachable`: the deployment does not respond
 * - `unreadable`: a response cannot be interpreted, e.g. because of an unknown list shape
 * - `unstable`: a violation occurred once, and did not recur
 * - `withheld`: the request was not sent, because similar requests made the service unavailable
 */
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

/** The action of the user that removes the cause, if the kind of the reason does not name it. */
export type Remedy =
  | 'correct the base URL'
  | 'give credentials'
  | 'load other names'
  | 'restart the service'
  | 'serve all lists'
  | 'use standard effort'

/** Advice at the end of a reason. */
export interface Advice {
  readonly text: string
  /** The entries of a profile in the text; none if the user must complete them. Undefined if the text has no entry. */
  readonly pins?: readonly string[]
}

/** A text, with advice on what it describes. */
export interface AdvisedText {
  readonly text: string
  readonly advice?: Advice | undefined
}

/** Returns the text followed by the advice, if any. */
export const formatAdvisedText = ({ text, advice }: AdvisedText): string =>
  advice === undefined ? text : `${text}. ${advice.text}`

/** The reason why a check is inconclusive. */
export interface InconclusiveReason extends AdvisedText {
  readonly kind: InconclusiveKind
  readonly remedy?: Remedy | undefined
}

interface InconclusiveDetails extends Pick<InconclusiveReason, 'advice' | 'remedy'> {
  /** The response because of which no verdict is possible: that of a resource, or of one of its pages. */
  readonly resource?: { readonly key: string }
  /** The URL of the page, if the resource has several. */
  readonly url?: string | undefined
}

/** Thrown if no verdict is possible: the requirement is neither met nor violated. The message includes the advice. */
export class Inconclusive extends Error implements InconclusiveReason {
  readonly kind: InconclusiveKind
  readonly text: string
  readonly details: InconclusiveDetails
  constructor(kind: InconclusiveKind, text: string, details: InconclusiveDetails = {}) {
    super(formatAdvisedText({ text, advice: details.advice }))
    this.name = 'Inconclusive'
    this.kind = kind
    this.text = text
    this.details = details
  }

  get advice(): Advice | undefined {
    return this.details.advice
  }

  get remedy(): Remedy | undefined {
    return this.details.remedy
  }
}

/** Returns the members of an inconclusive verdict. Its text begins with the kind of the reason, as in report.json. */
export const createInconclusiveStatus = ({ kind, text, advice, remedy }: InconclusiveReason) => ({
  status: 'inconclusive' as const,
  reason: `${kind}: ${formatAdvisedText({ text, advice })}`,
  inconclusiveReason: { kind, text, ...(advice && { advice }), ...(remedy && { remedy }) },
})

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
export const canRunContinueAfter = ({ kind }: Inconclusive): boolean =>
  kind === 'prerequisite' || kind === 'unreadable' || kind === 'withheld' || kind === 'not tested'

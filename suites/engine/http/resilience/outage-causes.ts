import { Inconclusive } from '../../inconclusive.ts'
import { isFault } from '../client/lost-response.ts'
import type { Reply } from '../client/send.ts'

/**
 * Requests that took the service down: among others first, and again when sent alone after recovery (R13). They are not
 * sent again, nor are other strings of their class.
 */
export class OutageCauses {
  private readonly classOf: (target: string) => string | undefined
  /** The last reply to each of these requests, by target. */
  private readonly replies = new Map<string, Reply>()
  /** The target that took the service down, by the class of its string. */
  private readonly byClass = new Map<string, string>()

  constructor(classOf: (target: string) => string | undefined = () => undefined) {
    this.classOf = classOf
  }

  /** @param isOutage true if the whole service went down each time, not only one connection */
  add(target: string, reply: Reply, isOutage: boolean): void {
    // True for replies that are no evidence against the string: a refused connection never delivered it, and after a timeout it
    // is sent again with a shorter deadline.
    const isNoEvidence = (['unreachable', 'abandoned', 'silent'] as const).some((fault) => isFault(reply, fault))
    if (isNoEvidence || reply.outcome.status === 429) return
    this.replies.set(target, reply)
    const kind = this.classOf(target)
    if (isOutage && kind !== undefined && !this.byClass.has(kind)) this.byClass.set(kind, target)
  }

  /** Returns the known reply to a request that is not sent again, because it fails each time. */
  replyTo(target: string): Reply | undefined {
    return this.replies.get(target)
  }

  /** @throws {Inconclusive} if a string of the same class took the service down twice */
  refuse(target: string): void {
    const kind = this.classOf(target)
    const culprit = kind === undefined ? undefined : this.byClass.get(kind)
    if (culprit === undefined || culprit === target) return
    const why = `the service went down twice when ${startOfTarget(culprit)} was requested`
    throw new Inconclusive('withheld', `no more strings of the class "${kind}" were sent, because ${why}`)
  }
}

const MOST_SHOWN = 120

/** Returns the start of a request target. */
export const startOfTarget = (target: string): string =>
  target.length > MOST_SHOWN ? `${target.slice(0, MOST_SHOWN)}…` : target

import { Inconclusive } from '../../inconclusive.ts'
import { isFault } from '../client/lost-response.ts'
import type { Reply } from '../client/send.ts'

/**
 * The requests that took the service down: first among others, and again when sent alone after recovery (R13). They are
 * not sent again, nor are other strings of their class.
 */
export class OutageCauses {
  private readonly classOf: (target: string) => string | undefined
  /** The last reply to each request that is not sent again, by target. */
  private readonly replies = new Map<string, Reply>()
  /** The target that took the service down, by the class of its string. */
  private readonly byClass = new Map<string, string>()

  constructor(classOf: (target: string) => string | undefined = () => undefined) {
    this.classOf = classOf
  }

  /**
   * Adds a request that is not sent again.
   * @param isOutage true if the whole service went down each time, not only one connection
   */
  add(target: string, reply: Reply, isOutage: boolean): void {
    // A refused connection never delivered the string, and after a timeout the string is sent again with a shorter
    // deadline: neither is evidence that the string took the service down.
    const isNoEvidence = (['unreachable', 'abandoned', 'silent'] as const).some((fault) => isFault(reply, fault))
    if (isNoEvidence || reply.outcome.status === 429) return
    this.replies.set(target, reply)
    const kind = this.classOf(target)
    if (isOutage && kind !== undefined && !this.byClass.has(kind)) this.byClass.set(kind, target)
  }

  /** Returns the known reply to a request that always takes the service down, and is therefore not sent again. */
  replyTo(target: string): Reply | undefined {
    return this.replies.get(target)
  }

  /**
   * Refuses a request if a string of the same class took the service down twice.
   * @throws {Inconclusive} if so
   */
  refuse(target: string): void {
    const kind = this.classOf(target)
    const culprit = kind === undefined ? undefined : this.byClass.get(kind)
    if (culprit === undefined || culprit === target) return
    const why = `the service went down twice when ${startOfTarget(culprit)} was requested`
    throw new Inconclusive('withheld', `no more strings of the class "${kind}" were sent, because ${why}`)
  }
}

const MOST_SHOWN = 120

/** Returns the start of a request target, for messages. */
export const startOfTarget = (target: string): string =>
  target.length > MOST_SHOWN ? `${target.slice(0, MOST_SHOWN)}…` : target

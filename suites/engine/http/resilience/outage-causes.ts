import { Inconclusive } from '../../inconclusive.ts'
import { hasFault } from '../client/lost-response.ts'
import type { Reply } from '../client/send.ts'

/**
 * The requests that made the service unavailable twice: first together with others, then alone after recovery (R13).
 * The run sends no more of these requests, nor others with a string of the same class (e.g. malformed
 * percent-encoding).
 */
export class OutageCauses {
  private readonly classOf: (target: string) => string | undefined
  /** The last reply to each request that made the service unavailable, by request target. */
  private readonly replies = new Map<string, Reply>()
  /** For each class of strings, the request target that made the service unavailable. */
  private readonly byClass = new Map<string, string>()

  constructor(classOf: (target: string) => string | undefined = () => undefined) {
    this.classOf = classOf
  }

  /**
   * Adds a request that is not to be sent any more.
   * @param isOutage true if the whole service was unavailable each time, not only one connection
   */
  add(target: string, reply: Reply, isOutage: boolean): void {
    // A request is no cause if the service never received it. One that only timed out may be slow, and is sent again.
    const isNoEvidence = (['unreachable', 'abandoned', 'silent'] as const).some((fault) => hasFault(reply, fault))
    if (isNoEvidence || reply.outcome.status === 429) return
    this.replies.set(target, reply)
    const stringClass = this.classOf(target)
    if (isOutage && stringClass !== undefined && !this.byClass.has(stringClass)) this.byClass.set(stringClass, target)
  }

  /** Returns the last reply to a request that is not sent any more; undefined for other requests. */
  replyTo(target: string): Reply | undefined {
    return this.replies.get(target)
  }

  /**
   * @throws {Inconclusive} if a request with another string of the same class (e.g. malformed percent-encoding) made the
   * service unavailable twice
   */
  throwIfWithheld(target: string): void {
    const stringClass = this.classOf(target)
    const previousCause = stringClass === undefined ? undefined : this.byClass.get(stringClass)
    if (previousCause === undefined || previousCause === target) return
    const why = `the service went down twice when ${shortenTargetForMessage(previousCause)} was requested`
    throw new Inconclusive('withheld', `no more strings of the class "${stringClass}" were sent, because ${why}`)
  }
}

const MAX_SHOWN_CHARACTERS = 120

/** Shortens a request target for messages. */
const shortenTargetForMessage = (target: string): string =>
  target.length > MAX_SHOWN_CHARACTERS ? `${target.slice(0, MAX_SHOWN_CHARACTERS)}…` : target

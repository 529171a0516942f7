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
    // A request that the service never received is no cause. A request that timed out is sent once more first.
    const isNoEvidence = (['unreachable', 'abandoned', 'silent'] as const).some((fault) => hasFault(reply, fault))
    if (isNoEvidence || reply.outcome.status === 429) return
    this.replies.set(target, reply)
    const kind = this.classOf(target)
    if (isOutage && kind !== undefined && !this.byClass.has(kind)) this.byClass.set(kind, target)
  }

  /** Returns the last reply to a request that is not sent any more; undefined for other requests. */
  replyTo(target: string): Reply | undefined {
    return this.replies.get(target)
  }

  /**
   * Throws if a request with another string of the same class (e.g. malformed percent-encoding) made the service
   * unavailable twice.
   * @throws {Inconclusive} in that case
   */
  refuse(target: string): void {
    const kind = this.classOf(target)
    const previousCause = kind === undefined ? undefined : this.byClass.get(kind)
    if (previousCause === undefined || previousCause === target) return
    const why = `the service went down twice when ${shortenTargetForMessage(previousCause)} was requested`
    throw new Inconclusive('withheld', `no more strings of the class "${kind}" were sent, because ${why}`)
  }
}

const MOST_SHOWN = 120

/** Shortens a request target for messages. */
const shortenTargetForMessage = (target: string): string =>
  target.length > MOST_SHOWN ? `${target.slice(0, MOST_SHOWN)}…` : target

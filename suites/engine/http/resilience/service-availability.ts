import type { Inconclusive } from '../../inconclusive.ts'
import type { WireRequest } from '../client/network.ts'
import type { Reply } from '../client/send.ts'
import { PartAvailability, type PartAvailabilityOptions } from './availability.ts'

/**
 * Tracks the availability of each part of a deployment separately, because each version may be served by a service of
 * its own.
 */
export class ServiceAvailability {
  private readonly wholeService: PartAvailability
  private readonly parts: readonly PartAvailability[]

  /** @param healthTargets for each part a request target for health checks, as long as no request has got a response */
  constructor(healthTargets: readonly string[], options: Omit<PartAvailabilityOptions, 'onGone' | 'sides'>) {
    const onGone = (reason: Inconclusive) => this.onGone(reason)
    this.wholeService = new PartAvailability(healthTargets, { ...options, onGone })
    const sides = () => this.parts
    this.parts = healthTargets.map((door) => new PartAvailability([door], { ...options, onGone, parts: sides }))
  }

  get hasResponded(): boolean {
    return this.wholeService.hasResponded
  }

  get isUnavailable(): boolean {
    return (
      this.wholeService.endReason !== undefined ||
      (this.parts.length > 0 && this.parts.every(({ endReason }) => endReason !== undefined))
    )
  }

  onReply({ method, target }: WireRequest, reply: Reply): void {
    this.wholeService.hasResponded = true
    this.partOf(target).onReply(method === 'GET' ? target : undefined, reply)
  }

  /** Ends all parts if one is gone, because a rate limit applies to all of them. */
  private onGone(reason: Inconclusive): void {
    if (reason.kind === 'limited') for (const part of this.parts) part.endReason ??= reason
  }

  /** Waits until no health check of any part is in flight. */
  async waitForHealthChecks(): Promise<void> {
    for (const { healthCheck } of [this.wholeService, ...this.parts]) await healthCheck?.catch(() => false)
  }

  /**
   * Returns the part that serves a target: the one with the most similar health target. As long as no request has got a
   * response, returns the whole service as one part.
   */
  partOf(target: string): PartAvailability {
    if (!this.wholeService.hasResponded) return this.wholeService
    const likeness = ({ healthTargets: [door = ''] }: PartAvailability) => commonPrefixLength(door, target)
    return this.parts.reduce(
      (best, part) => (likeness(part) > likeness(best) ? part : best),
      this.parts[0] ?? this.wholeService,
    )
  }
}

/** Returns the number of leading characters that two targets share. */
function commonPrefixLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

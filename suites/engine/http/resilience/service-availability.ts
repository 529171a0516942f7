import type { Inconclusive } from '../../inconclusive.ts'
import type { WireRequest } from '../client/network.ts'
import type { Reply } from '../client/send.ts'
import { PartAvailability, type PartAvailabilityOptions } from './availability.ts'

/** Tracks for each part of a deployment whether it is available, because each version may have its own service. */
export class ServiceAvailability {
  private readonly wholeService: PartAvailability
  private readonly parts: readonly PartAvailability[]

  /**
   * @param healthTargets a request target for each part of the deployment, e.g. for v3. Health checks of the part use it
   * until another request to this part succeeds
   */
  constructor(healthTargets: readonly string[], options: Omit<PartAvailabilityOptions, 'onUnavailable' | 'parts'>) {
    const onUnavailable = (reason: Inconclusive) => this.onUnavailable(reason)
    this.wholeService = new PartAvailability(healthTargets, { ...options, onUnavailable })
    const parts = () => this.parts
    this.parts = healthTargets.map(
      (healthTarget) => new PartAvailability([healthTarget], { ...options, onUnavailable, parts }),
    )
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

  /** Records a response that is not lost. */
  onReply({ method, target }: WireRequest, reply: Reply): void {
    this.wholeService.hasResponded = true
    this.partOf(target).onReply(method === 'GET' ? target : undefined, reply)
  }

  /**
   * Called when a part is unavailable for good. If the reason is a rate limit, marks all parts as unavailable, because the
   * limit applies to all.
   */
  private onUnavailable(reason: Inconclusive): void {
    if (reason.kind === 'limited') for (const part of this.parts) part.endReason ??= reason
  }

  /** Waits for the health checks that are in flight. */
  async waitForHealthChecks(): Promise<void> {
    for (const { healthCheck } of [this.wholeService, ...this.parts]) await healthCheck?.catch(() => false)
  }

  /**
   * Returns the part that serves a request target: the one whose target for health checks is most similar to it. Before
   * the first response, returns the whole deployment as one part.
   */
  partOf(target: string): PartAvailability {
    if (!this.wholeService.hasResponded) return this.wholeService
    const similarityOf = ({ healthTargets: [healthTarget = ''] }: PartAvailability) =>
      commonPrefixLength(healthTarget, target)
    return this.parts.reduce(
      (best, part) => (similarityOf(part) > similarityOf(best) ? part : best),
      this.parts[0] ?? this.wholeService,
    )
  }
}

function commonPrefixLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

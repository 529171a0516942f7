import type { Inconclusive } from '../../inconclusive.ts'
import type { Wire } from '../client/network.ts'
import type { Reply } from '../client/send.ts'
import { Presence, type PresenceOptions } from './availability.ts'

/** The availability of a deployment, separately for each part: each version may be served by a service of its own. */
export class Availability {
  private readonly whole: Presence
  private readonly sides: readonly Presence[]

  /** @param doors for each part, a target that shows whether the part is available, to use before any response */
  constructor(doors: readonly string[], options: Omit<PresenceOptions, 'onGone' | 'sides'>) {
    const onGone = (reason: Inconclusive) => this.gone(reason)
    this.whole = new Presence(doors, { ...options, onGone })
    const sides = () => this.sides
    this.sides = doors.map((door) => new Presence([door], { ...options, onGone, sides }))
  }

  get hasResponded(): boolean {
    return this.whole.isOpen
  }

  get isUnavailable(): boolean {
    return this.whole.end !== undefined || (this.sides.length > 0 && this.sides.every(({ end }) => end !== undefined))
  }

  answered({ method, target }: Wire, reply: Reply): void {
    this.whole.isOpen = true
    this.partOf(target).answered(method === 'GET' ? target : undefined, reply)
  }

  /** A rate limit applies to all parts. */
  private gone(reason: Inconclusive): void {
    if (reason.kind === 'limited') for (const side of this.sides) side.end ??= reason
  }

  /**
   * Returns the part that serves a target: the one with the most similar health target. Before any response, returns
   * all parts together.
   */
  partOf(target: string): Presence {
    if (!this.whole.isOpen) return this.whole
    const likeness = ({ doors: [door = ''] }: Presence) => alike(door, target)
    return this.sides.reduce(
      (best, side) => (likeness(side) > likeness(best) ? side : best),
      this.sides[0] ?? this.whole,
    )
  }
}

/** Returns the number of leading characters that two targets share. */
function alike(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

import type { Inconclusive } from '../../inconclusive.ts'
import type { Wire } from '../client/network.ts'
import type { Reply } from '../client/send.ts'
import { Presence, type PresenceOptions } from './availability.ts'

/** Whether a deployment is there: each of its sides by itself, for they may be served by services of their own. */
export class Attendance {
  private readonly whole: Presence
  private readonly sides: readonly Presence[]

  /** @param doors a target of each side that tells whether it is there, before anything was answered */
  constructor(doors: readonly string[], options: Omit<PresenceOptions, 'onGone' | 'sides'>) {
    const onGone = (reason: Inconclusive) => this.gone(reason)
    this.whole = new Presence(doors, { ...options, onGone })
    const sides = () => this.sides
    this.sides = doors.map((door) => new Presence([door], { ...options, onGone, sides }))
  }

  get wasThere(): boolean {
    return this.whole.isOpen
  }

  get isGone(): boolean {
    return this.whole.end !== undefined || (this.sides.length > 0 && this.sides.every(({ end }) => end !== undefined))
  }

  answered({ method, target }: Wire, reply: Reply): void {
    this.whole.isOpen = true
    this.sideOf(target).answered(method === 'GET' ? target : undefined, reply)
  }

  /** Who limits what is asked limits all of it. */
  private gone(reason: Inconclusive): void {
    if (reason.kind === 'limited') for (const side of this.sides) side.end ??= reason
  }

  /** The side whose door is most like a target; all together, as long as nothing was answered. */
  sideOf(target: string): Presence {
    if (!this.whole.isOpen) return this.whole
    const likeness = ({ doors: [door = ''] }: Presence) => alike(door, target)
    return this.sides.reduce(
      (best, side) => (likeness(side) > likeness(best) ? side : best),
      this.sides[0] ?? this.whole,
    )
  }
}

/** How many characters two targets begin with alike. */
function alike(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

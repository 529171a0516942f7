import type { Reply } from '../client/send.ts'

const MIN_DEADLINE_MS = 250
const DEADLINE_FACTOR = 4

/** Records response times, to derive a short deadline from them. */
export class ResponseTimes {
  private slowestMs = 0

  get isKnown(): boolean {
    return this.slowestMs > 0
  }

  /** Returns a deadline that is longer than all response times so far. */
  get deadlineMs(): number {
    return Math.max(MIN_DEADLINE_MS, DEADLINE_FACTOR * this.slowestMs)
  }

  record({ outcome, ms }: Reply): void {
    if (outcome.kind === 'response') this.slowestMs = Math.max(this.slowestMs, ms)
  }
}

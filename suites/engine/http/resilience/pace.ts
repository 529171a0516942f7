import type { Reply } from '../client/send.ts'

const SHORTEST_PATIENCE_MS = 250
const PATIENCE_FACTOR = 4

/** The response times of a deployment. */
export class Pace {
  private slowestMs = 0

  get isKnown(): boolean {
    return this.slowestMs > 0
  }

  /** A deadline that exceeds all response times so far. */
  get patienceMs(): number {
    return Math.max(SHORTEST_PATIENCE_MS, PATIENCE_FACTOR * this.slowestMs)
  }

  time({ outcome, ms }: Reply): void {
    if (outcome.kind === 'response') this.slowestMs = Math.max(this.slowestMs, ms)
  }
}

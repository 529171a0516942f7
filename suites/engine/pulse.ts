import type { Outcome } from './exchange.ts'
import { Inconclusive } from './throwables.ts'

const MOST_SILENT_IN_A_ROW = 40
const SHORTEST_PATIENCE_MS = 250
const PATIENCE_FACTOR = 4

/** Whether a deployment is still there, and how slowly it answers. */
export class Pulse {
  private readonly probe: (target: string) => Promise<Outcome>
  private firstAnswered: string | undefined
  private silentInARow = 0
  private lifeSign: Promise<boolean> | undefined
  private slowestMs = 0

  /** @param probe asks for a target, past all limits */
  constructor(probe: (target: string) => Promise<Outcome>) {
    this.probe = probe
  }

  /** As long as answers have taken so far, and some. */
  get patienceMs(): number {
    return Math.max(SHORTEST_PATIENCE_MS, PATIENCE_FACTOR * this.slowestMs)
  }

  time({ outcome, ms }: Outcome): void {
    if (outcome.kind === 'response') this.slowestMs = Math.max(this.slowestMs, ms)
  }

  answered(target: string): void {
    this.silentInARow = 0
    this.firstAnswered ??= target
  }

  keptSilent(): void {
    this.silentInARow++
  }

  /** @throws {Inconclusive} when the deployment answers nothing any more */
  async check(): Promise<void> {
    if (this.silentInARow <= MOST_SILENT_IN_A_ROW) return
    this.lifeSign ??= this.isAlive()
    if (!(await this.lifeSign))
      throw new Inconclusive(
        'unreachable',
        `the deployment stopped answering: ${this.silentInARow} requests in a row came to nothing`,
      )
  }

  /** So much silence may be about what was asked, or about everything: what was answered first tells which. */
  private async isAlive(): Promise<boolean> {
    if (this.firstAnswered === undefined) return false
    const { outcome } = await this.probe(this.firstAnswered)
    this.lifeSign = undefined
    if (outcome.kind === 'response') this.silentInARow = 0
    return outcome.kind === 'response'
  }
}

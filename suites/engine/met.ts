import { field, type Response } from './answer.ts'
import type { Outcome, Wire } from './exchange.ts'

const MOST_TOLD = 20

/** What the asking met with on its way: limits, and connections that dropped. */
export class Met {
  /** One line for each retry, as long as they are few. */
  readonly retried: string[] = []
  private readonly busy = new Map<string, number>()
  private advertises = false

  retry({ method, origin, target }: Wire, { outcome }: Outcome): void {
    if (outcome.kind !== 'fault' || this.retried.length === MOST_TOLD) return
    this.retried.push(`retried: ${method} ${origin}${target} (${outcome.message})`)
  }

  wait(response: Response): void {
    const limit = `status ${response.status}${field(response, 'retry-after') === undefined ? '' : ' with Retry-After'}`
    this.busy.set(limit, (this.busy.get(limit) ?? 0) + 1)
  }

  answer({ outcome }: Outcome): void {
    this.advertises ||=
      outcome.kind === 'response' && outcome.fields.some(([name]) => /^(x-)?rate-?limit\b/i.test(name))
  }

  /** The limits met, in words (O-RATE). */
  limits(): string {
    const waits = [...this.busy].map(
      ([limit, times]) => `${limit}, waited for ${times} ${times === 1 ? 'time' : 'times'}`,
    )
    return [...waits, ...(this.advertises ? ['RateLimit fields'] : [])].join('; ') || 'none'
  }
}

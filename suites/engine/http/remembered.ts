import type { Exchange } from './exchange.ts'
import { weight } from './weight.ts'

/** How much memory the body of an answer takes. */
export const weightOf = ({ outcome }: Exchange): number => (outcome.kind === 'response' ? weight(outcome.body) : 0)

const LARGE_BYTES = 1 << 16

const bare = new WeakMap<Exchange, Exchange>()

/** What of an exchange is cited: where its body is large, all but that. */
export function cited(exchange: Exchange): Exchange {
  const { outcome } = exchange
  if (outcome.kind !== 'response' || weightOf(exchange) < LARGE_BYTES) return exchange
  const known = bare.get(exchange) ?? { ...exchange, outcome: { ...outcome, body: { kind: 'json', value: null } } }
  bare.set(exchange, known)
  return known
}

/** Bounds what is remembered of all answers together: what is beyond it is asked for again when it is wanted again. */
export class Remembered {
  private left: number

  /** @param bytes of memory */
  constructor(bytes: number) {
    this.left = bytes
  }

  /** Whether so much more may be remembered; then it is. */
  takes(bytes: number): boolean {
    if (bytes > this.left) return false
    this.left -= bytes
    return true
  }
}

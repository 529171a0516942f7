import { hasComeBefore } from '../decode/decode.ts'
import { HELD_ALONE_BYTES, READ_ALONE_BYTES, weight } from '../decode/memory-size.ts'
import type { Exchange } from './exchange.ts'

/** How much memory the body of an answer takes. */
export const weightOf = ({ outcome }: Pick<Exchange, 'outcome'>): number =>
  outcome.kind === 'response' ? weight(outcome.body) : 0

/** Whether an answer takes so much that it is read one at a time. */
export const isReadAlone = (exchange: Pick<Exchange, 'outcome'>): boolean => weightOf(exchange) >= READ_ALONE_BYTES

/** The body of an answer, where one came. */
export const bodiesOf = ({ outcome }: Exchange): readonly object[] =>
  outcome.kind === 'response' ? [outcome.body] : []

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

/**
 * Where each answer is another, what is remembered grows with every request: all together take no more than this share.
 * But one large list is mostly listed again in parts, and in another version: so many times the heaviest may be taken.
 */
const SHARE_OF_MANY = 0.2
const TIMES_THE_HEAVIEST = 4

/** When so many bytes were too much to remember, of answers half as heavy as the heaviest or more, none that is large is. */
const MOST_UNLIKE_BYTES = 200 << 20

/** Bounds what is remembered of all answers together: what is beyond it is asked for again when it is wanted again. */
export class Remembered {
  private readonly most: number
  private taken = 0
  private heaviest = 0
  private unlikeBytes = 0
  private readonly held = new WeakSet<object>()

  /** @param bytes of memory */
  constructor(bytes: number) {
    this.most = bytes
  }

  /** Whether the heaviest answers are others each time: to remember some of them helps nobody. */
  get isFutile(): boolean {
    return this.unlikeBytes > MOST_UNLIKE_BYTES
  }

  /**
   * Whether these may be remembered too; then they are. Large bodies that are alike are one, which is remembered once.
   * @param share of the memory of a body that is remembered
   */
  takes(bodies: readonly object[], share = 1): boolean {
    const more = bodies.filter((body) => weight(body) > 0 && !this.held.has(body))
    if (more.length === 0) return true
    const bytes = more.map((body) => weight(body) * share)
    const largest = Math.max(...bytes)
    const heaviest = Math.max(this.heaviest, largest)
    const taken = bytes.reduce((sum, one) => sum + one, this.taken)
    if (taken > this.mostBeside(heaviest, largest, more)) {
      if (largest * 2 >= heaviest) this.unlikeBytes += largest
      return false
    }
    this.taken = taken
    this.heaviest = heaviest
    for (const body of more) this.held.add(body)
    return true
  }

  private mostBeside(heaviest: number, largest: number, bodies: readonly object[]): number {
    const most = Math.min(this.most, Math.max(SHARE_OF_MANY * this.most, TIMES_THE_HEAVIEST * heaviest))
    if (Math.min(largest, this.heaviest) < HELD_ALONE_BYTES) return most
    // One is remembered before it came twice: each answer may be another, and they come as fast as they go.
    return bodies.some(hasComeBefore) ? this.most + heaviest : 0
  }
}

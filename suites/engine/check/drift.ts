import type { Subject } from './readers.ts'

/** What was seen to move since the first readings. */
export interface Motion {
  /** In words: what came, went or changed; undefined where everything stands as it stood. */
  readonly moved: string | undefined
  /** Takes out of a reading what moved: what is left stood all along. */
  still<T>(subject: Subject<T>, fact: T): T | Promise<T>
  /** What a query parameter that nobody asked before comes to; where it is refused, or leads to copies, these may hide motion. */
  readonly newParameter: 'passes caches' | 'is refused' | 'leads to copies' | 'unknown'
}

/**
 * Looks for motion; only asked when something looks broken, so that a deployment that stands still pays nothing.
 * @param since by the run's clock: a look that began before, and saw nothing move, does not tell that nothing has moved
 *   since. Without it, one of a moment ago will do.
 */
export type LookForMotion = (since?: number) => Promise<Motion>

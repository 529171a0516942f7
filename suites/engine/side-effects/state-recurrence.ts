/**
 * Returns by how much two states differ, e.g. by how many names; 0 if they are equal. It obeys the triangle inequality.
 */
export type StateDistance<S> = (before: S, after: S) => number

/**
 * If the readings show at most this many different states, they probably come from replicas with different data, not
 * from changes.
 */
const MAX_REPLICA_STATES = 3

/**
 * Recognises replicas with different data that take turns in step with the requests: the readings have few different
 * states, or earlier states recur.
 */
export class StateRecurrence<S> {
  private readonly distance: StateDistance<S>
  /** The different states so far, at most one more than `MAX_REPLICA_STATES`: further ones would prove nothing more. */
  private readonly different: S[] = []
  private last: S | undefined
  /** True if the state changed back to an earlier one, or came closer to it. */
  hasRecurred = false

  constructor(distance: StateDistance<S>) {
    this.distance = distance
  }

  get areReplicasLikely(): boolean {
    return this.different.length <= MAX_REPLICA_STATES
  }

  add(state: S): void {
    const { distance, different, last } = this
    if (last !== undefined) this.hasRecurred ||= different.some((one) => distance(one, state) < distance(one, last))
    this.last = state
    if (this.areReplicasLikely && different.every((one) => distance(one, state) > 0)) different.push(state)
  }
}

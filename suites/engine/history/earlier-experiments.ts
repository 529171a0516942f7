/** The earlier experiments of a run whose observed states share parts with this one, e.g. the same lists. */
export interface EarlierExperiments<S> {
  readonly changes: ChangesInEarlierExperiments
  /** The parts of the state that this experiment observes. */
  readonly parts: readonly string[]
  /** Counts the differences in each part. */
  readonly differencesOf: (before: S, after: S) => ReadonlyMap<string, number>
}

/**
 * The changes in the intervals of earlier experiments. If idle intervals had many changes, further experiments with the
 * same data are hopeless, and need no idle intervals of their own, which take most of the time.
 */
export class ChangesInEarlierExperiments {
  private readonly idle = new Map<string, { readonly difference: number; readonly ms: number }>()
  private readonly active = { count: 0, ms: 0, largestDifference: 1 }

  addActive(difference: number, ms: number): void {
    this.active.count++
    this.active.ms += ms
    this.active.largestDifference = Math.max(this.active.largestDifference, difference)
  }

  addIdle(differences: ReadonlyMap<string, number>, parts: readonly string[], ms: number): void {
    for (const part of parts) {
      const { difference = 0, ms: before = 0 } = this.idle.get(part) ?? {}
      this.idle.set(part, { difference: difference + (differences.get(part) ?? 0), ms: before + ms })
    }
  }

  /**
   * Returns the number of changes to expect in idle intervals, if the data changes as often as before.
   * @param length the total length of these intervals, as a multiple of the mean length of an active interval
   */
  expectedChanges(parts: readonly string[], length: number): number {
    const { count, ms, largestDifference } = this.active
    const plannedMs = (length * ms) / Math.max(1, count)
    const differences = parts.map((part) => {
      const seen = this.idle.get(part)
      return seen ? seen.difference * Math.min(1, plannedMs / Math.max(1, seen.ms)) : 0
    })
    return Math.floor(differences.reduce((sum, one) => sum + one, 0) / largestDifference)
  }
}

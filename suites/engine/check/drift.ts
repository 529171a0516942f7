import type { Resource } from './readers.ts'

/** The changes of the directory's data since the first readings of the run, as far as they were observed. */
export interface DriftReport {
  /** The change in words; undefined if nothing changed. */
  readonly change: string | undefined
  /** Removes from a reading the names and other facts that changed during the run. */
  withoutChanged<T>(resource: Resource<T>, reading: T): T | Promise<T>
  /**
   * The observed effect of an additional query parameter with a new value: the request passes caches, is refused, or is
   * still answered with a cached copy. Only a request that passes caches reveals a change that a stale copy hides.
   */
  readonly unknownParameterEffect: 'passes caches' | 'is refused' | 'leads to copies' | 'unknown'
}

/**
 * Detects whether the directory's data changed (drift). Called only if something looks like a violation, because it
 * costs requests.
 * @param since a time on the run's clock: an earlier detection is not reused, because the data may have changed after
 * it. By default, a recent detection is reused.
 * @param isRevisable true if the violation is withdrawn when a change is detected at the end of the run. If so, a
 * detector may send fewer requests.
 */
export type DriftDetection = (since?: number, isRevisable?: boolean) => Promise<DriftReport>

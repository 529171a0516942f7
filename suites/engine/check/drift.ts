import type { Resource } from './readers.ts'

/** The changes of the directory's data since the first readings of the run, as far as they were observed. */
export interface DriftReport {
  /** The change in words; undefined if nothing changed. */
  readonly change: string | undefined
  /** Removes names and other facts that changed during the run from a reading. */
  withoutChanged<T>(resource: Resource<T>, reading: T): T | Promise<T>
  /**
   * The effect of an unknown query parameter with a new value. A parameter that does not bypass caches cannot reveal a
   * change that a stale copy hides.
   */
  readonly unknownParameterEffect: 'passes caches' | 'is refused' | 'leads to copies' | 'unknown'
}

/**
 * Detects whether the directory's data changed (drift). Called only if something looks like a violation, because it
 * costs requests.
 * @param since a time on the run's clock: a detection before this time does not prove that nothing changed since. By
 * default, a recent detection does.
 * @param isProvisional true if changes are detected once more at the end of the run before the verdict. If so, a
 * detector may send fewer requests.
 */
export type DriftDetection = (since?: number, isProvisional?: boolean) => Promise<DriftReport>

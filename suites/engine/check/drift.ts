import type { Subject } from './readers.ts'

/** The changes observed since the first readings. */
export interface DriftReport {
  /** The change in words; undefined if nothing changed. */
  readonly change: string | undefined
  /** Removes everything that changed from a reading. */
  withoutChanged<T>(subject: Subject<T>, fact: T): T | Promise<T>
  /**
   * The effect of a query parameter with a new value. If it is refused or leads to copies, stale copies may hide a
   * change.
   */
  readonly unknownParameterEffect: 'passes caches' | 'is refused' | 'leads to copies' | 'unknown'
}

/**
 * Detects changes. Called only if something looks like a violation, so that a deployment without changes costs nothing.
 * @param since by the run's clock: a reading from before this time is no evidence that nothing changed. Without it, a
 * recent reading is used.
 */
export type DetectDrift = (since?: number) => Promise<DriftReport>

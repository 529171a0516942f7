import type { Subject } from './readers.ts'

/** The changes that were observed since the first readings. */
export interface DriftReport {
  /** A description of the change; undefined if nothing changed. */
  readonly change: string | undefined
  /** Returns a reading without everything that changed. */
  withoutChanged<T>(subject: Subject<T>, fact: T): T | Promise<T>
  /**
   * The effect of a query parameter with a new value. Unless it bypasses caches, a stale copy may hide a change.
   */
  readonly unknownParameterEffect: 'passes caches' | 'is refused' | 'leads to copies' | 'unknown'
}

/**
 * Detects changes of the data. Called only if something looks like a violation, so that it costs nothing while all is
 * well.
 * @param since a time by the run's clock: readings from before it do not prove that nothing changed; by default, recent
 * readings do
 */
export type DriftDetection = (since?: number) => Promise<DriftReport>

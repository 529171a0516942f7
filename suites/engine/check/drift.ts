import type { Resource } from './readers.ts'

/** Drift: the changes of the data since the first readings, as far as they were observed. */
export interface DriftReport {
  /** A description of the change; undefined if nothing changed. */
  readonly change: string | undefined
  /** Returns the reading without the names and other facts that changed. */
  withoutChanged<T>(resource: Resource<T>, reading: T): T | Promise<T>
  /** The effect of a query parameter with a new value. If it does not bypass caches, a stale copy may hide a change. */
  readonly unknownParameterEffect: 'passes caches' | 'is refused' | 'leads to copies' | 'unknown'
}

/**
 * Detects changes of the data (drift). Called only if something looks like a violation, because it costs requests.
 * @param since a time by the run's clock. Earlier readings do not prove that nothing changed. By default, recent
 * readings do.
 * @param isProvisional true if changes are detected again at the end of the run, before anything is decided. Then a
 * detector may read less.
 */
export type DriftDetection = (since?: number, isProvisional?: boolean) => Promise<DriftReport>

import type { Reader, Resource } from '../check/readers.ts'
import type { Evidence } from '../check/violations.ts'
import { findDifferingExchanges } from '../finding/shown-exchanges.ts'
import { countFewestChanges } from '../history/fewest-changes.ts'
import { timeSpanOf } from '../history/time-span.ts'

/** A reading of a resource, and whether it shows a fact, e.g. whether a list contains a name. */
export interface FactSighting {
  readonly reader: Reader
  readonly isShown: boolean
}

/** The number of readings of a resource that show a fact, and two readings that differ. */
export interface IntermittentFact {
  readonly readingsWithFact: number
  readonly readingCount: number
  readonly evidence: Evidence
}

/**
 * Returns the smallest number of changes of a fact that explains all readings of a resource, even if every response may
 * be a stale copy (T2.7).
 */
export const countChanges = (resource: Resource<unknown>, sightings: readonly FactSighting[]): number =>
  countFewestChanges(
    sightings.map(({ reader, isShown }) => ({ ...timeSpanOf(reader.exchangesFor(resource)), value: isShown })),
  )

/** @param text a text that only the readings with the fact contain */
export function summariseSightings(
  resource: Resource<unknown>,
  text: string,
  sightings: readonly FactSighting[],
): IntermittentFact {
  const [holding, lacking] = [true, false].map((isShown) => sightings.filter((one) => one.isShown === isShown))
  const exchangesOf = ([first]: readonly FactSighting[] = []) => first?.reader.exchangesFor(resource) ?? []
  const evidence = findDifferingExchanges(exchangesOf(lacking), exchangesOf(holding), text)
  return { readingsWithFact: holding?.length ?? 0, readingCount: sightings.length, evidence }
}

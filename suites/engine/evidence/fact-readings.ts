import type { CheckContext } from '../check/check.ts'
import type { Reader, Resource } from '../check/readers.ts'
import type { Evidence } from '../check/violations.ts'
import { findDifferingExchanges } from '../finding/shown-exchanges.ts'
import { countFewestChanges, UNDECLARED_COPY_AGE_MS } from '../history/fewest-changes.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { maxCopyAgeMs } from '../http/client/freshness.ts'

export type ReadingContext = Pick<CheckContext<unknown>, 'createFreshReader' | 'pause'>

/** A resource to read repeatedly, and the facts to watch in its readings, e.g. the names in a list. */
export interface WatchedResource<T> {
  readonly resource: Resource<T>
  /** Returns the facts in a reading, e.g. its names; undefined if the reading cannot be used. */
  readonly factsOf: (reading: T) => readonly string[] | undefined
  /**
   * The number of changes of a fact (e.g. that a name is listed) that a changing directory may explain. A fact with more
   * changes is unstable.
   */
  readonly maxChanges: number
}

interface FactsReading {
  readonly reader: Reader
  readonly facts: ReadonlySet<string>
}

/** A fact, e.g. a listed name, that appeared and disappeared more often than a changing directory explains. */
export interface UnstableFact {
  readonly fact: string
  readonly readingsWithFact: number
  readonly readingCount: number
  readonly evidence: Evidence
}

/** Returns the greatest possible age of a response: the declared age, or a fixed limit if no age is declared. */
const greatestAgeMs = (exchange: Exchange): number => Math.max(maxCopyAgeMs(exchange) ?? 0, UNDECLARED_COPY_AGE_MS)

/** The facts in all readings of one resource. */
export class FactReadings<T> {
  private readonly watched: WatchedResource<T>
  private readonly readings: FactsReading[] = []

  constructor(watched: WatchedResource<T>) {
    this.watched = watched
  }

  async readOnce({ createFreshReader }: ReadingContext): Promise<void> {
    const { resource, factsOf } = this.watched
    const reader = createFreshReader()
    const facts = factsOf(await reader.read(resource))
    if (facts) this.readings.push({ reader, facts: new Set(facts) })
  }

  get count(): number {
    return this.readings.length
  }

  /**
   * Returns the facts that some readings contain and others do not.
   * @param from the number of readings at the beginning that are left out
   */
  findIntermittentFacts(from = 0): readonly string[] {
    const readings = this.readings.slice(from)
    const all = new Set(readings.flatMap(({ facts }) => [...facts]))
    return [...all].filter((fact) => readings.some(({ facts }) => !facts.has(fact)))
  }

  /**
   * Returns the smallest number of changes of a fact that explains all readings, even if every response may have been a
   * stale copy (T2.7).
   */
  countChanges(fact: string): number {
    return countFewestChanges(
      this.readings.map(({ reader, facts }) => {
        const exchanges = reader.exchangesFor(this.watched.resource)
        const from = Math.min(...exchanges.map((exchange) => exchange.askedAt - greatestAgeMs(exchange)))
        return { from, to: Math.max(...exchanges.map(({ askedAt, ms }) => askedAt + ms)), value: facts.has(fact) }
      }),
    )
  }

  /** Returns the first of the facts that changed more often than permitted. */
  findUnstableFact(facts: readonly string[]): UnstableFact | undefined {
    const { resource, maxChanges } = this.watched
    const fact = facts.find((one) => this.countChanges(one) > maxChanges)
    if (fact === undefined) return undefined
    const holding = this.readings.filter((one) => one.facts.has(fact))
    const lacking = this.readings.filter((one) => !one.facts.has(fact))
    const pagesOf = ([first]: readonly FactsReading[]) => first?.reader.exchangesFor(resource) ?? []
    const evidence = findDifferingExchanges(pagesOf(lacking), pagesOf(holding), fact)
    return { fact, readingsWithFact: holding.length, readingCount: this.readings.length, evidence }
  }
}

import type { Reader, Resource } from '../check/readers.ts'
import type { Evidence } from '../check/violations.ts'
import { findDifferingExchanges } from '../finding/shown-exchanges.ts'
import { countFewestChanges, timeSpanOf, WAIT_BEYOND_UNDECLARED_COPIES_MS } from '../history/fewest-changes.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { ComparisonContext } from './compare-conditions.ts'

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

/**
 * Counts the readings that show a fact, and selects two that differ.
 * @param text a text that only the readings with the fact contain
 */
export function summariseSightings(
  resource: Resource<unknown>,
  text: string,
  sightings: readonly FactSighting[],
): IntermittentFact {
  const [withFact, withoutFact] = [true, false].map((isShown) => sightings.filter((one) => one.isShown === isShown))
  const exchangesOf = ([first]: readonly FactSighting[] = []) => first?.reader.exchangesFor(resource) ?? []
  const evidence = findDifferingExchanges(exchangesOf(withoutFact), exchangesOf(withFact), text)
  return { readingsWithFact: withFact?.length ?? 0, readingCount: sightings.length, evidence }
}

/**
 * The number of concurrent readings at the start of a burst: enough for one on each connection. The rest of the burst
 * has fewer readings after unequal pauses, so that no periodic change keeps step with them.
 */
const FIRST_CONCURRENT_READINGS = 16
const CONCURRENT_READINGS = 3
/**
 * One of this many readings is sent without a request for another resource. If every second request were for the
 * resource, it would always get its response from the same one of two replicas that take turns.
 */
const READINGS_PER_LONE_REQUEST = 3
const READING_GAPS_MS = [7, 23, 41, 67, 113, 181]
/** The maximum number of requests for other resources that the evidence contains. */
const MAX_CONCURRENT_REQUESTS_SHOWN = 3

/**
 * The number of bursts in which a resource is read, and the number of changes of a fact (e.g. that a name is listed)
 * that a changing directory may explain. A fact with more changes is unstable. One burst proves at most one change.
 */
export interface StabilityLimits {
  readonly bursts: number
  readonly maxChanges: number
}

/** A resource to read in bursts, and the facts to watch in its readings, e.g. the names in a list. */
interface AlternatingResource<T> {
  readonly resource: Resource<T>
  /** Returns the facts in a reading, e.g. its names; undefined if the reading cannot be used. */
  readonly factsOf: (reading: T) => readonly string[] | undefined
  readonly limits: StabilityLimits
  /** Creates a reader for each reading; by default one that sends the usual requests. */
  readonly createReader?: () => Reader
  /**
   * Other resources to request at the same time, to reveal a service that mixes up the responses of concurrent
   * requests.
   */
  readonly otherResources?: readonly Resource<unknown>[]
}

interface FactsReading {
  readonly reader: Reader
  readonly facts: ReadonlySet<string>
  /** Returns the request for another resource that was sent together with this reading; an empty list if there was none. */
  readonly concurrentRequests: () => readonly Exchange[]
}

/** A fact, e.g. a listed name, that appeared and disappeared more often than the limits permit. */
interface UnstableFact extends IntermittentFact {
  readonly fact: string
}

/** Reads one resource in bursts, and finds the facts that some readings of every burst show and others do not. */
class ConcurrentBursts<T> {
  private readonly watched: AlternatingResource<T>
  private readonly readings: FactsReading[] = []
  /** The facts that were intermittent in every burst so far; undefined before the first burst. */
  private intermittentFacts: readonly string[] | undefined

  constructor(watched: AlternatingResource<T>) {
    this.watched = watched
  }

  needsAnotherBurst(burstCount: number): boolean {
    return burstCount < this.watched.limits.bursts && this.intermittentFacts?.length !== 0
  }

  async readBurst({ createFreshReader, pause }: ComparisonContext): Promise<void> {
    const { resource, factsOf, createReader = createFreshReader, otherResources = [] } = this.watched
    const burst: FactsReading[] = []
    const readOnce = async (nth: number) => {
      const other =
        nth % READINGS_PER_LONE_REQUEST === 0 ? undefined : otherResources[nth % Math.max(1, otherResources.length)]
      const readerOfOther = createFreshReader()
      if (other) void readerOfOther.read(other).catch(() => {}) // The response does not matter: the request only has to be in flight.
      const reader = createReader()
      const facts = factsOf(await reader.read(resource))
      const concurrentRequests = () => (other ? readerOfOther.exchangesFor(other).slice(0, 1) : [])
      if (facts) burst.push({ reader, facts: new Set(facts), concurrentRequests })
    }
    const readAtOnce = (times: number) => Promise.all(Array.from({ length: times }, (_, nth) => readOnce(nth)))
    await readAtOnce(FIRST_CONCURRENT_READINGS)
    for (const ms of READING_GAPS_MS) {
      await pause(ms)
      await readAtOnce(CONCURRENT_READINGS)
    }
    this.readings.push(...burst)
    this.intermittentFacts = findIntermittentFacts(burst).filter((one) => this.intermittentFacts?.includes(one) ?? true)
  }

  /**
   * Returns a fact that changed more often than the limits permit, even if every response may have been a stale copy
   * (T2.7).
   */
  findUnstableFact(): UnstableFact | undefined {
    const { resource, limits } = this.watched
    const fact = this.intermittentFacts?.find(
      (one) => countChanges(resource, this.sightingsOf(one)) > limits.maxChanges,
    )
    if (fact === undefined) return undefined
    const summary = summariseSightings(resource, fact, this.sightingsOf(fact))
    const isRarelyShown = 2 * summary.readingsWithFact <= summary.readingCount
    const inFlight = [...summary.evidence.inFlight, ...this.requestsInFlight(fact, isRarelyShown)]
    return { fact, ...summary, evidence: { ...summary.evidence, inFlight } }
  }

  /**
   * Returns some requests that were in flight together with readings that show the fact, or with those that do not. The
   * rarer kind of reading is the interesting one, because these requests may be its cause.
   */
  private requestsInFlight(fact: string, isShown: boolean): readonly Exchange[] {
    const readings = this.readings.filter(({ facts }) => facts.has(fact) === isShown)
    const others = readings.flatMap(({ concurrentRequests }) => concurrentRequests())
    return [...new Map(others.map((one) => [one.request.target, one])).values()].slice(0, MAX_CONCURRENT_REQUESTS_SHOWN)
  }

  private sightingsOf(fact: string): readonly FactSighting[] {
    return this.readings.map(({ reader, facts }) => ({ reader, isShown: facts.has(fact) }))
  }
}

/**
 * Reads resources in bursts, as long as some of their facts keep changing. The pause between two bursts is so long that
 * cached copies without a declared age expire.
 * @param resources the resources by names that the caller chooses
 * @returns the first unstable fact, with the resource and its name; undefined if there is none
 */
export async function findFastAlternation<T>(
  resources: ReadonlyMap<string, AlternatingResource<T>>,
  context: ComparisonContext,
): Promise<(UnstableFact & { readonly name: string; readonly resource: Resource<T> }) | undefined> {
  const all = [...resources].map(([name, watched]) => ({
    name,
    resource: watched.resource,
    bursts: new ConcurrentBursts(watched),
  }))
  for (let nth = 0; ; nth++) {
    const changing = all.filter(({ bursts }) => bursts.needsAnotherBurst(nth))
    if (changing.length === 0) break
    if (nth > 0) await context.pause(WAIT_BEYOND_UNDECLARED_COPIES_MS)
    // The resources are read one after the other, so that each of them is read on all connections.
    for (const { bursts } of changing) await bursts.readBurst(context)
  }
  for (const { name, resource, bursts } of all) {
    const unstable = bursts.findUnstableFact()
    if (unstable) return { ...unstable, name, resource }
  }
  return undefined
}

/** Returns the facts that some readings contain and others do not. */
function findIntermittentFacts(readings: readonly FactsReading[]): readonly string[] {
  const all = new Set(readings.flatMap(({ facts }) => [...facts]))
  return [...all].filter((fact) => readings.some(({ facts }) => !facts.has(fact)))
}

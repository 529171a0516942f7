import type { Resource } from '../check/readers.ts'
import { WAIT_BEYOND_UNDECLARED_COPIES_MS } from '../history/fewest-changes.ts'
import { FactReadings, type ReadingContext, type UnstableFact, type WatchedResource } from './fact-readings.ts'

/**
 * The number of concurrent readings at the start of a burst: enough for one on each connection. The rest of the burst
 * has fewer readings after unequal pauses, so that no periodic change keeps step with them.
 */
const FIRST_CONCURRENT_READINGS = 16
const CONCURRENT_READINGS = 3
/**
 * The number of readings of which one is sent without another request beside it. If every second request were for the
 * resource, it would always get its response from the same one of two replicas that take turns.
 */
const READINGS_PER_ALONE = 3
const READING_GAPS_MS = [7, 23, 41, 67, 113, 181]

/** A resource to read in bursts. */
export interface BurstResource<T> extends WatchedResource<T> {
  /** The maximum number of bursts. One burst proves at most one change of a fact. */
  readonly bursts: number
  /**
   * Other resources to request at the same time, to reveal a service that mixes up the responses of concurrent
   * requests.
   */
  readonly otherResources?: readonly Resource<unknown>[]
  /** True if the run has seen a fact disappear and return, or appear and disappear. */
  readonly hasReturned: boolean
}

/** A series of readings of one resource, in several groups with long pauses between them. */
export interface ReadingGroups {
  needsAnotherGroup(groups: number): boolean
  readGroup(context: ReadingContext): Promise<void>
  /** Returns a fact that changed more often than permitted. */
  findUnstableFact(): UnstableFact | undefined
}

/** Reads a resource many times at once, and finds facts that come and go within every burst. */
export class ReadingBursts<T> implements ReadingGroups {
  private readonly of: BurstResource<T>
  private readonly readings: FactReadings<T>
  /** The facts that were in some readings of every burst and missing from others. */
  private intermittentFacts: readonly string[] | undefined

  constructor(of: BurstResource<T>) {
    this.of = of
    this.readings = new FactReadings(of)
  }

  needsAnotherGroup(bursts: number): boolean {
    return bursts < this.of.bursts && this.intermittentFacts?.length !== 0
  }

  async readGroup(context: ReadingContext): Promise<void> {
    const { otherResources = [] } = this.of
    const before = this.readings.count
    const readOnce = (nth: number) => {
      const other =
        nth % READINGS_PER_ALONE === 0 ? undefined : otherResources[nth % Math.max(1, otherResources.length)]
      if (other)
        void context
          .createFreshReader()
          .read(other)
          .catch(() => {}) // The response does not matter: the request only has to be in flight.
      return this.readings.readOnce(context)
    }
    const readAtOnce = (times: number) => Promise.all(Array.from({ length: times }, (_, nth) => readOnce(nth)))
    await readAtOnce(FIRST_CONCURRENT_READINGS)
    for (const ms of READING_GAPS_MS) {
      await context.pause(ms)
      await readAtOnce(CONCURRENT_READINGS)
    }
    const intermittent = this.readings.findIntermittentFacts(before)
    this.intermittentFacts = intermittent.filter((one) => this.intermittentFacts?.includes(one) ?? true)
  }

  findUnstableFact(): UnstableFact | undefined {
    return this.readings.findUnstableFact(this.intermittentFacts ?? [])
  }
}

/** The pauses between the readings of a visit: a change every second or two is seen within one visit. */
const VISIT_GAPS_MS = [430, 970]
const MAX_VISITS = 10

/**
 * Reads a resource a few times on each of several visits, and finds facts that come and go in the course of seconds.
 * Such a fact may keep its value during a whole burst.
 */
export class ReadingVisits<T> implements ReadingGroups {
  private readonly readings: FactReadings<T>

  constructor(of: WatchedResource<T>) {
    this.readings = new FactReadings(of)
  }

  /** Returns whether some fact has changed between every other two visits, so that it will soon be unstable. */
  needsAnotherGroup(visits: number): boolean {
    if (visits <= 1) return true
    if (visits >= MAX_VISITS || this.findUnstableFact()) return false
    return this.readings.findIntermittentFacts().some((fact) => 2 * this.readings.countChanges(fact) >= visits - 1)
  }

  async readGroup(context: ReadingContext): Promise<void> {
    await this.readings.readOnce(context)
    for (const ms of VISIT_GAPS_MS) {
      await context.pause(ms)
      await this.readings.readOnce(context)
    }
  }

  findUnstableFact(): UnstableFact | undefined {
    return this.readings.findUnstableFact(this.readings.findIntermittentFacts())
  }
}

/**
 * The pause between two groups of readings grows by this time, so that a change with a period of a few seconds does not
 * keep step with the groups.
 */
const PAUSE_INCREASE_MS = 310

/**
 * Reads all resources in groups as long as some facts keep changing. The pause between two groups is so long that
 * cached copies without a declared age expire.
 */
export async function readInGroups(all: readonly ReadingGroups[], context: ReadingContext): Promise<void> {
  for (let nth = 0; ; nth++) {
    const changing = all.filter((one) => one.needsAnotherGroup(nth))
    if (changing.length === 0) return
    if (nth > 0) await context.pause(WAIT_BEYOND_UNDECLARED_COPIES_MS + PAUSE_INCREASE_MS * (nth - 1))
    // The resources are read one after the other, so that each of them is read on all connections.
    for (const one of changing) await one.readGroup(context)
  }
}

/**
 * Reads some resources in bursts. If no fact is unstable, also visits those in which a fact was seen to return.
 * @returns the unstable facts by the keys of their resources, at most one for each
 */
export async function findUnstableFacts<T>(
  resources: readonly BurstResource<T>[],
  context: ReadingContext,
): Promise<ReadonlyMap<string, UnstableFact>> {
  const bursts = resources.map((of) => [of.resource.key, new ReadingBursts(of)] as const)
  await readInGroups(
    bursts.map(([, readings]) => readings),
    context,
  )
  const inBursts = collectUnstableFacts(bursts)
  if (inBursts.size > 0) return inBursts
  const visits = resources
    .filter(({ hasReturned }) => hasReturned)
    .map((of) => [of.resource.key, new ReadingVisits(of)] as const)
  await Promise.all(visits.map(([, readings]) => readInGroups([readings], context)))
  return collectUnstableFacts(visits)
}

const collectUnstableFacts = (
  all: readonly (readonly [key: string, readings: ReadingGroups])[],
): ReadonlyMap<string, UnstableFact> =>
  new Map(
    all.flatMap(([key, readings]) => {
      const fact = readings.findUnstableFact()
      return fact ? [[key, fact] as const] : []
    }),
  )

import { isDeepStrictEqual } from 'node:util'
import { nextEventLoopTurn } from '../clock.ts'
import type { Exchange, Request } from '../http/client/exchange.ts'
import {
  bodiesOf,
  bodySizeOf,
  CacheMemoryAccount,
  type KeptElementSelector,
  mustBeReadAlone,
  outlineLargeBody,
} from '../http/client/response-size.ts'
import { collectGarbageIfGrown } from '../http/decode/garbage-collection.ts'
import { MIN_BYTES_READ_ALONE, recordMemorySize, recordMemorySizeOnce } from '../http/decode/memory-size.ts'

export type SendRequest = (request: Request) => Promise<Exchange>

/**
 * Something that can be read from a deployment, e.g. a list: the requests to send, and how to interpret the responses.
 */
export interface Resource<T> {
  /** Identifies the resource: resources with equal keys are the same. */
  readonly key: string
  readWith(send: SendRequest): Promise<T>
  /** Returns whether two readings are equal. By default, they are compared deeply. */
  isSame?(one: T, other: T): boolean
  /**
   * Returns the object that holds most of the reading's memory. If several readings share this object, its memory is
   * counted once.
   */
  sharedMemory?(reading: T): object | undefined
  /**
   * True if the resource can change while nothing else changes, e.g. a counter. Then only reading it again shows a
   * change.
   */
  readonly changesAlone?: true
}

export type Read = <T>(resource: Resource<T>) => Promise<T>

/** Reads resources, each once, and keeps their exchanges. */
export interface Reader {
  readonly read: Read
  /** Returns the exchanges of the latest reading of this resource. */
  exchangesFor(resource: Resource<unknown>): readonly Exchange[]
  /** Returns all resources read so far. */
  resourcesRead(): readonly Resource<unknown>[]
  /** Returns whether the other reader has a different reading of this resource; false if this reader never read it. */
  readsDifferently(resource: Resource<unknown>, other: Reader): Promise<boolean>
}

let lastTurn: Promise<unknown> = Promise.resolve()

/** Lets signals and timers run between two large readings, which are processed one at a time. */
const waitForTurn = (): Promise<unknown> =>
  (lastTurn = lastTurn.then(() => nextEventLoopTurn()).then(collectGarbageIfGrown))

interface CachedReading {
  readonly resource: Resource<unknown>
  readonly reading: Promise<unknown>
  /** The exchanges, with outlines instead of large bodies, whose content is in the reading. */
  exchanges: Exchange[]
  /** The size of all response bodies, in bytes. */
  readonly memorySize: () => number
  /** The objects by which the memory account counts the bodies. The bodies themselves are not kept. */
  readonly bodies: () => readonly object[]
}

/** The sizes of the response bodies of one resource. A repeated request replaces its first response. */
class ResponseBodies {
  /** The size in bytes, updated whenever the resource is read. */
  totalBytes = 0
  private readonly byTarget = new Map<string, { readonly body: WeakRef<object>; readonly weight: number }>()

  add(exchange: Exchange): void {
    const [body] = bodiesOf(exchange)
    const weight = bodySizeOf(exchange)
    if (!body || weight === 0) return
    const { target } = exchange.request
    this.totalBytes += weight - (this.byTarget.get(target)?.weight ?? 0)
    this.byTarget.set(target, { body: new WeakRef(body), weight })
  }

  /** Returns an object for each body. For a garbage-collected body it is a placeholder of the recorded size. */
  get all(): readonly object[] {
    return [...this.byTarget.values()].map(({ body, weight }) => body.deref() ?? recordMemorySize({}, weight))
  }
}

function startReading(
  resource: Resource<unknown>,
  send: SendRequest,
  filter: ReadingFilter = (_, fact) => fact,
  selectKept?: KeptElementSelector,
): CachedReading {
  const exchanges: Exchange[] = []
  const bodies = new ResponseBodies()
  const sendAndKeep: SendRequest = async (request) => {
    const exchange = await send(request)
    bodies.add(exchange)
    exchanges.push(outlineLargeBody(exchange, selectKept))
    if (mustBeReadAlone(exchange)) await waitForTurn()
    return exchange
  }
  const fact = resource.readWith(sendAndKeep).then((reading) => filter(resource, reading))
  fact.catch(() => {}) // Prevents an unhandled rejection if nothing awaits the reading; callers that await it still see the rejection.
  return { resource, reading: fact, exchanges, bodies: () => bodies.all, memorySize: () => bodies.totalBytes }
}

const areEqualReadings = (resource: Resource<unknown>, one: unknown, other: unknown): boolean =>
  one === other || (resource.isSame ? resource.isSame(one, other) : isDeepStrictEqual(one, other))

/** Marks a reading that was dropped to save memory; it is read again on demand. */
const EVICTED = Promise.resolve()

/** A function that changes each reading before a check gets it, e.g. to leave out names. */
export type ReadingFilter = <T>(resource: Resource<T>, reading: T) => T | Promise<T>

/** The share of a body's memory that is kept after reading it: mostly the names. */
const NAMES_SHARE_OF_BODY = 0.5
/** The memory limit for all readings of a run. */
const CACHE_LIMIT_BYTES = 130 << 20

function createReader(
  send: SendRequest,
  filter?: ReadingFilter,
  memory = new CacheMemoryAccount(Number.POSITIVE_INFINITY),
  selectKept?: KeptElementSelector,
): Reader & { readonly entries: Map<string, CachedReading> } {
  const entries = new Map<string, CachedReading>()
  const enter = (resource: Resource<unknown>): CachedReading => {
    const entry = startReading(resource, send, filter, selectKept)
    entries.set(resource.key, entry)
    const keepInMemory = (fact: unknown) => {
      const shared = resource.sharedMemory?.(fact)
      if (
        !memory.tryAdd(
          shared ? [recordMemorySizeOnce(shared, entry.memorySize())] : entry.bodies(),
          NAMES_SHARE_OF_BODY,
        )
      )
        forget(entry)
      if (memory.isUseless) forgetLarge()
    }
    entry.reading.then(keepInMemory, () => {})
    return entry
  }
  const forgetLarge = () => {
    for (const one of entries.values())
      if (one.reading !== EVICTED && one.memorySize() >= MIN_BYTES_READ_ALONE) forget(one)
  }
  const forget = (entry: CachedReading) => {
    if (entries.get(entry.resource.key) === entry) entries.set(entry.resource.key, { ...entry, reading: EVICTED })
  }
  return {
    entries,
    read<T>(resource: Resource<T>) {
      const known = entries.get(resource.key)
      const entry = known && known.reading !== EVICTED ? known : enter(resource)
      const fact = entry.reading as Promise<T> // The key identifies the resource, so the reading has its type.
      return entry.memorySize() < MIN_BYTES_READ_ALONE ? fact : waitForTurn().then(() => fact)
    },
    exchangesFor: (resource) => entries.get(resource.key)?.exchanges ?? [],
    resourcesRead: () => [...entries.values()].map(({ resource }) => resource),
    async readsDifferently(resource, other) {
      const own = entries.get(resource.key)
      return (
        own !== undefined &&
        own.reading !== EVICTED &&
        !areEqualReadings(resource, await own.reading, await other.read(resource))
      )
    },
  }
}

/** Creates a reader with a cache: each resource is requested once, as far as memory allows. */
export const createCachingReader = (send: SendRequest, selectKept?: KeptElementSelector): Reader =>
  createReader(send, undefined, new CacheMemoryAccount(CACHE_LIMIT_BYTES), selectKept)

/** Creates a reader without a cache, for large lists that are compared once. */
export const createUncachedRead =
  (send: SendRequest): Read =>
  <T>(resource: Resource<T>) =>
    startReading(resource, send).reading as Promise<T> // The reading has the resource's type.

/** A reader that sends every request again, and can tell whether its readings are stable. */
export interface FreshReader extends Reader {
  /** Reads everything again, concurrently. Resolves to the first resource whose reading changed. */
  findChangedResource(): Promise<Resource<unknown> | undefined>
}

/**
 * Creates a reader that sends every request again.
 * @param send sends every request; must not use a cache
 * @param filter changes each reading before it is returned
 */
export function createFreshReader(send: SendRequest, filter?: ReadingFilter): FreshReader {
  const reader = createReader(send, filter)
  const changed = async (entry: CachedReading) => {
    const again = startReading(entry.resource, send, filter)
    const [before, after] = await Promise.all([entry.reading, again.reading])
    if (again.memorySize() >= MIN_BYTES_READ_ALONE) await waitForTurn()
    if (areEqualReadings(entry.resource, before, after)) return undefined
    entry.exchanges.push(...again.exchanges)
    return entry.resource
  }
  return {
    ...reader,
    async findChangedResource() {
      const all = await Promise.all([...reader.entries.values()].map(changed))
      return all.find((resource) => resource !== undefined)
    },
  }
}

import { isDeepStrictEqual } from 'node:util'
import { nextEventLoopTurn } from '../clock.ts'
import type { Exchange, Request } from '../http/client/exchange.ts'
import {
  bodyMemorySizeOf,
  CacheMemoryAccount,
  type ElementSelectorLookup,
  mustBeProcessedInTurn,
  outlineLargeBody,
  parsedBodiesOf,
} from '../http/client/response-size.ts'
import { collectGarbageIfGrown } from '../http/decode/garbage-collection.ts'
import { MIN_BYTES_READ_ALONE, recordMemorySize, recordMemorySizeOnce } from '../http/decode/memory-size.ts'

export type SendRequest = (request: Request) => Promise<Exchange>

/** The two ways to send requests: with and without stored responses. */
export interface RequestSenders {
  /** Sends each request once per run; for a repeated request, returns the stored response. */
  readonly sendOnce: SendRequest
  /** Sends a request even if the same request already has a response in this run. */
  readonly send: SendRequest
}

/**
 * Something that the deployment serves, e.g. a list: the requests to send, and how to interpret the
 * responses.
 */
export interface Resource<T> {
  /** Identifies the resource: two resources with the same key are the same resource. */
  readonly key: string
  readWith(send: SendRequest): Promise<T>
  /** Returns whether two readings are equal. If absent, they are compared deeply, and exchanges by status and body. */
  isSame?(one: T, other: T): boolean
  /**
   * Returns the object that takes most of the reading's memory. If several readings share it, its memory counts once.
   */
  sharedMemory?(reading: T): object | undefined
  /**
   * True if the resource can change while all others stay the same, e.g. a counter. Only reading it again reveals its
   * change.
   */
  readonly changesAlone?: true
}

export type Read = <T>(resource: Resource<T>) => Promise<T>

/** Reads each resource once, and keeps the exchanges of its requests. */
export interface Reader {
  readonly read: Read
  exchangesFor(resource: Pick<Resource<unknown>, 'key'>): readonly Exchange[]
  resourcesRead(): readonly Resource<unknown>[]
  /** Returns whether the other reader reads this resource differently; false if this reader has not read it. */
  readsDifferently(resource: Resource<unknown>, other: Reader): Promise<boolean>
}

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Lets signals and timers run before the next large reading is processed. Large readings are processed one at a time.
 */
const waitForTurn = (): Promise<unknown> =>
  (lastTurn = lastTurn.then(() => nextEventLoopTurn()).then(collectGarbageIfGrown))

interface CachedReading {
  readonly resource: Resource<unknown>
  readonly reading: Promise<unknown>
  /** The exchanges of the reading. Large bodies are replaced by outlines, because the reading has their content. */
  readonly exchanges: Exchange[]
  readonly bodies: ResponseBodies
}

/** The sizes of the response bodies of one resource. If a request is repeated, only its latest response counts. */
class ResponseBodies {
  totalBytes = 0
  private readonly byTarget = new Map<string, { readonly body: WeakRef<object>; readonly bytes: number }>()

  add(exchange: Exchange): void {
    const [body] = parsedBodiesOf(exchange)
    const bytes = bodyMemorySizeOf(exchange)
    if (!body || bytes === 0) return
    const { target } = exchange.request
    this.totalBytes += bytes - (this.byTarget.get(target)?.bytes ?? 0)
    this.byTarget.set(target, { body: new WeakRef(body), bytes })
  }

  /**
   * Returns one object per body, by which `CacheMemoryAccount` counts its size: the body itself or, if it was
   * garbage-collected, a placeholder of the same recorded size.
   */
  get all(): readonly object[] {
    return [...this.byTarget.values()].map(({ body, bytes }) => body.deref() ?? recordMemorySize({}, bytes))
  }
}

function startReading(
  resource: Resource<unknown>,
  send: SendRequest,
  { filter = (_, reading) => reading, selectKept }: Pick<ReaderOptions, 'filter' | 'selectKept'> = {},
): CachedReading {
  const exchanges: Exchange[] = []
  const bodies = new ResponseBodies()
  const sendAndKeep: SendRequest = async (request) => {
    const exchange = await send(request)
    bodies.add(exchange)
    exchanges.push(outlineLargeBody(exchange, selectKept))
    if (mustBeProcessedInTurn(exchange)) await waitForTurn()
    return exchange
  }
  const reading = resource.readWith(sendAndKeep).then((read) => filter(resource, read))
  reading.catch(() => {}) // Prevents an unhandled rejection if nothing awaits the reading; callers that await it still see the rejection.
  return { resource, reading, exchanges, bodies }
}

/** Returns whether a reading is so large that such readings are processed one at a time. */
const isLarge = ({ bodies }: CachedReading): boolean => bodies.totalBytes >= MIN_BYTES_READ_ALONE

const isExchange = (reading: unknown): reading is Exchange =>
  typeof reading === 'object' && reading !== null && 'outcome' in reading && 'askedAt' in reading

/** Returns the part of a reading to compare: an exchange without its id, times and headers, which always differ. */
function contentOf(reading: unknown): unknown {
  if (Array.isArray(reading)) return reading.some(isExchange) ? reading.map(contentOf) : reading
  if (!isExchange(reading)) return reading
  const { outcome } = reading
  return outcome.kind === 'response' ? [outcome.status, outcome.body] : [outcome.status, outcome.fault]
}

const areEqualReadings = (resource: Resource<unknown>, one: unknown, other: unknown): boolean =>
  one === other || (resource.isSame ? resource.isSame(one, other) : isDeepStrictEqual(contentOf(one), contentOf(other)))

/** A placeholder for a reading that was dropped to save memory. If a check needs the reading, it is requested again. */
const EVICTED = Promise.resolve()

/** Changes each reading before a check gets it, e.g. removes names that changed during the run. */
type ReadingFilter = <T>(resource: Resource<T>, reading: T) => T | Promise<T>

interface ReaderOptions {
  readonly filter?: ReadingFilter | undefined
  /** The memory that the readings may take; unlimited if absent. */
  readonly memory?: CacheMemoryAccount
  readonly selectKept?: ElementSelectorLookup | undefined
}

/** The share of a body's memory that its reading is estimated to take. A reading consists mostly of the names. */
const NAMES_SHARE_OF_BODY = 0.5
/** The memory limit of the readings of a run. */
const CACHE_LIMIT_BYTES = 130 << 20

function createReader(
  send: SendRequest,
  options: ReaderOptions,
): Reader & { readonly entries: Map<string, CachedReading> } {
  const { memory } = options
  const entries = new Map<string, CachedReading>()
  const startAndKeep = (resource: Resource<unknown>): CachedReading => {
    const entry = startReading(resource, send, options)
    entries.set(resource.key, entry)
    if (memory)
      entry.reading.then(
        (reading) => keepInMemory(memory, entry, reading),
        () => {},
      )
    return entry
  }
  const keepInMemory = (account: CacheMemoryAccount, entry: CachedReading, reading: unknown) => {
    const { resource, bodies } = entry
    const shared = resource.sharedMemory?.(reading)
    const memoryHolders = shared ? [recordMemorySizeOnce(shared, bodies.totalBytes)] : bodies.all
    if (!account.tryAdd(memoryHolders, NAMES_SHARE_OF_BODY)) forget(entry)
    if (account.isUseless) for (const one of entries.values()) if (isLarge(one)) forget(one)
  }
  const forget = (entry: CachedReading) => {
    if (entries.get(entry.resource.key) === entry) entries.set(entry.resource.key, { ...entry, reading: EVICTED })
  }
  return {
    entries,
    read<T>(resource: Resource<T>) {
      const known = entries.get(resource.key)
      const entry = known && known.reading !== EVICTED ? known : startAndKeep(resource)
      const reading = entry.reading as Promise<T> // The key identifies the resource, so the reading has its type.
      return isLarge(entry) ? waitForTurn().then(() => reading) : reading
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

/** Creates a reader that requests each resource once and keeps its reading, unless memory gets scarce. */
export const createCachingReader = (send: SendRequest, selectKept?: ElementSelectorLookup): Reader =>
  createReader(send, { memory: new CacheMemoryAccount(CACHE_LIMIT_BYTES), selectKept })

/** Creates a function that reads resources and keeps nothing, for large lists that are needed once. */
export const createUncachedRead =
  (send: SendRequest): Read =>
  <T>(resource: Resource<T>) =>
    startReading(resource, send).reading as Promise<T> // The reading has the resource's type.

/**
 * A reader that shares no reading with the rest of the run, and can detect readings that change when they are repeated.
 */
export interface FreshReader extends Reader {
  /** Repeats all its readings concurrently, and resolves to the first resource whose reading changed. */
  findChangedResource(): Promise<Resource<unknown> | undefined>
}

/**
 * Creates a reader that shares no reading with the rest of the run, so that everything is requested once more.
 * @param send a function that sends every request, i.e. has no cache
 * @param filter changes each reading before it is returned
 */
export function createFreshReader(send: SendRequest, filter?: ReadingFilter): FreshReader {
  const reader = createReader(send, { filter })
  const repeatReading = async (entry: CachedReading) => {
    const again = startReading(entry.resource, send, { filter })
    const [before, after] = await Promise.all([entry.reading, again.reading])
    if (isLarge(again)) await waitForTurn()
    if (areEqualReadings(entry.resource, before, after)) return undefined
    entry.exchanges.push(...again.exchanges)
    return entry.resource
  }
  let isReversed = false
  return {
    ...reader,
    async findChangedResource() {
      // In the same order each time, two resources would always get their responses from the same one of two replicas.
      isReversed = !isReversed
      const entries = [...reader.entries.values()]
      const changed = await Promise.all((isReversed ? entries.reverse() : entries).map(repeatReading))
      return changed.find((resource) => resource !== undefined)
    },
  }
}

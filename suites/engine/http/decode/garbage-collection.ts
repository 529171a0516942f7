import { getHeapStatistics } from 'node:v8'
import { systemClock } from '../../clock.ts'
import { ResponseTooLarge } from './json-limits.ts'

const LARGE_BYTES = 12 << 20
const LEFT_BEHIND_BYTES = 128 << 20
/** The size of the heap below which no garbage is collected. */
const FREE_HEAP_BYTES = 200 << 20
/** The factor by which memory must grow after a collection before the next one. */
const MAX_GROWTH = 1.3
const MOST_HEAP_BYTES = 600 << 20
/**
 * Returns the heap limit for large responses if each differs from the others, so that several of them could be in
 * memory at once. The limit is lower for larger bodies, but always permits one.
 */
const mostHeapForMany = (bytes: number): number => Math.max(180 << 20, (260 << 20) - bytes)
/**
 * The number of bytes of distinct large values above which responses count as always different. Two lists of a million
 * elements need less.
 */
const MIN_BYTES_IF_DIFFERENT = 700 << 20
/**
 * The limit of memory in use, including garbage. The process itself takes 100 MB more, and parsing takes memory too.
 */
const MAX_MEMORY_BYTES = 320 << 20
const WORTH_COLLECTING_BYTES = 64 << 20

/**
 * The minimum interval between checks of the memory. A check takes 10 µs, and little memory is allocated in this time.
 */
const CHECK_INTERVAL_MS = 4

/** The size of the heap after the last collection. */
let heapAfterCollection = 0
let lastCheckAt = 0
/** The bytes of bodies that were released since the last collection. */
let releasedBytes = 0
/** The bytes of all distinct large values so far. */
let distinctBytes = 0

/**
 * Returns whether this process can collect garbage: Node.js was started with `--expose-gc`, as by the command, but not
 * in the library.
 */
const canCollect = (): boolean => 'gc' in globalThis

const collectNow = (options?: { readonly type: 'minor' }): void =>
  (globalThis as unknown as { gc: (options?: { readonly type: 'minor' }) => void }).gc(options)

function collect(): void {
  if (!canCollect()) return
  collectNow()
  heapAfterCollection = getHeapStatistics().used_heap_size
  releasedBytes = 0
}

/**
 * Collects garbage if there is too much: recent objects first, because that takes a hundredth of the time of a full
 * collection.
 */
function collectIf(isTooMuch: () => boolean): void {
  if (!canCollect() || !isTooMuch()) return
  collectNow({ type: 'minor' })
  if (isTooMuch()) collect()
}

/** Returns the bytes of the heap and of response bodies outside it. */
function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/**
 * Collects garbage after a large response was released. V8 itself would wait until it uses gigabytes. Memory must stay
 * small even if a deployment sends without end.
 */
export function collectGarbageAfterRelease(bytes: number): void {
  if (bytes < LARGE_BYTES) return
  releasedBytes += bytes
  // Collects only if there is as much garbage as memory in use, because a collection takes time in proportion to that.
  collectIf(() => {
    const { used_heap_size, external_memory } = getHeapStatistics()
    return releasedBytes >= Math.max(LEFT_BEHIND_BYTES, used_heap_size) && external_memory >= LEFT_BEHIND_BYTES
  })
}

/**
 * Refuses a value that does not fit, before it is created.
 * @param bytes the approximate memory of the value
 * @param isNew whether no equal value was created before
 * @throws {ResponseTooLarge} if too much memory is in use
 */
export function refuseIfMemoryFull(bytes: number, isNew: boolean): void {
  if (bytes < LARGE_BYTES || !canCollect()) return
  if (isNew) distinctBytes += bytes
  const most = distinctBytes > MIN_BYTES_IF_DIFFERENT ? mostHeapForMany(bytes) : MOST_HEAP_BYTES
  const isFull = () => getHeapStatistics().used_heap_size + bytes > most
  if (!isFull()) return
  collect()
  if (isFull()) throw new ResponseTooLarge('the body is too large to be held beside what was answered before')
}

/**
 * Collects garbage before a value is created.
 * @param bytes the approximate memory of the value
 */
export function collectGarbageBeforeValue(bytes: number): void {
  if (bytes < LARGE_BYTES) collectGarbageIfGrown()
  else collectGarbageBeforeAllocation(bytes)
}

/**
 * Collects garbage before a copy is made, if the copy would not fit otherwise.
 * @param bytes the approximate memory of the copy
 */
export function collectGarbageBeforeCopy(bytes: number): void {
  const garbage = getHeapStatistics().used_heap_size - heapAfterCollection + releasedBytes
  if (heldBytes() + bytes > MAX_MEMORY_BYTES && garbage > WORTH_COLLECTING_BYTES) collect()
}

/**
 * Collects garbage before a large allocation.
 * @param bytes the approximate memory to be allocated
 */
export function collectGarbageBeforeAllocation(bytes: number): void {
  if (bytes >= LARGE_BYTES) collectIf(() => heldBytes() + bytes > FREE_HEAP_BYTES)
}

/** Collects the garbage of many small values, if memory has grown. */
export function collectGarbageIfGrown(): void {
  // Uses the system clock, because memory belongs to the process and not to one run.
  if (!canCollect() || systemClock.now() - lastCheckAt < CHECK_INTERVAL_MS) return
  lastCheckAt = systemClock.now()
  collectIf(() => getHeapStatistics().used_heap_size >= Math.max(FREE_HEAP_BYTES, MAX_GROWTH * heapAfterCollection))
}

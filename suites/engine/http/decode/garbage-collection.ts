import { getHeapStatistics } from 'node:v8'
import { systemClock } from '../../clock.ts'
import { ResponseTooLarge } from './json-limits.ts'

/** Below this size, an allocation or a release is too small to collect garbage for it alone. */
const LARGE_BYTES = 12 << 20
/** The minimum size of released bodies, and of memory outside the heap, for which garbage is collected. */
const MIN_RELEASED_BYTES = 128 << 20
/** Garbage is not collected while the heap is smaller than this. */
const FREE_HEAP_BYTES = 200 << 20
/** Garbage is collected again when the heap has grown by this factor. */
const MAX_GROWTH = 1.3
/** The maximum size of the heap with a new large value, as long as large responses repeat. */
const MAX_HEAP_BYTES = 600 << 20
/**
 * Returns the maximum size of the heap, in bytes, with a new large value of `bytes`. It applies if all large responses
 * differ, because then several of them may be in memory at once. For a larger value it is lower, because parsing needs more
 * free memory.
 */
const maxHeapForManyBytes = (bytes: number): number => Math.max(180 << 20, (260 << 20) - bytes)
/**
 * If the different large values received so far exceed this total size, each further large response is expected to be a
 * new one as well. Two lists of a million elements do not exceed it.
 */
const MAX_DISTINCT_BYTES_IF_REPEATED = 700 << 20
/**
 * The maximum memory in use, including garbage. The process itself takes 100 MB more, and parsing takes further memory.
 */
const MAX_MEMORY_BYTES = 320 << 20
/** The minimum size of garbage that is worth a collection before data is copied. */
const WORTH_COLLECTING_BYTES = 64 << 20

/**
 * The minimum interval between checks of the memory. A check takes 10 µs, and in 4 ms little memory can be allocated.
 */
const CHECK_INTERVAL_MS = 4

let heapAfterCollection = 0
let lastCheckAt = 0
/** The total size of the bodies that were released since the last collection. */
let releasedBytes = 0
/** The total size of all different large values so far. */
let distinctBytes = 0

/**
 * Returns whether this process can start a garbage collection: only if Node.js runs with `--expose-gc`. The command
 * sets this option; in the library it is usually absent.
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
 * Collects garbage if there is too much. Tries recent objects first, because that takes a hundredth of the time of a
 * full collection.
 */
function collectIf(isTooMuch: () => boolean): void {
  if (!canCollect() || !isTooMuch()) return
  collectNow({ type: 'minor' })
  if (isTooMuch()) collect()
}

/** Returns the memory in bytes of the heap and of response bodies, which are outside the heap. */
function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/**
 * Collects garbage after a large response was released. V8 itself would wait until it uses gigabytes, but memory must
 * stay small even if a deployment sends endless responses.
 */
export function collectGarbageAfterRelease(bytes: number): void {
  if (bytes < LARGE_BYTES) return
  releasedBytes += bytes
  // A collection is worth its time only if there is at least as much garbage as memory in use.
  collectIf(() => {
    const { used_heap_size, external_memory } = getHeapStatistics()
    return releasedBytes >= Math.max(MIN_RELEASED_BYTES, used_heap_size) && external_memory >= MIN_RELEASED_BYTES
  })
}

/**
 * Refuses to create a value that does not fit into memory.
 * @param bytes the approximate memory of the value
 * @param isNew true if no equal value was created before
 * @throws {ResponseTooLarge} if too much memory is in use
 */
export function refuseIfMemoryFull(bytes: number, isNew: boolean): void {
  if (bytes < LARGE_BYTES || !canCollect()) return
  if (isNew) distinctBytes += bytes
  const maxHeapBytes = distinctBytes > MAX_DISTINCT_BYTES_IF_REPEATED ? maxHeapForManyBytes(bytes) : MAX_HEAP_BYTES
  const isFull = () => getHeapStatistics().used_heap_size + bytes > maxHeapBytes
  if (!isFull()) return
  collect()
  if (isFull())
    throw new ResponseTooLarge('there is not enough memory for this body in addition to the earlier responses')
}

/**
 * Collects garbage before data is copied, if the copy would not fit otherwise. Released bodies count as garbage, although
 * they are outside the heap.
 * @param bytes the approximate memory of the copy
 */
export function collectGarbageBeforeCopying(bytes: number): void {
  const garbage = getHeapStatistics().used_heap_size - heapAfterCollection + releasedBytes
  if (heldBytes() + bytes > MAX_MEMORY_BYTES && garbage > WORTH_COLLECTING_BYTES) collect()
}

/**
 * Collects garbage, if necessary, before much memory is allocated, e.g. before a large response is parsed.
 * Before small allocations, collects garbage if many of them have made the memory grow.
 * @param bytes the approximate memory to be allocated
 */
export function collectGarbageBeforeAllocation(bytes: number): void {
  if (bytes < LARGE_BYTES) collectGarbageIfGrown()
  else collectIf(() => heldBytes() + bytes > FREE_HEAP_BYTES)
}

/** Collects garbage if many small values have made the memory grow. */
export function collectGarbageIfGrown(): void {
  // The system clock is correct here even in a simulated run, because the memory belongs to the process.
  if (!canCollect() || systemClock.now() - lastCheckAt < CHECK_INTERVAL_MS) return
  lastCheckAt = systemClock.now()
  collectIf(() => getHeapStatistics().used_heap_size >= Math.max(FREE_HEAP_BYTES, MAX_GROWTH * heapAfterCollection))
}

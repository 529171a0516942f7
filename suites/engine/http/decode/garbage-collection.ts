import { getHeapStatistics } from 'node:v8'
import { systemClock } from '../../clock.ts'
import { TooMuch } from './json-limits.ts'

const LARGE_BYTES = 12 << 20
const LEFT_BEHIND_BYTES = 128 << 20
/** Below this size no garbage collection is considered. */
const FREE_HEAP_BYTES = 200 << 20
/** The growth since the last collection after which the next one runs. */
const MOST_GROWN = 1.3
const MOST_HEAP_BYTES = 600 << 20
/**
 * The heap limit if large responses keep differing, so that several would be held at once. Larger bodies leave less
 * room for the heap, but enough for one.
 */
const mostHeapForMany = (bytes: number): number => Math.max(180 << 20, (260 << 20) - bytes)
/** Two lists of a million elements with their parts need less. */
const MANY_BYTES = 700 << 20
/** The limit of memory in use, garbage included; the process itself takes 100 MB more, and parsing some. */
const MOST_HELD_BYTES = 320 << 20
const WORTH_COLLECTING_BYTES = 64 << 20

/** A check takes 10 µs, and little memory is allocated in this time. */
const LOOK_EVERY_MS = 4

/** Heap size after the last collection. */
let heldAfterLast = 0
let lookedAt = 0
/** Bytes of bodies released since then. */
let leftBehind = 0
/** Bytes of all distinct large values so far. */
let unlike = 0

/** True with `--expose-gc`, which the command sets and a library does not. */
const canCollect = (): boolean => 'gc' in globalThis

const collectNow = (options?: { readonly type: 'minor' }): void =>
  (globalThis as unknown as { gc: (options?: { readonly type: 'minor' }) => void }).gc(options)

function collect(): void {
  if (!canCollect()) return
  collectNow()
  heldAfterLast = getHeapStatistics().used_heap_size
  leftBehind = 0
}

/** Recent objects are mostly garbage, and collecting only these takes a hundredth of the time. */
function collectWhere(isTooMuch: () => boolean): void {
  if (!canCollect() || !isTooMuch()) return
  collectNow({ type: 'minor' })
  if (isTooMuch()) collect()
}

/** Heap and external memory of bodies, in bytes. */
function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/**
 * Collects garbage after large responses: V8 waits until it uses gigabytes, and this suite must stay small beside a
 * deployment that sends without end.
 */
export function collectGarbageAfter(bytes: number): void {
  if (bytes < LARGE_BYTES) return
  leftBehind += bytes
  // A collection takes time in proportion to the memory in use, so it runs after as much garbage.
  collectWhere(() => {
    const { used_heap_size, external_memory } = getHeapStatistics()
    return leftBehind >= Math.max(LEFT_BEHIND_BYTES, used_heap_size) && external_memory >= LEFT_BEHIND_BYTES
  })
}

/**
 * Refuses a value that does not fit, before it is created.
 * @param bytes the memory of the value, approximately
 * @param isNew whether no equal value was created before
 * @throws {TooMuch} if too much memory is in use
 */
export function refuseWhereFull(bytes: number, isNew: boolean): void {
  if (bytes < LARGE_BYTES || !canCollect()) return
  if (isNew) unlike += bytes
  const most = unlike > MANY_BYTES ? mostHeapForMany(bytes) : MOST_HEAP_BYTES
  const isFull = () => getHeapStatistics().used_heap_size + bytes > most
  if (!isFull()) return
  collect()
  if (isFull()) throw new TooMuch('the body is too large to be held beside what was answered before')
}

/**
 * Collects garbage before a value is created.
 * @param bytes the memory of the value, approximately
 */
export function makeRoomFor(bytes: number): void {
  if (bytes < LARGE_BYTES) collectGarbageWhereGrown()
  else collectGarbageBefore(bytes)
}

/**
 * Collects garbage before a copy is made that would not fit beside it.
 * @param bytes the memory of the copy, approximately
 */
export function collectGarbageUnlessRoomFor(bytes: number): void {
  const garbage = getHeapStatistics().used_heap_size - heldAfterLast + leftBehind
  if (heldBytes() + bytes > MOST_HELD_BYTES && garbage > WORTH_COLLECTING_BYTES) collect()
}

/** @param bytes the memory that is about to be allocated, approximately */
export function collectGarbageBefore(bytes: number): void {
  if (bytes >= LARGE_BYTES) collectWhere(() => heldBytes() + bytes > FREE_HEAP_BYTES)
}

/** Collects the garbage of many small values. */
export function collectGarbageWhereGrown(): void {
  // Memory belongs to the process and not to one run, so the system clock is used.
  if (!canCollect() || systemClock.now() - lookedAt < LOOK_EVERY_MS) return
  lookedAt = systemClock.now()
  collectWhere(() => getHeapStatistics().used_heap_size >= Math.max(FREE_HEAP_BYTES, MOST_GROWN * heldAfterLast))
}

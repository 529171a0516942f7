import { getHeapStatistics } from 'node:v8'
import { systemClock } from '../../clock.ts'
import { TooMuch } from './json-limits.ts'

const LARGE_BYTES = 12 << 20
const LEFT_BEHIND_BYTES = 128 << 20
/** So much may be held before anyone looks what of it is garbage. */
const FREE_HEAP_BYTES = 200 << 20
/** So many times what was held after the last look. */
const MOST_GROWN = 1.3
const MOST_HEAP_BYTES = 600 << 20
/**
 * The same where one large answer after the other is another: several that are looked at would be held at once. Beside
 * the heap stand the bodies, so that there is less room where they are larger, but enough for one.
 */
const mostHeapForMany = (bytes: number): number => Math.max(180 << 20, (260 << 20) - bytes)
/** Two lists of a million elements, and their parts, take less. */
const MANY_BYTES = 700 << 20
/** So much is held at once where some of it is garbage: a process takes 100 MB beside it, and more while it reads. */
const MOST_HELD_BYTES = 320 << 20
const WORTH_COLLECTING_BYTES = 64 << 20

/** To look takes 10 µs, and in so short a time little is made that is not large. */
const LOOK_EVERY_MS = 4

/** Of the heap, after the last look. */
let heldAfterLast = 0
let lookedAt = 0
/** Bytes of bodies since then. */
let leftBehind = 0
/** Bytes of all large values that were read, the same once. */
let unlike = 0

/** Set where the process may be told to collect its garbage (`--expose-gc`): the command does so, a library does not. */
const canCollect = (): boolean => 'gc' in globalThis

const collectNow = (options?: { readonly type: 'minor' }): void =>
  (globalThis as unknown as { gc: (options?: { readonly type: 'minor' }) => void }).gc(options)

function collect(): void {
  if (!canCollect()) return
  collectNow()
  heldAfterLast = getHeapStatistics().used_heap_size
  leftBehind = 0
}

/** What came last is mostly what is not held any more: to collect that alone takes a hundredth of the time. */
function collectWhere(isTooMuch: () => boolean): void {
  if (!canCollect() || !isTooMuch()) return
  collectNow({ type: 'minor' })
  if (isTooMuch()) collect()
}

/** What is held in the heap, and the bytes of bodies beside it. */
function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/**
 * Lets go of what large answers left behind: V8 sees no hurry while it may take gigabytes, and this suite promises to
 * stay small beside a deployment that sends without end.
 */
export function collectGarbageAfter(bytes: number): void {
  if (bytes < LARGE_BYTES) return
  leftBehind += bytes
  // To collect it takes as long as what is held is large: no more often than as much is left behind, and is still there.
  collectWhere(() => {
    const { used_heap_size, external_memory } = getHeapStatistics()
    return leftBehind >= Math.max(LEFT_BEHIND_BYTES, used_heap_size) && external_memory >= LEFT_BEHIND_BYTES
  })
}

/**
 * Refuses to hold more, before anything is made of a body.
 * @param bytes of memory that its value would take, more or less
 * @param isNew whether it was made never before
 * @throws {TooMuch} when too much is held already
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
 * Makes room for a value that is about to be made.
 * @param bytes of memory, more or less
 */
export function makeRoomFor(bytes: number): void {
  if (bytes < LARGE_BYTES) collectGarbageWhereGrown()
  else collectGarbageBefore(bytes)
}

/**
 * Makes room for what is about to be copied, where that would come to be too much beside garbage.
 * @param bytes of memory, more or less
 */
export function collectGarbageUnlessRoomFor(bytes: number): void {
  const garbage = getHeapStatistics().used_heap_size - heldAfterLast + leftBehind
  if (heldBytes() + bytes > MOST_HELD_BYTES && garbage > WORTH_COLLECTING_BYTES) collect()
}

/** @param bytes of memory that are about to be taken, more or less */
export function collectGarbageBefore(bytes: number): void {
  if (bytes >= LARGE_BYTES) collectWhere(() => heldBytes() + bytes > FREE_HEAP_BYTES)
}

/** Collects what many values that are not large have left behind together. */
export function collectGarbageWhereGrown(): void {
  // Memory is the process's, not a run's: so is the time.
  if (!canCollect() || systemClock.now() - lookedAt < LOOK_EVERY_MS) return
  lookedAt = systemClock.now()
  collectWhere(() => getHeapStatistics().used_heap_size >= Math.max(FREE_HEAP_BYTES, MOST_GROWN * heldAfterLast))
}

import { getHeapStatistics } from 'node:v8'
import { TooMuch } from './json-bounds.ts'

const LARGE_BYTES = 12 << 20
const LEFT_BEHIND_BYTES = 128 << 20
/** So much may be held before anyone looks what of it is garbage. */
const FREE_HEAP_BYTES = 200 << 20
/** So many times what was held after the last look. */
const MOST_GROWN = 1.3
const MOST_HEAP_BYTES = 600 << 20

/** Set where the process may be told to collect its garbage (`--expose-gc`): the command does so, a library does not. */
const collect = (): void => (globalThis as { gc?: () => void }).gc?.()

/** What is held in the heap, and the bytes of bodies beside it. */
function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

let leftBehind = 0

/**
 * Lets go of what large answers left behind: V8 sees no hurry while it may take gigabytes, and this suite promises to
 * stay small beside a deployment that sends without end.
 */
export function collectGarbageAfter(bytes: number): void {
  if (bytes < LARGE_BYTES) return
  leftBehind += bytes
  // To collect it takes as long as what is held is large: no more often than as much is left behind.
  if (leftBehind < Math.max(LEFT_BEHIND_BYTES, getHeapStatistics().used_heap_size)) return
  leftBehind = 0
  collect()
}

/**
 * Makes room for a value that is about to be made.
 * @param bytes of memory, more or less
 * @throws {TooMuch} when too much is held already
 */
export function makeRoomFor(bytes: number): void {
  if (bytes < LARGE_BYTES || !('gc' in globalThis)) return collectGarbageWhereGrown()
  if (heldBytes() + bytes > FREE_HEAP_BYTES) collect()
  if (getHeapStatistics().used_heap_size + bytes > MOST_HEAP_BYTES)
    throw new TooMuch('the body is too large to be held beside what was answered before')
}

let heldAfterLast = 0

/** Collects what many values that are not large have left behind together. */
export function collectGarbageWhereGrown(): void {
  if (!('gc' in globalThis)) return
  if (getHeapStatistics().used_heap_size < Math.max(FREE_HEAP_BYTES, MOST_GROWN * heldAfterLast)) return
  collect()
  heldAfterLast = getHeapStatistics().used_heap_size
}

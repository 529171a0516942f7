import { getHeapStatistics } from 'node:v8'
import { TooMuch } from './json-bounds.ts'

const LARGE_BYTES = 12 << 20
const MOST_GROWN_BYTES = 64 << 20
const MOST_HEAP_BYTES = 600 << 20

/** Set where the process may be told to collect its garbage (`--expose-gc`): the command does so, a library does not. */
const collect = (): void => (globalThis as { gc?: () => void }).gc?.()

/**
 * Lets go of what a large answer left behind, at once: V8 sees no hurry while it may take gigabytes, and this suite
 * promises to stay small beside a deployment that sends without end.
 */
export function collectGarbageAfter(bytes: number): void {
  if (bytes >= LARGE_BYTES) collect()
}

/**
 * Makes room for a value that is about to be made.
 * @param bytes of memory, more or less
 * @throws {TooMuch} when too much is held already
 */
export function makeRoomFor(bytes: number): void {
  if (bytes < LARGE_BYTES || !('gc' in globalThis)) return collectGarbageWhereGrown()
  collect()
  if (getHeapStatistics().used_heap_size + bytes > MOST_HEAP_BYTES)
    throw new TooMuch('the body is too large to be held beside what was answered before')
}

let heldAfterLast = 0

/** Collects what many values that are not large have left behind together. */
export function collectGarbageWhereGrown(): void {
  if (!('gc' in globalThis) || getHeapStatistics().used_heap_size < heldAfterLast + MOST_GROWN_BYTES) return
  collect()
  heldAfterLast = getHeapStatistics().used_heap_size
}

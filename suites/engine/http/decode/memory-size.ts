import type { JsonMeasure } from './json-limits.ts'

/**
 * The approximate memory in V8 of an object or array, of a slot in it, and of a string without its characters, in
 * bytes.
 */
const [CONTAINER_BYTES, VALUE_BYTES, STRING_BYTES] = [48, 8, 32]

/** Returns the approximate memory of a parsed JSON text, in bytes. Counts only what dominates in lists of strings. */
export const parsedMemorySizeOf = (bytes: Buffer, { containers, values }: JsonMeasure): number =>
  bytes.length + Math.max(containers * CONTAINER_BYTES + values * VALUE_BYTES, (values - containers) * STRING_BYTES)

const weights = new WeakMap<object, number>()

/** The size from which a body is processed alone, so that interrupting the run does not take long. */
export const MIN_BYTES_READ_ALONE = 4 << 20

/** The size from which only one body is in memory at a time, if each response may be different. */
export const MIN_BYTES_HELD_ALONE = 64 << 20

/** Records the memory size of an object for the object's lifetime. */
export function recordMemorySize<T extends object>(object: T, memory: number): T {
  weights.set(object, memory)
  return object
}

/** Records the memory size of an object that may already have one. */
export const recordMemorySizeOnce = <T extends object>(object: T, memory: number): T =>
  weights.has(object) ? object : recordMemorySize(object, memory)

export const memorySizeOf = (object: object): number => weights.get(object) ?? 0

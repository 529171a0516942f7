import type { JsonMeasure } from './json-limits.ts'

/**
 * The approximate memory in bytes that V8 needs for an object or array, for one value in it, and for a string without
 * its characters.
 */
const [CONTAINER_BYTES, VALUE_BYTES, STRING_BYTES] = [48, 8, 32]

/**
 * Returns the approximate memory in bytes of a parsed JSON text. It counts only what takes most memory in lists of
 * strings.
 */
export const parsedMemorySizeOf = (bytes: Buffer, { containers, values }: JsonMeasure): number =>
  bytes.length + Math.max(containers * CONTAINER_BYTES + values * VALUE_BYTES, (values - containers) * STRING_BYTES)

const sizes = new WeakMap<object, number>()

/** From this size in bytes, bodies are processed one at a time. Otherwise it could take long to interrupt the run. */
export const MIN_BYTES_READ_ALONE = 4 << 20

/** From this size, a body is cached only if an equal one was received before. */
export const MIN_BYTES_CACHED_IF_REPEATED = 64 << 20

/** Records the memory size of an object as long as the object exists. */
export function recordMemorySize<T extends object>(object: T, memory: number): T {
  sizes.set(object, memory)
  return object
}

/** Records the memory size of an object unless it is recorded already. */
export const recordMemorySizeOnce = <T extends object>(object: T, memory: number): T =>
  sizes.has(object) ? object : recordMemorySize(object, memory)

/** Returns the recorded memory size of an object in bytes; 0 if none is recorded. */
export const memorySizeOf = (object: object): number => sizes.get(object) ?? 0

import type { Measure } from './json-limits.ts'

/** Approximate memory of V8 in bytes: an object or array, a slot in it, and a string without its characters. */
const [CONTAINER_BYTES, VALUE_BYTES, STRING_BYTES] = [48, 8, 32]

/** The approximate memory of a parsed JSON text in bytes; in lists of strings these parts dominate. */
export const memoryOf = (bytes: Buffer, { containers, values }: Measure): number =>
  bytes.length + Math.max(containers * CONTAINER_BYTES + values * VALUE_BYTES, (values - containers) * STRING_BYTES)

const weights = new WeakMap<object, number>()

/** The size from which only one body is processed at a time, so that an interrupted run ends quickly. */
export const READ_ALONE_BYTES = 4 << 20

/** The size from which not even two bodies are held at once if each may be different. */
export const HELD_ALONE_BYTES = 64 << 20

/** Records the memory size of an object as long as it exists. */
export function weighed<T extends object>(thing: T, memory: number): T {
  weights.set(thing, memory)
  return thing
}

/** The same for an object that may have a recorded size already. */
export const weighedOnce = <T extends object>(thing: T, memory: number): T =>
  weights.has(thing) ? thing : weighed(thing, memory)

export const weight = (thing: object): number => weights.get(thing) ?? 0

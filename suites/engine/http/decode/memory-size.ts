import type { Measure } from './json-limits.ts'

/** Of memory, about what V8 takes for an object or an array, for a place in one, and for a string beside its letters. */
const [CONTAINER_BYTES, VALUE_BYTES, STRING_BYTES] = [48, 8, 32]

/** How much memory a JSON text takes when it is read, in bytes, more or less: in lists of strings these are most of it. */
export const memoryOf = (bytes: Buffer, { containers, values }: Measure): number =>
  bytes.length + Math.max(containers * CONTAINER_BYTES + values * VALUE_BYTES, (values - containers) * STRING_BYTES)

const weights = new WeakMap<object, number>()

/** What takes longer to go through than anyone should wait who wants to end the run: it is read one at a time. */
export const READ_ALONE_BYTES = 4 << 20

/** Of what is so large not even two are held at once where each answer may be another. */
export const HELD_ALONE_BYTES = 64 << 20

/** Remembers how much memory something takes, for as long as somebody holds it. */
export function weighed<T extends object>(thing: T, memory: number): T {
  weights.set(thing, memory)
  return thing
}

/** The same for what may have come before, with another weight. */
export const weighedOnce = <T extends object>(thing: T, memory: number): T =>
  weights.has(thing) ? thing : weighed(thing, memory)

export const weight = (thing: object): number => weights.get(thing) ?? 0

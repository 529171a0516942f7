import { processSalt } from '../../engine/entropy.ts'

/**
 * The index of each name in a list; of a repeated name, its last index. Iterates in the order in which the names first
 * occur.
 */
export interface NameIndex {
  /** The number of different names. */
  readonly size: number
  get(name: string): number | undefined
  has(name: string): boolean
  keys(): Iterable<string>
}

/**
 * Hashes a name with FNV-1a, and combines the high bits with the low ones. A better hash would have fewer collisions,
 * but make the table a quarter slower.
 */
function hash(name: string): number {
  let bits = 0x811c9dc5 ^ processSalt
  for (let at = 0; at < name.length; at++) bits = Math.imul(bits ^ name.charCodeAt(at), 0x01000193)
  return bits ^ (bits >>> 15)
}

const BYTES_PER_SLOT = 4

/** Returns the size of the hash table for a number of names, in bytes. */
export const nameTableSizeInBytes = (names: number): number => BYTES_PER_SLOT * slotCountFor(names)

/** Returns the number of slots: a power of two, of which at least half stay free. */
const slotCountFor = (names: number): number => 2 ** Math.ceil(Math.log2(2 * names + 2))

/** The content of a free slot. A used slot contains the index of a name plus 1. */
const FREE_SLOT = 0

/** Finds the slot of a name, or the free slot into which the name belongs. */
function findSlot(name: string, names: readonly string[], slots: Int32Array): number {
  const last = slots.length - 1
  for (let slot = hash(name) & last; ; slot = (slot + 1) & last) {
    const nth = slots[slot] ?? FREE_SLOT
    if (nth === FREE_SLOT || names[nth - 1] === name) return slot
  }
}

/**
 * A hash table of indexes into the list, with open addressing. For a million names it needs 8 MB. A Map needs 60 MB and
 * takes three times as long to create.
 */
class NameTable implements NameIndex {
  readonly size: number
  private readonly names: readonly string[]
  private readonly slots: Int32Array

  constructor(names: readonly string[], slots: Int32Array) {
    this.size = names.length
    this.names = names
    this.slots = slots
  }

  get(name: string): number | undefined {
    const nth = this.slots[findSlot(name, this.names, this.slots)] ?? FREE_SLOT
    return nth === FREE_SLOT ? undefined : nth - 1
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  keys(): Iterable<string> {
    return this.names
  }
}

/** @returns undefined if a name occurs twice */
export function createNameTable(names: readonly string[]): NameIndex | undefined {
  const slots = new Int32Array(slotCountFor(names.length))
  for (let place = 0; place < names.length; place++) {
    const slot = findSlot(names[place] ?? '', names, slots)
    if (slots[slot] !== FREE_SLOT) return undefined
    slots[slot] = place + 1
  }
  return new NameTable(names, slots)
}

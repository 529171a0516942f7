/** More than this client takes; the deployment is neither failed for it nor judged by it. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

/**
 * What a JSON text may hold: a list of a million elements, of four values each, and not much more. Reading is one
 * synchronous call; within these bounds it takes a second or two, and some 200 MB, whatever is read.
 */
const MOST = {
  values: 6_000_000,
  containers: 2_500_000,
  elementsOfArray: 1_250_000,
  keysOfObject: 200_000,
  firstKeys: 200_000,
  depth: 10_000,
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** How much a JSON text holds. */
export interface Measure {
  readonly values: number
  readonly containers: number
  /** Bytes of the longest string. */
  readonly longest: number
}

/** Where the string that begins here ends. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at
  }
  return bytes.length
}

/** FNV-1a; two keys that share a hash are counted once. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash
}

/** Much is counted in parts: what is called again is compiled well, and what goes on in one call is for long not. */
const PART_BYTES = 1 << 16

/**
 * Counts what a JSON text holds, before anything is made of it.
 * @param bytes well-formed or not
 * @throws {TooMuch} when reading it would take more time or memory than a list of names is worth
 */
export function measureJson(bytes: Buffer): Measure {
  const count = new Count()
  for (let at = 0; at < bytes.length; ) at = count.part(bytes, at, Math.min(bytes.length, at + PART_BYTES))
  return count.measure
}

class Count {
  private values = 1
  private containers = 0
  private longest = 0
  private isFirst = false
  private readonly members: number[] = [ARRAY]
  /** An object that begins as none did before is of a shape of its own: a million of these take several times as long. */
  private readonly firstKeys = new Set<number>()

  get measure(): Measure {
    const { values, containers, longest } = this
    return { values, containers, longest }
  }

  /** @returns where the next part begins: no string is counted in two */
  part(bytes: Buffer, from: number, to: number): number {
    let at = from
    for (; at < to; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) at = this.string(bytes, at)
      else if (byte === COMMA) this.next()
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.open(byte)
      else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && this.members.length > 1) this.members.pop()
    }
    return at
  }

  private string(bytes: Buffer, start: number): number {
    const end = endOfString(bytes, start)
    this.longest = Math.max(this.longest, end - start - 1)
    if (this.isFirst && this.firstKeys.add(hashOf(bytes, start, end)).size > MOST.firstKeys)
      refuse('objects that begin with another key each', MOST.firstKeys)
    this.isFirst = false
    return end
  }

  private next(): void {
    const last = this.members.length - 1
    const count = (this.members[last] ?? 0) + 1
    this.members[last] = count
    if (count > MOST.keysOfObject) refuse('keys of one object', MOST.keysOfObject)
    if (count < 0 && count - ARRAY >= MOST.elementsOfArray) refuse('elements of one array', MOST.elementsOfArray)
    if (++this.values > MOST.values) refuse('values', MOST.values)
  }

  private open(byte: number): void {
    this.values++
    if (++this.containers > MOST.containers) refuse('arrays and objects', MOST.containers)
    if (this.members.push(byte === OPEN_OBJECT ? 0 : ARRAY) > MOST.depth)
      refuse('arrays and objects one in the other', MOST.depth)
    this.isFirst = byte === OPEN_OBJECT
  }
}

/** Members of arrays are counted from so far below 0 that they never come to be too many. */
const ARRAY = -(2 ** 31)

function refuse(what: string, most: number): never {
  throw new TooMuch(`the body holds more than ${most.toLocaleString('en-US')} ${what}`)
}

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

/**
 * Counts what a JSON text holds, before anything is made of it.
 * @param bytes well-formed or not
 * @throws {TooMuch} when reading it would take more time or memory than a list of names is worth
 */
export function measureJson(bytes: Buffer): Measure {
  const members: number[] = [ARRAY]
  // An object that begins as none did before is of a shape of its own: a million of these take several times as long.
  const firstKeys = new Set<number>()
  let [values, containers, longest, isFirst] = [1, 0, 0, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = endOfString(bytes, at)
      longest = Math.max(longest, end - at - 1)
      if (isFirst && firstKeys.add(hashOf(bytes, at, end)).size > MOST.firstKeys)
        refuse('objects that begin with another key each', MOST.firstKeys)
      isFirst = false
      at = end
    } else if (byte === COMMA) {
      values++
      const last = members.length - 1
      const count = (members[last] ?? 0) + 1
      members[last] = count
      if (count > MOST.keysOfObject) refuse('keys of one object', MOST.keysOfObject)
      if (count < 0 && count - ARRAY >= MOST.elementsOfArray) refuse('elements of one array', MOST.elementsOfArray)
      if (values > MOST.values) refuse('values', MOST.values)
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++
      if (++containers > MOST.containers) refuse('arrays and objects', MOST.containers)
      if (members.push(byte === OPEN_OBJECT ? 0 : ARRAY) > MOST.depth)
        refuse('arrays and objects one in the other', MOST.depth)
      isFirst = byte === OPEN_OBJECT
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      if (members.length > 1) members.pop()
    }
  }
  return { values, containers, longest }
}

/** Members of arrays are counted from so far below 0 that they never come to be too many. */
const ARRAY = -(2 ** 31)

function refuse(what: string, most: number): never {
  throw new TooMuch(`the body holds more than ${most.toLocaleString('en-US')} ${what}`)
}

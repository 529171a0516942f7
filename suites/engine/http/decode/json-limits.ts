/** Thrown if a response exceeds the limits of this client. That is not a violation. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge'
}

/**
 * The maximum number of each kind of part in a JSON text. These limits permit a list of a million elements with four
 * values each, and little more. Parsing is one synchronous call, which takes up to two seconds and 200 MB within these
 * limits.
 */
const JSON_LIMITS = {
  values: 6_000_000,
  containers: 2_500_000,
  elementsOfArray: 1_250_000,
  keysOfObject: 200_000,
  /** The maximum number of different first keys of objects. */
  firstKeys: 200_000,
  depth: 10_000,
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The numbers of values, and of containers (arrays and objects), in a JSON text. */
export interface JsonMeasure {
  readonly values: number
  readonly containers: number
  /** The length of the longest string in the text, in bytes. */
  readonly longest: number
}

/** Returns the position of the closing quote of the string that begins at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at
  }
  return bytes.length
}

/** Hashes bytes with FNV-1a. Different keys may have the same hash, and then count once. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash
}

/**
 * The size of the parts in which a text is scanned. V8 optimises a function better if it is called often than if it
 * runs long.
 */
const PART_BYTES = 1 << 16

/**
 * Counts the values of a JSON text before it is parsed.
 * @param bytes the text, even if it is not valid JSON
 * @throws {ResponseTooLarge} if parsing would take more time or memory than a list of names should
 */
export function measureJson(bytes: Buffer): JsonMeasure {
  const counter = new JsonCounter()
  for (let at = 0; at < bytes.length; ) at = counter.countPart(bytes, at, Math.min(bytes.length, at + PART_BYTES))
  return counter.measure
}

/** Counts the parts of a JSON text. Its methods throw `ResponseTooLarge` if there are too many. */
class JsonCounter {
  private values = 1
  private containers = 0
  private longest = 0
  /** True if the next string is the first key of an object. */
  private isFirstKeyNext = false
  /** For each open container, the number of commas in it so far; for an array, in addition to `ARRAY`. */
  private readonly commaCounts: number[] = [ARRAY]
  /**
   * The hashes of the first keys of all objects. For each different first key, V8 creates a hidden class, so a million
   * of them take several times as long to parse.
   */
  private readonly firstKeys = new Set<number>()

  get measure(): JsonMeasure {
    const { values, containers, longest } = this
    return { values, containers, longest }
  }

  /**
   * Counts the values in one part of the text.
   * @returns the start of the next part, which is never within a string
   */
  countPart(bytes: Buffer, from: number, to: number): number {
    let at = from
    for (; at < to; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) at = this.countString(bytes, at)
      else if (byte === COMMA) this.countComma()
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.countOpening(byte)
      else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && this.commaCounts.length > 1) this.commaCounts.pop()
    }
    return at
  }

  private countString(bytes: Buffer, start: number): number {
    const end = endOfString(bytes, start)
    this.longest = Math.max(this.longest, end - start - 1)
    if (this.isFirstKeyNext && this.firstKeys.add(hashOf(bytes, start, end)).size > JSON_LIMITS.firstKeys)
      refuse('objects with different first keys', JSON_LIMITS.firstKeys)
    this.isFirstKeyNext = false
    return end
  }

  private countComma(): void {
    const last = this.commaCounts.length - 1
    const count = (this.commaCounts[last] ?? 0) + 1
    this.commaCounts[last] = count
    if (count > JSON_LIMITS.keysOfObject) refuse('keys of one object', JSON_LIMITS.keysOfObject)
    if (count < 0 && count - ARRAY >= JSON_LIMITS.elementsOfArray)
      refuse('elements of one array', JSON_LIMITS.elementsOfArray)
    if (++this.values > JSON_LIMITS.values) refuse('values', JSON_LIMITS.values)
  }

  private countOpening(byte: number): void {
    this.values++
    if (++this.containers > JSON_LIMITS.containers) refuse('arrays and objects', JSON_LIMITS.containers)
    if (this.commaCounts.push(byte === OPEN_OBJECT ? 0 : ARRAY) > JSON_LIMITS.depth)
      refuse('levels of nested arrays and objects', JSON_LIMITS.depth)
    this.isFirstKeyNext = byte === OPEN_OBJECT
  }
}

/**
 * The start value of the count of an array. It is so low that the count never reaches the limit `keysOfObject`, which
 * applies only to objects.
 */
const ARRAY = -(2 ** 31)

function refuse(exceeded: string, limit: number): never {
  throw new ResponseTooLarge(`the body contains more than ${limit.toLocaleString('en-US')} ${exceeded}`)
}

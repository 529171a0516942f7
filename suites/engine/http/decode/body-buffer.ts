/** The factor by which the buffer grows. Growing copies all bytes that have arrived. */
const GROWTH_FACTOR = 2
/**
 * The number of bytes that must have arrived before memory for the announced length is reserved. `Content-Length` may
 * be wrong.
 */
const MIN_BYTES_TO_RESERVE = 1 << 20

/** Collects the chunks of a body in one buffer, because each separate chunk takes more memory than its content. */
export class BodyBuffer {
  length = 0
  private readonly expected: number
  private buffer: Buffer = Buffer.alloc(0)

  /** @param expected the announced number of bytes; 0 if unknown */
  constructor(expected = 0) {
    this.expected = expected
  }

  push(chunk: Buffer): void {
    const length = this.length + chunk.length
    // The first chunk is kept as it is, because most bodies arrive in one chunk.
    if (this.length === 0) this.buffer = chunk
    else {
      if (length > this.buffer.length) this.grow(length)
      chunk.copy(this.buffer, this.length)
    }
    this.length = length
  }

  private grow(length: number): void {
    const reserved = length < MIN_BYTES_TO_RESERVE ? 0 : this.expected
    const larger = Buffer.allocUnsafeSlow(reserved >= length ? reserved : GROWTH_FACTOR * length)
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }

  /** @param maxBytes the maximum number of bytes to return, from the start of the body */
  bytes(maxBytes = this.length): Buffer {
    return this.buffer.subarray(0, Math.min(maxBytes, this.length))
  }

  clear(): void {
    this.buffer = Buffer.alloc(0)
  }
}

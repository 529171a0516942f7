import { createHash } from 'node:crypto'

const BLOCK_BYTES = 1 << 16
const LARGE_BYTES = BLOCK_BYTES >> 2
/**
 * The number of bytes that must have arrived before memory for the whole body is reserved. The length of the body is
 * known only from `Content-Length`, which may be wrong.
 */
const MIN_BYTES_TO_RESERVE = 1 << 20
/**
 * The factor by which the buffer grows. It is large, because growing copies all bytes, while reserved memory costs
 * nothing until it is used.
 */
const GROWTH_FACTOR = 4
/**
 * The maximum size of a buffer that is kept for the next large body. Reusing it is faster than writing to new memory.
 */
const MAX_SPARE_BYTES = 1 << 26
let spare: Buffer<ArrayBuffer> | undefined

function takeSpareBuffer(bytes: number): Buffer<ArrayBuffer> {
  if (!spare || spare.length < bytes) return Buffer.allocUnsafeSlow(bytes)
  const reused = spare
  spare = undefined
  return reused
}

function keepAsSpare(room: Buffer<ArrayBuffer>): void {
  if (room.length <= MAX_SPARE_BYTES && room.length > (spare?.length ?? 0)) spare = room
}

/**
 * Collects the chunks of a body. Small chunks are copied into one buffer, because each separate chunk takes more memory
 * than its content. The chunks of large bodies are joined as they arrive: joining them at the end, as
 * node:stream/consumers does, would need the memory twice.
 */
export class BodyBuffer {
  length = 0
  private readonly expected: number
  private readonly blocks: Buffer[] = []
  private block = Buffer.alloc(0)
  private used = 0
  private largeBuffer: Buffer<ArrayBuffer> | undefined

  /** @param expected the announced number of bytes; 0 if unknown */
  constructor(expected = 0) {
    this.expected = expected
  }

  push(piece: Buffer): void {
    const isFirst = this.length === 0
    if (this.length + piece.length >= MIN_BYTES_TO_RESERVE) this.makeRoomFor(piece.length)
    this.length += piece.length
    // The first chunk is kept as it is, because most bodies arrive in one chunk.
    const fits = this.used + piece.length <= this.block.length
    if (fits || (!isFirst && piece.length < LARGE_BYTES)) this.copy(piece)
    else {
      this.endBlock()
      this.blocks.push(piece)
    }
  }

  /** @param maxBytes the maximum number of bytes to return, from the start of the body */
  toBuffer(maxBytes = this.length): Buffer {
    this.endBlock()
    const [first] = this.blocks
    if (first && this.blocks.length === 1) return first.subarray(0, maxBytes)
    return Buffer.concat(this.blocks, Math.min(maxBytes, this.length))
  }

  hash(): string {
    this.endBlock()
    const hash = createHash('sha256')
    for (const block of this.blocks) hash.update(block)
    return hash.digest('base64')
  }

  /**
   * Passes all bytes to a function, and then releases them.
   * @param use must not keep the bytes: the next body overwrites them
   */
  take<T>(use: (bytes: Buffer) => T): T {
    try {
      return use(this.toBuffer())
    } finally {
      this.clear()
    }
  }

  clear(): void {
    this.blocks.length = 0
    this.block = Buffer.alloc(0)
    this.used = 0
    if (this.largeBuffer) keepAsSpare(this.largeBuffer)
    this.largeBuffer = undefined
  }

  private makeRoomFor(bytes: number): void {
    if (this.used + bytes <= this.block.length) return
    const room = takeSpareBuffer(Math.max(this.expected, GROWTH_FACTOR * (this.length + bytes)))
    this.used = this.toBuffer().copy(room)
    this.blocks.length = 0
    this.block = this.largeBuffer = room
  }

  private copy(piece: Buffer): void {
    if (this.used + piece.length > this.block.length) {
      this.endBlock()
      this.block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    }
    this.used += piece.copy(this.block, this.used)
  }

  private endBlock(): void {
    if (this.used > 0) this.blocks.push(this.block.subarray(0, this.used))
    this.block = this.block.subarray(this.used)
    this.used = 0
  }
}

import { createHash } from 'node:crypto'

const BLOCK_BYTES = 1 << 16
const LARGE_BYTES = BLOCK_BYTES >> 2
/** Only who has sent so much is believed that more is to come. */
const ENOUGH_BYTES = 1 << 20
/** Room costs nothing before it is written to; to grow it, what is there is copied. */
const GROWTH = 4

/**
 * Bytes that come in pieces. Small ones are copied together: a piece by itself costs more than what it holds, and
 * keeps the whole of what it was read into. What is large is put together as it comes, so that it is not held twice
 * when it is all there. By hand, because node:stream/consumers keeps every piece as it came.
 */
export class BodyBuffer {
  length = 0
  private readonly expected: number
  private readonly blocks: Buffer[] = []
  private block = Buffer.alloc(0)
  private used = 0

  /** @param expected how many bytes are said to come, 0 where nobody says */
  constructor(expected = 0) {
    this.expected = expected
  }

  push(piece: Buffer): void {
    const isFirst = this.length === 0
    if (this.length + piece.length >= ENOUGH_BYTES) this.makeRoomFor(piece.length)
    this.length += piece.length
    // Most answers come in one piece.
    const fits = this.used + piece.length <= this.block.length
    if (fits || (!isFirst && piece.length < LARGE_BYTES)) this.copy(piece)
    else {
      this.endBlock()
      this.blocks.push(piece)
    }
  }

  /** @param most bytes from the start; all where nothing is said */
  toBuffer(most = this.length): Buffer {
    this.endBlock()
    const [first] = this.blocks
    if (first && this.blocks.length === 1) return first.subarray(0, most)
    return Buffer.concat(this.blocks, Math.min(most, this.length))
  }

  /** Of all bytes; nothing is copied together for it. */
  hash(): string {
    this.endBlock()
    const hash = createHash('sha256')
    for (const block of this.blocks) hash.update(block)
    return hash.digest('base64')
  }

  /** All bytes, which are held no longer: large bodies are not held twice. */
  take(): Buffer {
    const bytes = this.toBuffer()
    this.clear()
    return bytes
  }

  clear(): void {
    this.blocks.length = 0
    this.block = Buffer.alloc(0)
    this.used = 0
  }

  /** Puts what came so far at the beginning of room for more. */
  private makeRoomFor(bytes: number): void {
    if (this.used + bytes <= this.block.length) return
    const soFar = this.toBuffer()
    this.blocks.length = 0
    this.block = Buffer.allocUnsafeSlow(Math.max(this.expected, GROWTH * (this.length + bytes)))
    this.used = soFar.copy(this.block)
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

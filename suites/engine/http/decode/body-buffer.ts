import { createHash } from 'node:crypto'

const BLOCK_BYTES = 1 << 16
const LARGE_BYTES = BLOCK_BYTES >> 2
/** Only who has sent so much is believed that more is to come. */
const ENOUGH_BYTES = 1 << 20
/** Room costs nothing before it is written to; to grow it, what is there is copied. */
const GROWTH = 4
/** To touch fresh memory takes longer than to copy into it: the room of one large body serves the next. */
const MOST_SPARE_BYTES = 1 << 26
let spare: Buffer<ArrayBuffer> | undefined

function roomOf(bytes: number): Buffer<ArrayBuffer> {
  if (!spare || spare.length < bytes) return Buffer.allocUnsafeSlow(bytes)
  const room = spare
  spare = undefined
  return room
}

function giveBack(room: Buffer<ArrayBuffer>): void {
  if (room.length <= MOST_SPARE_BYTES && room.length > (spare?.length ?? 0)) spare = room
}

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
  private room: Buffer<ArrayBuffer> | undefined

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

  /**
   * What is made of all bytes, which are held no longer then: large bodies are not held twice.
   * @param use may not hold them either: what comes next is written over them
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
    if (this.room) giveBack(this.room)
    this.room = undefined
  }

  /** Puts what came so far at the beginning of room for more. */
  private makeRoomFor(bytes: number): void {
    if (this.used + bytes <= this.block.length) return
    const room = roomOf(Math.max(this.expected, GROWTH * (this.length + bytes)))
    this.used = this.toBuffer().copy(room)
    this.blocks.length = 0
    this.block = this.room = room
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

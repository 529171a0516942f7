/** The maximum size of a decoded body whose bytes are kept. A list of about 10,000 objects fits. */
const MAX_BODY_BYTES = 1 << 20
/**
 * The maximum size of all kept bytes. With less, findings in long lists show only the start of the list, because other
 * responses arrive before a violation is confirmed. With more, the run takes more memory.
 */
const MAX_KEPT_BYTES = 8 << 20

/** The bodies whose bytes are kept. The one that was received last is last. */
const latestBodies = new Set<KeptBody>()
let keptBytes = 0

export type ContentDecoder = (bytes: Buffer) => Buffer

/** Returns whether a body is worth keeping: its excerpt is only a part of it, and it is not too large. */
export const isWorthKeeping = (decodedBytes: number, excerptBytes: number): boolean =>
  decodedBytes > excerptBytes && decodedBytes <= MAX_BODY_BYTES

/**
 * The bytes of a body as received, which are kept until newer bodies need their memory. A finding can thus show the part
 * of a long body that it is about.
 */
export class KeptBody {
  private bytes: Buffer | undefined
  private readonly decode: ContentDecoder

  /** @param decode decodes the content codings of the body, e.g. gzip */
  constructor(decode: ContentDecoder) {
    this.decode = decode
  }

  /** Keeps a copy of the bytes. If they are kept already, only marks them as the latest. */
  keep(received: Buffer): void {
    if (!latestBodies.delete(this)) {
      this.bytes = Buffer.from(received)
      keptBytes += received.length
    }
    latestBodies.add(this)
    for (const oldest of latestBodies) {
      if (keptBytes <= MAX_KEPT_BYTES) return
      oldest.drop()
    }
  }

  /** The body as text; undefined if its bytes are no longer kept. */
  get text(): string | undefined {
    return this.bytes && this.decode(this.bytes).toString('utf8')
  }

  private drop(): void {
    latestBodies.delete(this)
    keptBytes -= this.bytes?.length ?? 0
    this.bytes = undefined
  }
}

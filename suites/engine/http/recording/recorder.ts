import { createHash } from 'node:crypto'
import { maskHeaderField } from '../client/exchange.ts'
import type { Network, ProtocolObserver, ResponseReceiver, WireRequest } from '../client/network.ts'
import { observeProtocols } from '../client/undici-network.ts'
import { createFaultFromError } from '../decode/fault.ts'
import { contentCodingsOf, type HeaderEntry } from '../decode/response.ts'
import type { Runtime } from '../runtime.ts'
import { type RecordedExchange, type RecordedTraffic, sortedHeaderNames } from './recording.ts'
import { bytesOfStoredBody, type StoredBody, storeBody } from './stored-body.ts'

interface TrafficRecorderOptions {
  readonly runtime: Runtime
  readonly baseUrl: string
  /** Returns a function that masks all secrets known so far; undefined if there are none. */
  readonly currentMask: () => ((text: string) => string) | undefined
  /**
   * Stores a body in the recording.
   * @returns false if there is no room for it
   */
  readonly keepBody: (key: string, body: StoredBody) => boolean
}

/**
 * The maximum size of a recorded body. Without it, recording a list of a million elements would need a second copy of
 * the list in memory.
 */
const MAX_BODY_BYTES = 16 << 20

/** The parts of a recorded exchange that are known while its request is in flight. */
type ExchangeDraft = { -readonly [K in keyof RecordedExchange]?: RecordedExchange[K] } & Pick<
  RecordedExchange,
  'method' | 'target' | 'headers' | 'sentAt'
>

/** The parts of a response that have arrived. */
interface ReceivedParts {
  fields: readonly HeaderEntry[]
  chunks: Buffer[]
  bytes: number
}

/** Records all requests and responses of a run. */
export class TrafficRecorder {
  /** The runtime that the run must use, because its traffic is recorded. */
  readonly runtime: Runtime
  /** The number of bodies that are missing from the recording, because they were too large. */
  omittedBodies = 0
  private readonly options: TrafficRecorderOptions
  private readonly began: number
  private readonly drafts: ExchangeDraft[] = []
  private readonly tokens: string[] = []
  private readonly headerNames: string[] = []
  /** The key of each stored body, by the hash of the received bytes; undefined if there was no room for it. */
  private keysByHash = new Map<string, string | undefined>()
  /** The keys of the stored bodies. */
  private readonly storedKeys = new Set<string>()
  private lastMask: ReturnType<TrafficRecorderOptions['currentMask']>
  private readonly protocolObserver: ProtocolObserver

  constructor(options: TrafficRecorderOptions) {
    const { runtime, baseUrl } = options
    this.options = options
    this.began = runtime.clock.now()
    this.protocolObserver = runtime.network?.watch(baseUrl) ?? observeProtocols(baseUrl)
    this.runtime = {
      ...runtime,
      newToken: () => {
        const token = runtime.newToken()
        this.tokens.push(token)
        return token
      },
      wrapNetwork: (network) => this.recordNetwork(network),
    }
  }

  /** Stops recording, and returns the recording without the requests that got no response. */
  finish(): Omit<RecordedTraffic, 'bodies'> {
    this.protocolObserver.close()
    return {
      headerNames: this.headerNames.map((names) => names.split(' ')),
      tokens: this.tokens,
      protocols: [...this.protocolObserver.protocols],
      exchanges: this.drafts.flatMap(({ doneAt, ...draft }) => (doneAt === undefined ? [] : [{ ...draft, doneAt }])),
    }
  }

  /**
   * Begins to record an exchange.
   * @param receiver receives the response
   * @returns a receiver that records the response and passes it to `receiver`
   */
  private recordExchange({ method, target, headers }: WireRequest, receiver: ResponseReceiver): ResponseReceiver {
    const draft: ExchangeDraft = {
      method,
      target: this.mask(target),
      headers: this.indexOfHeaderNames(sortedHeaderNames(headers).join(' ')),
      sentAt: this.nowUs(),
    }
    this.drafts.push(draft)
    const received: ReceivedParts = { fields: [], chunks: [], bytes: 0 }
    return {
      onStart: (abort) => receiver.onStart(abort),
      onHead: (status, fields) => {
        draft.status = status
        received.fields = fields
        receiver.onHead(status, fields)
      },
      onChunk: (bytes) => {
        received.bytes += bytes.length
        if (received.bytes <= MAX_BODY_BYTES) received.chunks.push(bytes)
        else received.chunks = []
        receiver.onChunk(bytes)
      },
      onEnd: () => {
        this.endExchange(draft, received)
        receiver.onEnd()
      },
      onFault: (error) => {
        this.endWithFault(draft, received, error)
        receiver.onFault(error)
      },
    }
  }

  /** Ends the recording of an exchange: stores its body and masks secrets. */
  private endExchange(draft: ExchangeDraft, { fields, chunks, bytes }: ReceivedParts): void {
    draft.doneAt = this.nowUs()
    if (draft.status !== undefined) draft.fields = fields.map((one) => maskHeaderField(one, (text) => this.mask(text)))
    if (bytes === 0) return
    const key = bytes > MAX_BODY_BYTES ? undefined : this.keyOfBody(Buffer.concat(chunks), contentCodingsOf(fields))
    if (key !== undefined) draft.body = key
    else {
      draft.omittedBytes = bytes
      this.omittedBodies++
    }
  }

  /**
   * Records a fault. Exchanges that the suite itself ended are left out, because they say nothing about the deployment.
   * If the suite misused the HTTP client, nothing is recorded: the receiver of the response reports that.
   */
  private endWithFault(draft: ExchangeDraft, received: ReceivedParts, error: Error): void {
    try {
      const { fault: kind, message } = createFaultFromError(error, draft.status ?? 0)
      if (kind === 'stopped') return
      draft.fault = { kind, message: this.mask(message) }
    } catch {
      return
    }
    this.endExchange(draft, received)
  }

  private mask(text: string): string {
    return this.options.currentMask()?.(text) ?? text
  }

  private recordNetwork(network: Network): Network {
    return {
      watch: (origin) => network.watch(origin),
      connect: (origin, size) => {
        const pool = network.connect(origin, size)
        return {
          send: (wire, receiver) => pool.send(wire, this.recordExchange(wire, receiver)),
          close: () => pool.close(),
          destroy: () => pool.destroy(),
        }
      },
    }
  }

  /** Returns the time since the start of the run, in microseconds. */
  private nowUs(): number {
    return Math.round(1000 * (this.options.runtime.clock.now() - this.began))
  }

  private indexOfHeaderNames(names: string): number {
    const known = this.headerNames.indexOf(names)
    return known >= 0 ? known : this.headerNames.push(names) - 1
  }

  /**
   * Masks secrets in a body, and stores it unless it is stored already.
   * @returns the key of the body; undefined if there is no room for it
   */
  private keyOfBody(wire: Buffer, contentEncoding: string): string | undefined {
    const mask = this.options.currentMask()
    if (mask !== this.lastMask) this.keysByHash = new Map()
    this.lastMask = mask
    const received = `${hashOf(wire)} ${contentEncoding}`
    if (this.keysByHash.has(received)) return this.keysByHash.get(received)
    const body = storeBody(wire, contentEncoding, mask)
    const key = hashOf(bytesOfStoredBody(body))
    const isKept = this.storedKeys.has(key) || this.options.keepBody(key, body)
    if (isKept) this.storedKeys.add(key)
    this.keysByHash.set(received, isKept ? key : undefined)
    return this.keysByHash.get(received)
  }
}

const hashOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

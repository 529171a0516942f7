import { deriveToken } from '../../derived-token.ts'
import { VirtualClock } from '../../virtual-clock.ts'
import type { ConnectionPool, Network, ProtocolObserver, ResponseReceiver, WireRequest } from '../client/network.ts'
import { ExchangeStopped } from '../decode/fault.ts'
import type { Runtime } from '../runtime.ts'
import { type RecordedExchange, type RecordedTraffic, requestKeyOf, sortedHeaderNames } from './recording.ts'
import { bytesOfStoredBody } from './stored-body.ts'

/** The environment in which a recorded run is judged. It sends no request. */
export interface RecordedRuntime {
  readonly runtime: Runtime
  /** Runs a function to its end, while its virtual clock advances to the recorded times. */
  run<T>(work: () => Promise<T>): Promise<T>
}

interface RecordedRuntimeOptions {
  /** The start of the recorded run, in milliseconds since 1970. */
  readonly startWallMs: number
  /** True if another program than this suite sent the requests, so that their times prove nothing. */
  readonly ignoresTimes?: boolean
}

/** Creates a runtime that replays a recording: requests get the recorded responses, at the recorded times. */
export function createRecordedRuntime(traffic: RecordedTraffic, options: RecordedRuntimeOptions): RecordedRuntime {
  const clock = new VirtualClock(options.startWallMs)
  const network = new RecordedNetwork(traffic, clock, options.ignoresTimes ?? false)
  let tokens = 0
  const newToken = (): string => traffic.tokens[tokens++] ?? deriveToken('beyond the recording', tokens)
  return { runtime: { clock, network, newToken }, run: (work) => clock.run(work) }
}

/**
 * The maximum time by which a request may be sent earlier than in the recording. A greater difference means that a
 * suite with different code made the recording.
 */
const MAX_COMPUTING_MS = 1_000

/** The recorded responses to one request, in their order. */
interface ResponseQueue {
  readonly exchanges: RecordedExchange[]
  taken: number
}

/** A network that replays a recording. E.g. the third request for a target gets the third recorded response. */
class RecordedNetwork implements Network {
  private readonly traffic: RecordedTraffic
  private readonly clock: VirtualClock
  private readonly ignoresTimes: boolean
  private readonly queues = new Map<string, ResponseQueue>()
  /** True if all responses to the same request are equal. */
  private readonly neverChanges: boolean

  constructor(traffic: RecordedTraffic, clock: VirtualClock, ignoresTimes: boolean) {
    this.traffic = traffic
    this.clock = clock
    this.ignoresTimes = ignoresTimes
    for (const exchange of traffic.exchanges) {
      const { method, target, headers } = exchange
      const key = requestKeyOf(method, target, traffic.headerNames[headers] ?? [])
      const queue = this.queues.get(key) ?? { exchanges: [], taken: 0 }
      queue.exchanges.push(exchange)
      this.queues.set(key, queue)
    }
    this.neverChanges = [...this.queues.values()].every(hasEqualResponses)
  }

  readonly watch = (): ProtocolObserver => ({ protocols: new Set(this.traffic.protocols), close: () => {} })

  connect(): ConnectionPool {
    /** For each exchange in flight, the function that ends it. */
    const inFlight = new Set<(error: Error) => void>()
    let onIdle = (): void => {}
    return {
      send: (wire, receiver) => {
        const found = this.take(wire)
        const isMissing = typeof found === 'string'
        const timer = this.clock.after(isMissing ? 0 : this.responseTimeMs(found), () => {
          if (isMissing) end(new ExchangeStopped('unrecorded', found))
          else this.respond(found, receiver, end)
        })
        const end = (error?: Error): void => {
          timer.cancel()
          if (!inFlight.delete(end)) return
          if (error) receiver.onFault(error)
          else receiver.onEnd()
          if (inFlight.size === 0) onIdle()
        }
        inFlight.add(end)
        receiver.onStart(end)
      },
      close: () => new Promise((resolve) => (inFlight.size === 0 ? resolve() : (onIdle = resolve))),
      destroy: async () => {
        for (const end of inFlight) end(new ExchangeStopped('stopped', 'the session is closed'))
      },
    }
  }

  private respond(exchange: RecordedExchange, receiver: ResponseReceiver, end: (error?: Error) => void): void {
    const { status, fields = [], body, fault } = exchange
    if (status !== undefined) receiver.onHead(status, fields)
    const stored = body === undefined ? undefined : this.traffic.bodies[body]
    if (stored) receiver.onChunk(bytesOfStoredBody(stored))
    end(fault && new ExchangeStopped(fault.kind, fault.message))
  }

  /**
   * Takes the next recorded response to a request.
   * @returns the response, or a sentence if there is none
   */
  private take({ method, target, headers }: WireRequest): RecordedExchange | string {
    const queue = this.queues.get(requestKeyOf(method, target, sortedHeaderNames(headers)))
    const next = queue?.exchanges[queue.taken++] ?? (queue && this.repeat(queue))
    if (next?.omittedBytes !== undefined)
      return `the body of ${method} ${target} (${next.omittedBytes} bytes) is not in the recording`
    return next ?? `the recording ${queue ? 'has no further response to' : 'does not contain'} ${method} ${target}`
  }

  /**
   * Advances the virtual clock to the recorded time of a request. The suite spent this time on computing, which the
   * virtual clock does not measure.
   * @returns the milliseconds until the response is complete
   */
  private responseTimeMs({ sentAt, doneAt }: RecordedExchange): number {
    const aheadMs = sentAt / 1000 - this.clock.elapsedMs
    if (!this.ignoresTimes && aheadMs <= MAX_COMPUTING_MS) this.clock.compute(aheadMs)
    return (doneAt - sentAt) / 1000
  }

  /**
   * Returns the last response to a request once more, if there were several and no response in the recording ever
   * changed. If some response changed, this one might have changed too.
   */
  private repeat({ exchanges }: ResponseQueue): RecordedExchange | undefined {
    return this.neverChanges && exchanges.length > 1 ? exchanges.at(-1) : undefined
  }
}

const contentOf = ({ status, body, omittedBytes, fault }: RecordedExchange): string =>
  `${status} ${body} ${omittedBytes} ${fault?.kind}`

const hasEqualResponses = ({ exchanges }: ResponseQueue): boolean => new Set(exchanges.map(contentOf)).size === 1

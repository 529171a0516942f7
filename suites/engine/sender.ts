import { setMaxListeners } from 'node:events'
import type { Dispatcher } from 'undici'
import { exchange, type Method, type Outcome, type Response, type Wire } from './exchange.ts'
import { createLimiter } from './limiter.ts'
import { Inconclusive } from './throwables.ts'
import { createDispatcher, type Transport } from './transport.ts'

export type Patience = 'full' | 'short'

export interface SenderOptions {
  readonly origin: string
  /** Sent with every request, to this origin only. */
  readonly headers: Readonly<Record<string, string>>
  readonly transport: Transport
  readonly deadlineMs: number
  readonly concurrency: number
  readonly perSecond: number
  /** For transport faults only. */
  readonly retries: number
  readonly maxRequests: number
  /** Ends the run; aborted with an `Inconclusive`, that is the reason given. */
  readonly signal: AbortSignal
}

/** Sends requests within all bounds: how many at once, a second and in all, how long, how large, how often again. */
export interface Sender {
  /**
   * @param patience `short` waits no longer than answers have taken here so far, and some: for what was silent before
   * @throws {Inconclusive} when the deployment cannot be asked, or not now
   */
  send(method: Method, target: string, patience: Patience): Promise<Outcome>
  readonly counts: { requests: number; retries: number; waits: number }
  close(): Promise<void>
}

const MOST_SILENT_IN_A_ROW = 40
const SHORTEST_PATIENCE_MS = 250
const PATIENCE_FACTOR = 4
const MAX_WAITS = 8
const LONGEST_WAIT_S = 30
const MAX_WIRE_BYTES = 64 << 20
const MAX_DECODED_BYTES = 96 << 20
const MAX_HELD_BYTES = 160 << 20

export const field = (response: Response, name: string): string | undefined =>
  response.fields.find(([key]) => key.toLowerCase() === name)?.[1]

const isLimit = (response: Response): boolean =>
  response.status === 429 || (response.status === 503 && field(response, 'retry-after') !== undefined)

/** Retry-After in seconds or as a date (RFC 9110 section 10.2.3); without it, a pause that doubles. */
function waitOf(response: Response, attempt: number): number {
  const value = field(response, 'retry-after')
  if (value === undefined) return 0.25 * 2 ** attempt
  const seconds = /^\s*\d+\s*$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? 1 : Math.max(0, seconds)
}

export function createSender(options: SenderOptions): Sender {
  const { origin, headers, deadlineMs, signal, transport } = options
  setMaxListeners(0, signal) // every exchange under way listens
  const pool = createDispatcher(origin, transport, { connections: options.concurrency, connectMs: deadlineMs })
  const limiter = createLimiter(options.concurrency, options.perSecond, signal)
  const shared = {
    deadlineMs,
    maxWireBytes: MAX_WIRE_BYTES,
    maxDecodedBytes: MAX_DECODED_BYTES,
    signal,
    held: { bytes: 0, max: MAX_HELD_BYTES },
  }
  const counts = { requests: 0, retries: 0, waits: 0 }
  let firstAnswered: string | undefined
  let silentInARow = 0
  let lifeSign: Promise<boolean> | undefined
  let slowestMs = 0

  /** So much silence may be about what was asked, or about everything: what was answered first tells which. */
  async function isAlive(): Promise<boolean> {
    if (firstAnswered === undefined) return false
    const { outcome } = await exchange(pool, { origin, target: firstAnswered, method: 'GET', headers }, shared)
    lifeSign = undefined
    if (outcome.kind === 'response') silentInARow = 0
    return outcome.kind === 'response'
  }

  async function refuseWhenOver() {
    if (signal.aborted) throw endOf(signal)
    if (counts.requests >= options.maxRequests)
      throw new Inconclusive('budget', `the ${options.maxRequests} requests allowed are spent`)
    if (silentInARow <= MOST_SILENT_IN_A_ROW) return
    lifeSign ??= isAlive()
    if (!(await lifeSign))
      throw new Inconclusive(
        'unreachable',
        `the deployment stopped answering: ${silentInARow} requests in a row came to nothing`,
      )
  }

  const deadlineOf = (patience: Patience) =>
    patience === 'full' ? deadlineMs : Math.min(deadlineMs, Math.max(SHORTEST_PATIENCE_MS, PATIENCE_FACTOR * slowestMs))

  async function sendOnce(wire: Wire, patience: Patience, dispatcher: Dispatcher): Promise<Outcome> {
    await refuseWhenOver()
    counts.requests++
    const sent = await exchange(dispatcher, wire, { ...shared, deadlineMs: deadlineOf(patience) })
    if (sent.outcome.kind === 'response') slowestMs = Math.max(slowestMs, sent.ms)
    return sent
  }

  /** Contract, ruling 13: a dropped connection is retried on a fresh one. */
  async function sendSurely(wire: Wire, patience: Patience): Promise<Outcome> {
    let sent = await limiter.run(() => sendOnce(wire, patience, pool))
    for (let left = options.retries; left > 0 && isDropped(sent); left--) {
      counts.retries++
      const fresh = createDispatcher(origin, transport, { connections: 1, connectMs: deadlineMs })
      sent = await limiter.run(() => sendOnce(wire, patience, fresh))
      void fresh.destroy()
    }
    return sent
  }

  async function sendPatiently(wire: Wire, patience: Patience): Promise<Outcome> {
    for (let attempt = 0; ; attempt++) {
      const sent = await sendSurely(wire, patience)
      if (sent.outcome.kind === 'fault' || !isLimit(sent.outcome)) return sent
      const { status } = sent.outcome
      const seconds = waitOf(sent.outcome, attempt)
      if (seconds > LONGEST_WAIT_S)
        throw new Inconclusive(
          'limited',
          `status ${status} asks to wait ${Math.round(seconds)} s, longer than this suite waits (${LONGEST_WAIT_S} s)`,
        )
      if (attempt === MAX_WAITS && status === 503) return sent
      if (attempt === MAX_WAITS)
        throw new Inconclusive(
          'limited',
          `still status ${status} after ${MAX_WAITS} waits; ask more slowly with --rate`,
        )
      counts.waits++
      limiter.slowDown(seconds * 1000)
    }
  }

  return {
    counts,
    async send(method, target, patience) {
      const sent = await sendPatiently({ origin, target, method, headers }, patience)
      if (sent.outcome.kind === 'response') {
        silentInARow = 0
        limiter.wentWell()
        firstAnswered ??= target
        return sent
      }
      const { fault, message } = sent.outcome
      if (fault === 'unreachable' || (fault === 'silent' && patience === 'full')) silentInARow++
      if (fault === 'unreachable') throw new Inconclusive('unreachable', message)
      if (fault === 'stopped') throw endOf(signal)
      if (fault === 'oversized') throw new Inconclusive('budget', `${origin}${target}: ${message}`)
      return sent
    },
    close: () => pool.destroy(),
  }
}

const isDropped = ({ outcome }: Outcome): boolean => outcome.kind === 'fault' && outcome.fault === 'dropped'

const endOf = (signal: AbortSignal): Inconclusive =>
  signal.reason instanceof Inconclusive ? signal.reason : new Inconclusive('interrupted', 'the run was stopped')

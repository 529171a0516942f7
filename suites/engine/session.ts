import { field, type Response } from './answer.ts'
import type { Method } from './exchange.ts'
import type { Fault } from './fault.ts'
import type { Met } from './met.ts'
import { MASK } from './secrets.ts'
import { type Patience, Sender, type SenderOptions } from './sender.ts'
import type { ExchangeSummary } from './verdict.ts'

/** What is asked, below the base URL. */
export interface Request {
  readonly method: Method
  /** Path and query, percent-encoded, sent byte for byte. */
  readonly target: string
  /** What the target stands below: the base path where nothing is said, or the origin, as for what a link names. */
  readonly below?: 'origin'
  /** Redirects are followed, at most five, within the origin. */
  readonly follow: boolean
}

export interface Exchange {
  readonly id: number
  readonly request: Request
  readonly url: string
  readonly outcome: Response | Fault
  readonly ms: number
  readonly excerpt: string
  /** As sent, secrets masked. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The URLs that led here by redirects, the first first. */
  readonly redirectedFrom: readonly string[]
}

export interface SessionOptions extends SenderOptions {
  /** `''`, or a path that starts with a slash and ends without one. */
  readonly basePath: string
  /** Names, in lower case, of those whose values no report may show. */
  readonly secretHeaders: ReadonlySet<string>
}

export interface Askers {
  /** Answers from memory when the same was asked before. */
  recall(request: Request): Promise<Exchange>
  /** Always asks. */
  ask(request: Request): Promise<Exchange>
}

/** One pool, one limiter and one memory for a whole run. */
export interface Session extends Askers {
  /** Those who wait no longer than answers have taken so far, and some: what is silent to them may be but slow. */
  readonly hasty: Askers
  /** Does the deployment answer at all, now? Asks again what it answered first. */
  isAlive(): Promise<boolean>
  readonly counts: { requests: number; retries: number; waits: number }
  readonly met: Met
  close(): Promise<void>
}

export const MAX_REDIRECTS = 5

/** What a report shows of an exchange. */
export function summarise(exchange: Exchange): ExchangeSummary {
  const { id, request, url, outcome, ms, excerpt, requestHeaders, redirectedFrom } = exchange
  const media = outcome.kind === 'response' ? field(outcome, 'content-type') : undefined
  return {
    id,
    method: request.method,
    url: redirectedFrom[0] ?? url,
    ...(redirectedFrom.length > 0 && { redirects: redirectedFrom.length }),
    requestHeaders,
    ms: Math.round(ms),
    excerpt,
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(media !== undefined && { mediaType: media }),
    ...(outcome.kind === 'fault' && { fault: outcome.message }),
  }
}

type Memory = Map<string, Promise<Exchange>>

const keyOf = ({ method, follow, below, target }: Request): string =>
  `${method} ${follow ? '' : '! '}${below ?? ''}${target}`

/** @param elder a memory that is looked at first, and only looked at */
function createAskers(ask: Askers['ask'], own: Memory, elder: Memory = own): Askers {
  return {
    ask,
    recall(request) {
      const key = keyOf(request)
      const known = elder.get(key) ?? own.get(key)
      if (known) return known
      const asked = ask(request)
      asked.catch(() => {}) // prefetched answers may never be awaited
      own.set(key, asked)
      return asked
    },
  }
}

export function createSession(options: SessionOptions): Session {
  const client = new Client(options)
  const memory: Memory = new Map()
  return {
    ...createAskers((request) => client.ask(request, 'full'), memory),
    hasty: createAskers((request) => client.ask(request, 'short'), new Map(), memory),
    isAlive: () => client.isAlive(),
    counts: client.counts,
    met: client.met,
    close: () => client.close(),
  }
}

/** Asks below a base URL, and records what was exchanged. */
class Client {
  private readonly options: SessionOptions
  private readonly sender: Sender
  private readonly shown: Readonly<Record<string, string>>
  private answeredFirst: Request | undefined
  private lastId = 0

  constructor(options: SessionOptions) {
    this.options = options
    this.sender = new Sender(options)
    this.shown = masked(options)
  }

  get counts(): Sender['counts'] {
    return this.sender.counts
  }

  get met(): Met {
    return this.sender.met
  }

  ask(request: Request, patience: Patience): Promise<Exchange> {
    const above = request.below === 'origin' ? '' : this.options.basePath
    return this.askAt(above + request.target, request, patience, [])
  }

  async isAlive(): Promise<boolean> {
    return this.answeredFirst !== undefined && (await this.ask(this.answeredFirst, 'full')).outcome.kind === 'response'
  }

  close(): Promise<void> {
    return this.sender.close()
  }

  private async askAt(
    target: string,
    request: Request,
    patience: Patience,
    redirectedFrom: readonly string[],
  ): Promise<Exchange> {
    const { origin } = this.options
    const sent = await this.sender.send(request.method, target, patience)
    const url = origin + target
    const done: Exchange = { id: ++this.lastId, request, url, ...sent, requestHeaders: this.shown, redirectedFrom }
    if (sent.outcome.kind === 'fault') return done
    this.answeredFirst ??= request
    const next = request.follow ? redirectTarget(url, sent.outcome, origin) : undefined
    if (next === undefined || redirectedFrom.length === MAX_REDIRECTS) return done
    return this.askAt(next, request, patience, [...redirectedFrom, url])
  }
}

const masked = ({ headers, secretHeaders }: SessionOptions): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? MASK : value]),
  )

/** The request target that a redirect names, when it stays within the origin (ruling 1). */
function redirectTarget(base: string, response: Response, origin: string): string | undefined {
  const location = field(response, 'location')
  if (response.status < 300 || response.status > 399 || response.status === 304 || location === undefined)
    return undefined
  if (!URL.canParse(location, base)) return undefined
  const to = new URL(location, base)
  return to.origin === origin ? to.pathname + to.search : undefined
}

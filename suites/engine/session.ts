import type { Fault, Method, Response } from './exchange.ts'
import { MASK } from './secrets.ts'
import { createSender, field, type Patience, type SenderOptions } from './sender.ts'
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

const keyOf = ({ method, follow, below, target }: Request): string =>
  `${method} ${follow ? '' : '! '}${below ?? ''}${target}`

export function createSession(options: SessionOptions): Session {
  const { origin, basePath } = options
  const sender = createSender(options)
  const memory = new Map<string, Promise<Exchange>>()
  const hastyMemory = new Map<string, Promise<Exchange>>()
  const shown = Object.fromEntries(
    Object.entries(options.headers).map(([name, value]) => [
      name,
      options.secretHeaders.has(name.toLowerCase()) ? MASK : value,
    ]),
  )
  let answeredFirst: Request | undefined
  let lastId = 0

  async function askWith(patience: Patience, request: Request): Promise<Exchange> {
    const redirectedFrom: string[] = []
    for (let target = request.below === 'origin' ? request.target : basePath + request.target; ; ) {
      const sent = await sender.send(request.method, target, patience)
      const done: Exchange = {
        id: ++lastId,
        request,
        url: origin + target,
        ...sent,
        requestHeaders: shown,
        redirectedFrom: [...redirectedFrom],
      }
      const { outcome } = sent
      if (outcome.kind === 'fault') return done
      answeredFirst ??= request
      const next = request.follow ? redirectTarget(done, outcome, origin) : undefined
      if (next === undefined || redirectedFrom.length === MAX_REDIRECTS) return done
      redirectedFrom.push(done.url)
      target = next
    }
  }

  const ask = (request: Request) => askWith('full', request)

  function recall(request: Request): Promise<Exchange> {
    const key = keyOf(request)
    const known = memory.get(key)
    if (known) return known
    const asked = ask(request)
    asked.catch(() => {}) // prefetched answers may never be awaited
    memory.set(key, asked)
    return asked
  }

  function recallHastily(request: Request): Promise<Exchange> {
    const key = keyOf(request)
    const known = memory.get(key) ?? hastyMemory.get(key)
    if (known) return known
    const asked = askWith('short', request)
    asked.catch(() => {})
    hastyMemory.set(key, asked)
    return asked
  }

  return {
    ask,
    recall,
    hasty: { ask: (request) => askWith('short', request), recall: recallHastily },
    counts: sender.counts,
    async isAlive() {
      return answeredFirst !== undefined && (await ask(answeredFirst)).outcome.kind === 'response'
    },
    close: () => sender.close(),
  }
}

/** The request target that a redirect names, when it stays within the origin (ruling 1). */
function redirectTarget(from: Exchange, response: Response, origin: string): string | undefined {
  const location = field(response, 'location')
  if (response.status < 300 || response.status > 399 || response.status === 304 || location === undefined)
    return undefined
  const base = from.url
  if (!URL.canParse(location, base)) return undefined
  const to = new URL(location, base)
  return to.origin === origin ? to.pathname + to.search : undefined
}

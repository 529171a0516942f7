import { type Exchange, type ExchangeSummary, type Request, summariseExchange } from '../engine/http/client/exchange.ts'
import type { Session } from '../engine/http/session.ts'
import { Inconclusive } from '../engine/inconclusive.ts'

type SessionHeaders = Readonly<Record<string, string>>

/** The number of exchange ids left free for further requests in the run's own session. */
const RESERVED_REQUESTS = 100

/** Opens sessions with other headers or an empty cache. The ids of their exchanges follow those of the run. */
export class SeparateSessions {
  /** The number of requests that were sent in separate sessions. */
  requests = 0
  private readonly run: Session
  private readonly open: (headers?: SessionHeaders) => Session
  private readonly exchanges: Map<number, ExchangeSummary>
  private readonly ids = new WeakMap<Exchange, number>()
  private lastId: number

  /**
   * @param run the run's own session
   * @param open opens a session with the given headers; without headers, with those of the run
   * @param exchanges the exchanges in the report; those of separate sessions are added if an observation or a finding
   * cites them
   */
  constructor(run: Session, exchanges: Map<number, ExchangeSummary>, open: (headers?: SessionHeaders) => Session) {
    this.run = run
    this.lastId = Math.max(run.counts.requests, ...exchanges.keys()) + RESERVED_REQUESTS
    this.exchanges = exchanges
    this.open = open
  }

  /**
   * Passes a new session to `work`, and closes it afterwards.
   * @throws {Inconclusive} if the deployment has stopped responding
   */
  async use<T>(work: (session: Session) => Promise<T>, headers?: SessionHeaders): Promise<T> {
    if (this.run.isUnavailable()) throw new Inconclusive('unreachable', 'the deployment no longer responds')
    const session = this.open(headers)
    try {
      return await work(session)
    } finally {
      this.requests += session.counts.requests
      await session.close()
    }
  }

  /** Sends one request in a session with the given headers. */
  send(request: Request, headers: SessionHeaders): Promise<Exchange> {
    return this.use(async (session) => this.assignId(await session.send(request)), headers)
  }

  /** Gives an exchange of a separate session an id that no exchange of the run has. */
  assignId(exchange: Exchange): Exchange {
    this.ids.set(exchange, ++this.lastId)
    return exchange
  }

  /**
   * Adds exchanges to the report, and returns their ids. Exchanges that got no id from `assignId` must be of the run's own
   * session.
   */
  readonly cite = (exchanges: readonly Exchange[]): number[] =>
    exchanges.map((exchange) => {
      const id = this.ids.get(exchange) ?? exchange.id
      this.exchanges.set(id, { ...summariseExchange(exchange), id })
      return id
    })

  /** Adds exchanges of separate sessions to the report, and returns their ids. Gives them new ids if necessary. */
  readonly citeSeparate = (exchanges: readonly Exchange[]): number[] =>
    this.cite(exchanges.map((exchange) => (this.ids.has(exchange) ? exchange : this.assignId(exchange))))
}

import { type Exchange, type ExchangeSummary, type Request, summarise } from '../engine/http/client/exchange.ts'
import type { Session } from '../engine/http/session.ts'
import { Inconclusive } from '../engine/inconclusive.ts'

type Headers = Readonly<Record<string, string>>

/** What the run's own session may still ask. */
const A_FEW = 100

/** Sessions beside the run's own: with other headers, or with nothing remembered. What they ask is numbered after the run's. */
export class Apart {
  requests = 0
  private readonly run: Session
  private readonly open: (headers?: Headers) => Session
  private readonly exchanges: Map<number, ExchangeSummary>
  private readonly ids = new WeakMap<Exchange, number>()
  private lastId: number

  /**
   * @param run the run's own session
   * @param exchanges those of the run; what is cited is added
   */
  constructor(run: Session, exchanges: Map<number, ExchangeSummary>, open: (headers?: Headers) => Session) {
    this.run = run
    this.lastId = Math.max(run.counts.requests, ...exchanges.keys()) + A_FEW
    this.exchanges = exchanges
    this.open = open
  }

  /**
   * Works with a session that is closed afterwards.
   * @throws {Inconclusive} when the deployment has stopped answering
   */
  async use<T>(work: (session: Session) => Promise<T>, headers?: Headers): Promise<T> {
    if (this.run.isGone()) throw new Inconclusive('unreachable', 'the deployment does not answer any more')
    const session = this.open(headers)
    try {
      return await work(session)
    } finally {
      this.requests += session.counts.requests
      await session.close()
    }
  }

  /** Asks one thing, with other headers than the run's. */
  ask(request: Request, headers: Headers): Promise<Exchange> {
    return this.use(async (session) => this.own(await session.ask(request)), headers)
  }

  /** Marks an exchange as none of the run's own. */
  own(exchange: Exchange): Exchange {
    this.ids.set(exchange, ++this.lastId)
    return exchange
  }

  /** Keeps exchanges for the reports. */
  readonly cite = (exchanges: readonly Exchange[]): number[] =>
    exchanges.map((exchange) => {
      const id = this.ids.get(exchange) ?? exchange.id
      this.exchanges.set(id, { ...summarise(exchange), id })
      return id
    })

  /** Keeps exchanges of sessions apart for the reports. */
  readonly citeApart = (exchanges: readonly Exchange[]): number[] =>
    this.cite(exchanges.map((exchange) => (this.ids.has(exchange) ? exchange : this.own(exchange))))
}

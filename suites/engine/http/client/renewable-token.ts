import { Inconclusive } from '../../inconclusive.ts'
import type { Wire } from './network.ts'
import type { Reply } from './send.ts'

/** A new token may expire while a request waits for its turn; a request that refuses more of them refuses any. */
const MOST_TOKENS_PER_REQUEST = 4
/** Requests that refused so many tokens, after which a 401 is the deployment's answer. */
const MOST_REFUSED_FOR_GOOD = 3

const bearer = (token: string): string => `Bearer ${token}`

type TokenHeaders = Readonly<Record<string, string>>

/** A bearer token that a command gives, and gives anew when the deployment answers 401 in the middle of a run. */
export class RenewableToken {
  /** Every token of this run: reports mask all of them. */
  readonly all: string[]
  private readonly fetchToken: () => Promise<string>
  private renewal: Promise<void> | undefined
  private refusedForGood = 0

  constructor(first: string, fetchToken: () => Promise<string>) {
    this.all = [first]
    this.fetchToken = fetchToken
  }

  /** The headers with the newest token, if they carry one of its tokens: no other session is given it. */
  applyTo(headers: TokenHeaders): TokenHeaders {
    const name = this.nameIn(headers)
    return name === undefined ? headers : { ...headers, [name]: bearer(this.newest) }
  }

  /**
   * Renews the token after a 401, unless it was renewed since the request was sent.
   * @param refused how many tokens of this request were refused before
   * @returns whether to send the request again
   * @throws {Inconclusive} if the command fails
   */
  async isRenewedAfter({ outcome }: Reply, { headers }: Pick<Wire, 'headers'>, refused: number): Promise<boolean> {
    const name = this.nameIn(headers)
    if (name === undefined || outcome.kind !== 'response' || outcome.status !== 401) return false
    if (refused >= MOST_TOKENS_PER_REQUEST) {
      this.refusedForGood++
      return false
    }
    const isNewest = headers[name] === bearer(this.newest)
    if (isNewest && this.refusedForGood < MOST_REFUSED_FOR_GOOD) await (this.renewal ??= this.renew())
    return headers[name] !== bearer(this.newest)
  }

  private get newest(): string {
    return this.all.at(-1) ?? ''
  }

  private nameIn(headers: TokenHeaders): string | undefined {
    const isOurs = (value: string) => this.all.some((token) => value === bearer(token))
    return Object.keys(headers).find((name) => name.toLowerCase() === 'authorization' && isOurs(headers[name] ?? ''))
  }

  private async renew(): Promise<void> {
    try {
      const token = await this.fetchToken()
      if (token !== this.newest) this.all.push(token)
    } catch (error) {
      throw new Inconclusive('unreachable', `answered 401, and no new token could be had: ${(error as Error).message}`)
    } finally {
      this.renewal = undefined
    }
  }
}

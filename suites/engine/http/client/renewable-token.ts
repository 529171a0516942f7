import { Inconclusive } from '../../inconclusive.ts'
import type { WireRequest } from './network.ts'
import type { Reply } from './send.ts'

/**
 * The number of tokens that are tried for one request. Other requests may use up a new token first, so it is more than
 * one.
 */
const MAX_TOKENS_PER_REQUEST = 4
/**
 * After this many requests that were refused with every token, the token is not renewed any more, and a 401 counts as
 * the deployment's response.
 */
const MAX_REFUSED_REQUESTS = 3

const bearer = (token: string): string => `Bearer ${token}`

type TokenHeaders = Readonly<Record<string, string>>

/**
 * A bearer token that a command of the user prints. During a run, the command runs again when the deployment responds
 * with 401.
 */
export class RenewableToken {
  /** All tokens of this run. Reports mask them. */
  readonly all: string[]
  private readonly fetchToken: () => Promise<string>
  private renewal: Promise<void> | undefined
  /** The number of requests that were refused with every token. */
  private refusedRequests = 0

  constructor(first: string, fetchToken: () => Promise<string>) {
    this.all = [first]
    this.fetchToken = fetchToken
  }

  /** Replaces an outdated bearer token in the headers with the newest one. Other headers stay unchanged. */
  applyTo(headers: TokenHeaders): TokenHeaders {
    const name = this.nameIn(headers)
    return name === undefined ? headers : { ...headers, [name]: bearer(this.newest) }
  }

  /**
   * Renews the token after a 401, unless it has been renewed since the request was sent.
   * @param refusedTokens the number of tokens that were refused for this request before
   * @returns whether to send the request again
   * @throws {Inconclusive} if the command fails
   */
  async renewAfter(
    { outcome }: Reply,
    { headers }: Pick<WireRequest, 'headers'>,
    refusedTokens: number,
  ): Promise<boolean> {
    const name = this.nameIn(headers)
    if (name === undefined || outcome.kind !== 'response' || outcome.status !== 401) return false
    if (refusedTokens >= MAX_TOKENS_PER_REQUEST) {
      this.refusedRequests++
      return false
    }
    const isNewest = headers[name] === bearer(this.newest)
    if (isNewest && this.refusedRequests < MAX_REFUSED_REQUESTS) await (this.renewal ??= this.renew())
    return headers[name] !== bearer(this.newest)
  }

  private get newest(): string {
    return this.all.at(-1) ?? ''
  }

  /** Returns the name of the header that contains one of the tokens; undefined if none does. */
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

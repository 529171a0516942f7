import { isSentLast, stringClassOf } from '../directory/inputs/string-classes.ts'
import { isEmptyCompleteList } from '../directory/readings/empty-list.ts'
import type { Effort } from '../directory/shared/effort.ts'
import { requestTargetOf } from '../directory/shared/targets.ts'
import type { VerdictScope } from '../engine/check/verdict.ts'
import type { Request } from '../engine/http/client/exchange.ts'
import type { RenewableToken } from '../engine/http/client/renewable-token.ts'
import { type Runtime, systemRuntime } from '../engine/http/runtime.ts'
import type { Session, SessionOptions } from '../engine/http/session.ts'
import type { RunOptions } from '../options/run-options.ts'
import { defaultOptions } from '../options/table.ts'
import type { Profile } from './profile/profile.ts'
import { createSentHeaders } from './sent-headers.ts'

/** The check that ended last, in one version. The display of progress shows it. */
export interface CheckProgress {
  readonly check: string
  readonly version: VerdictScope
  /** True if a violation was confirmed, and the violation is more than advice. */
  readonly isFailure: boolean
}

/** The options of a run against one deployment. Omitted options have the same defaults as on the command line. */
export interface JudgeOptions extends RunOptions {
  readonly baseUrl: string
  /** The names of the headers whose values are masked in reports; by default all headers in `headers`. */
  readonly secretHeaders?: readonly string[]
  /** The longest outage to wait for, in seconds. Values shorter than the default of six seconds have no effect. */
  readonly waitSeconds?: number
  /** Settings that replace those of the chosen effort (how thoroughly checks test), e.g. the number of cats tested. */
  readonly bounds?: Partial<Effort>
  /** The token that `tokenCommand` printed. The headers contain it too. */
  readonly renewableToken?: RenewableToken
  /** The profile: it lists (pins) the required choices at open points of the contract. */
  readonly profile?: Profile
  readonly signal?: AbortSignal
  /**
   * Called when a check has ended in one version. Rechecks at the end of the run may still change its verdict. Requests of
   * other checks may still be in flight.
   * @param done the number of checks that have ended, each counted once in each version
   * @param total the number of all checks of the run, counted likewise
   * @param requests the number of requests sent so far
   */
  onVerdict?(done: number, total: number, requests: number, latest: CheckProgress): void
  /** Called after each response with the number of requests sent. */
  onRequest?(requests: number): void
  /**
   * A session to reuse with its cache, e.g. to judge an unchanging deployment with several seeds. `judge` does not
   * close it.
   */
  readonly session?: Session
  /** The clock, network and random numbers that simulations replace. */
  readonly runtime?: Runtime
}

/** The longest outage that is waited for by default: five seconds (T5.1), and a margin of one second. */
const MAX_RESTART_MS = 6_000

/** Converts the options of a run to the options of a session, which sends the requests. */
export function createSessionOptions(options: JudgeOptions): SessionOptions {
  const url = new URL(options.baseUrl)
  const basePath = url.pathname.replace(/\/+$/, '')
  const headers = createSentHeaders(options)
  const { clock, network, wrapNetwork, newToken } = options.runtime ?? systemRuntime
  return {
    clock,
    network,
    wrapNetwork,
    token: newToken(),
    origin: url.origin,
    basePath,
    healthTargets: healthRequestsOf(options).map(({ target }) => basePath + target),
    strings: {
      classOf: (target) => stringClassOf(target.slice(basePath.length)),
      isSentLast: (target) => isSentLast(target.slice(basePath.length)),
    },
    isDoubtful: isEmptyCompleteList,
    maxOutageMs: Math.max(MAX_RESTART_MS, 1000 * (options.waitSeconds ?? 0)),
    headers: headers.all,
    secretHeaders: headers.secret,
    renewableToken: options.renewableToken,
    deadlineMs: options.timeoutMs ?? defaultOptions.timeoutMs,
    concurrency: options.concurrency ?? defaultOptions.concurrency,
    perSecond: options.requestsPerSecond ?? Number.POSITIVE_INFINITY,
    retries: options.retries ?? defaultOptions.retries,
    maxRequests: options.maxRequests ?? Number.POSITIVE_INFINITY,
    signal: options.signal ?? new AbortController().signal,
    transport: options.transport ?? {},
    requestIds: options.requestIds ?? true,
  }
}

/** Returns the requests that check whether the deployment is available: the list of cats in each version. */
export const healthRequestsOf = ({
  versions: judged = defaultOptions.versions,
}: Pick<JudgeOptions, 'versions'>): readonly Request[] =>
  judged.map((version) => ({ method: 'GET', target: requestTargetOf('listCats', version), follow: true }))

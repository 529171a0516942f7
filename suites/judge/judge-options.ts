import { isSentLast, stringClassOf } from '../directory/inputs/string-classes.ts'
import type { Effort } from '../directory/shared/effort.ts'
import { targetOf } from '../directory/shared/targets.ts'
import type { Scope } from '../engine/check/verdict.ts'
import type { Request } from '../engine/http/client/exchange.ts'
import type { RenewableToken } from '../engine/http/client/renewable-token.ts'
import { type Runtime, systemRuntime } from '../engine/http/runtime.ts'
import type { Session, SessionOptions } from '../engine/http/session.ts'
import { defaults } from '../options/defaults.ts'
import type { RunOptions } from '../options/table.ts'
import type { Profile } from './profile/profile.ts'
import { createSentHeaders } from './sent-headers.ts'

/** The progress of a run: a check has sent its first requests. */
export interface CheckProgress {
  readonly check: string
  readonly version: Scope
  /** True if a violation was confirmed. */
  readonly isFailure: boolean
}

/** The options of a run against one deployment; omitted ones have the command's defaults. */
export interface JudgeOptions extends RunOptions {
  readonly baseUrl: string
  /** The names of headers whose values reports mask; by default all headers of the user. */
  readonly secretHeaders?: readonly string[]
  /** The longest outage to wait for, if that is longer than a restart. */
  readonly waitSeconds?: number
  /** Replaces single settings of the effort. */
  readonly bounds?: Partial<Effort>
  /** The token from `tokenCommand`, which the headers contain too. */
  readonly renewableToken?: RenewableToken
  /** The profile that pins open points. */
  readonly profile?: Profile
  readonly signal?: AbortSignal
  /** Called when a check has sent its first requests; other checks may still run. */
  onVerdict?(done: number, total: number, requests: number, latest: CheckProgress): void
  /** Called after each response with the number of requests sent. */
  onRequest?(requests: number): void
  /** A session to reuse with its cache, e.g. to judge an unchanging deployment with several seeds. It stays open. */
  readonly session?: Session
  /** Clock, network and randomness, for simulations. */
  readonly runtime?: Runtime
}

/** The outage that is waited for by default: five seconds for a restart, and a margin for the start. */
const MAX_RESTART_MS = 6_000

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
    maxOutageMs: Math.max(MAX_RESTART_MS, 1000 * (options.waitSeconds ?? 0)),
    headers: headers.all,
    secretHeaders: headers.secret,
    renewableToken: options.renewableToken,
    deadlineMs: options.timeoutMs ?? defaults.timeoutMs,
    concurrency: options.concurrency ?? defaults.concurrency,
    perSecond: options.requestsPerSecond ?? Number.POSITIVE_INFINITY,
    retries: options.retries ?? defaults.retries,
    maxRequests: options.maxRequests ?? Number.POSITIVE_INFINITY,
    signal: options.signal ?? new AbortController().signal,
    transport: options.transport ?? {},
    requestIds: options.requestIds ?? true,
  }
}

/** Returns the requests for health checks: the list of cats in each version. */
export const healthRequestsOf = ({
  versions: judged = defaults.versions,
}: Pick<JudgeOptions, 'versions'>): readonly Request[] =>
  judged.map((version) => ({ method: 'GET', target: targetOf('listCats', version), follow: true }))

import { isSentLast, stringClassOf } from '../directory/inputs/string-classes.ts'
import type { Effort } from '../directory/shared/effort.ts'
import { targetOf } from '../directory/shared/targets.ts'
import type { Scope } from '../engine/check/verdict.ts'
import type { Request } from '../engine/http/client/exchange.ts'
import { type Runtime, systemRuntime } from '../engine/http/runtime.ts'
import type { Session, SessionOptions } from '../engine/http/session.ts'
import { defaults } from '../options/defaults.ts'
import type { RunOptions } from '../options/table.ts'
import type { Profile } from './profile/profile.ts'
import { sentHeaders } from './sent-headers.ts'

/** A check that has asked what it asks at first. */
export interface Latest {
  readonly check: string
  readonly version: Scope
  /** Whether what it asks was found broken, for good. */
  readonly isFailure: boolean
}

/** Everything about one judgement; what is left out has the command's defaults. */
export interface JudgeOptions extends RunOptions {
  readonly baseUrl: string
  /** Names of headers whose values reports mask; all of them, when left out. */
  readonly secretHeaders?: readonly string[]
  /** How long the deployment may be away at a time, where that is longer than a restart takes. */
  readonly waitSeconds?: number
  /** Where less or more is to be asked than the effort says. */
  readonly bounds?: Partial<Effort>
  /** Open points that the deployment is held to. */
  readonly profile?: Profile
  readonly signal?: AbortSignal
  /** Told when a check has asked what it asks at first, while others still ask. */
  onVerdict?(done: number, total: number, requests: number, latest: Latest): void
  /** Told how many requests were sent, whenever one was answered. */
  onRequest?(requests: number): void
  /** A session to go on with, answers remembered: for judging a deployment that stands still with other seeds. It is not closed. */
  readonly session?: Session
  /** The clock and what else a simulation replaces. */
  readonly runtime?: Runtime
}

/** Five seconds, and some for the start. */
const LONGEST_RESTART_MS = 6_000

/** A session's options, from a judgement's. */
export function sessionOptions(options: JudgeOptions): SessionOptions {
  const url = new URL(options.baseUrl)
  const basePath = url.pathname.replace(/\/+$/, '')
  const headers = sentHeaders(options)
  const { clock, network, newToken } = options.runtime ?? systemRuntime
  return {
    clock,
    network,
    token: newToken(),
    origin: url.origin,
    basePath,
    doors: doorsOf(options).map(({ target }) => basePath + target),
    strings: {
      classOf: (target) => stringClassOf(target.slice(basePath.length)),
      isSentLast: (target) => isSentLast(target.slice(basePath.length)),
    },
    awayMs: Math.max(LONGEST_RESTART_MS, 1000 * (options.waitSeconds ?? 0)),
    headers: headers.all,
    secretHeaders: headers.secret,
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

/** What a deployment is asked to see whether it is there: for the list of cats, in each version. */
export const doorsOf = ({ versions: judged = defaults.versions }: Pick<JudgeOptions, 'versions'>): readonly Request[] =>
  judged.map((version) => ({ method: 'GET', target: targetOf('listCats', version), follow: true }))

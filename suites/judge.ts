import { catalogue, ofAll } from './catalogue.ts'
import type { Check } from './engine/check.ts'
import { run } from './engine/run.ts'
import { maskAll, masking } from './engine/secrets.ts'
import { createSession, type Session, type SessionOptions, summarise } from './engine/session.ts'
import { Inconclusive } from './engine/throwables.ts'
import type { Transport } from './engine/transport.ts'
import type { Effort } from './engine/trial.ts'
import type { ExchangeSummary, Observation, RunResult, Scope } from './engine/verdict.ts'
import { observers } from './open-points/index.ts'
import { createDirectory, type Directories } from './vocabulary/directory.ts'
import { createWatch, type Watch } from './vocabulary/watch.ts'

export type EffortName = RunResult['effort']

/** How much is asked: the deployment's own names that a check tries, and the generated inputs of each law. */
export const efforts: Readonly<Record<EffortName, Effort>> = {
  quick: { inputs: 20, examples: 40, runs: 5 },
  standard: { inputs: 300, examples: 1000, runs: 10 },
  thorough: { inputs: 5000, examples: 1000, runs: 1000 },
}

/** Everything about one judgement; what is left out has the command's defaults. */
export interface JudgeOptions {
  /** http(s) URL without query, fragment or credentials; it may have a path. */
  readonly baseUrl: string
  readonly versions?: readonly ('v2' | 'v3')[]
  /** Sent with every request, to the base URL's origin only. */
  readonly headers?: Readonly<Record<string, string>>
  /** Names of headers whose values reports mask. */
  readonly secretHeaders?: readonly string[]
  readonly timeoutMs?: number
  readonly concurrency?: number
  readonly requestsPerSecond?: number | undefined
  readonly retries?: number
  /** TLS, HTTP/2 and proxies. */
  readonly transport?: Transport
  readonly maxRequests?: number | undefined
  readonly effort?: EffortName
  /** Where less or more is to be asked than the effort says. */
  readonly bounds?: Partial<Effort>
  /** An int32. */
  readonly seed?: number
  readonly path?: string | undefined
  /** Ids or beginnings of ids of the checks to report; none means all. */
  readonly only?: readonly string[]
  readonly signal?: AbortSignal
  onVerdict?(done: number, total: number, requests: number): void
  /** A session to go on with, answers remembered: for judging a deployment that stands still with other seeds. It is not closed. */
  readonly session?: Session
}

/** Whether a check is meant by an id or the beginning of one. */
export const isSelected =
  (only: readonly string[]) =>
  (id: string): boolean =>
    only.length === 0 || only.some((start) => id === start || id.startsWith(start))

const secretNames = (options: JudgeOptions) =>
  new Set((options.secretHeaders ?? Object.keys(options.headers ?? {})).map((name) => name.toLowerCase()))

const secretsOf = (options: JudgeOptions) => {
  const names = secretNames(options)
  return Object.fromEntries(Object.entries(options.headers ?? {}).filter(([name]) => names.has(name.toLowerCase())))
}

/** A session's options, from a judgement's. */
export function sessionOptions(options: JudgeOptions): SessionOptions {
  const url = new URL(options.baseUrl)
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, ''),
    headers: {
      accept: 'application/json, */*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'cat-directory-conformance',
      ...options.headers,
    },
    secretHeaders: secretNames(options),
    deadlineMs: options.timeoutMs ?? 10_000,
    concurrency: options.concurrency ?? 16,
    perSecond: options.requestsPerSecond ?? Number.POSITIVE_INFINITY,
    retries: options.retries ?? 1,
    maxRequests: options.maxRequests ?? Number.POSITIVE_INFINITY,
    signal: options.signal ?? new AbortController().signal,
    transport: options.transport ?? {},
  }
}

/** O-AUTH: what a request without the configured credentials gets. */
async function observeWithoutCredentials(options: JudgeOptions, { exchanges }: RunResult): Promise<Observation[]> {
  const secrets = secretNames(options)
  if (secrets.size === 0) return [{ id: 'O-AUTH', version: 'v2+v3', value: 'not configured', evidence: [] }]
  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).filter(([name]) => !secrets.has(name.toLowerCase())),
  )
  const session = createSession(sessionOptions({ ...options, headers, secretHeaders: [] }))
  try {
    const asked = await session.ask({ method: 'GET', target: `/${options.versions?.[0] ?? 'v3'}/cats`, follow: false })
    const id = Math.max(0, ...exchanges.keys()) + 1
    ;(exchanges as Map<number, ExchangeSummary>).set(id, { ...summarise(asked), id }) // made for this run, by this run
    const { outcome } = asked
    const value =
      outcome.kind === 'fault' ? outcome.message : outcome.status < 300 ? 'served' : `status ${outcome.status}`
    return [{ id: 'O-AUTH', version: 'v2+v3', value, evidence: [id] }]
  } catch (error) {
    if (error instanceof Inconclusive) return []
    throw error
  } finally {
    await session.close()
  }
}

/**
 * Judges one deployment.
 * @returns every verdict, observation and cited exchange; never rejects for what the deployment does
 * @throws {TypeError} when the base URL is not a URL
 */
export async function judge(
  options: JudgeOptions,
  checks: readonly Check<Directories>[] = catalogue,
): Promise<RunResult> {
  const session = options.session ?? createSession(sessionOptions(options))
  const v2 = createDirectory('v2', session.recall)
  const v3 = createDirectory('v3', session.recall)
  const here = { v2, v3, 'v2+v3': v3 }
  const effort = options.effort ?? 'standard'
  const only = options.only ?? []
  const versions = options.versions ?? (['v2', 'v3'] as const)
  let watch: Watch | undefined
  try {
    const result = await run({
      checks,
      observers: only.length === 0 ? observers : [],
      versions,
      selects: isSelected(only),
      explains: only.length === 0,
      session,
      contextOf: (scope: Scope, memory) => ({
        here: here[scope],
        v2,
        v3,
        watch: (watch ??= createWatch(
          versions.map((version) => here[version]),
          versions.includes('v3') ? v3 : undefined,
          memory,
          session.ask,
        )),
      }),
      effort: { name: effort, ...efforts[effort], ...options.bounds },
      seed: options.seed ?? 1,
      path: options.path,
      ofAll,
      onVerdict: (done, total) => options.onVerdict?.(done, total, session.counts.requests),
    })
    const rate: Observation = { id: 'O-RATE', version: 'v2+v3', value: session.met.limits(), evidence: [] }
    const observations =
      only.length === 0
        ? [...result.observations, rate, ...(await observeWithoutCredentials(options, result))]
        : result.observations
    return maskAll({ ...result, observations }, masking(secretsOf(options)))
  } finally {
    if (!options.session) await session.close()
  }
}

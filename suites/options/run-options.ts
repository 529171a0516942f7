import type { Version } from '../../fixtures/contract/operations.ts'
import type { EffortName } from '../directory/shared/effort.ts'
import type { TransportOptions } from '../engine/http/client/undici-network.ts'

/** Options of a run that decide what is requested and how. The command line and the library have them in common. */
export interface RunOptions {
  /** The URL above `/v2` and `/v3`: http(s), without query, fragment or credentials. It may have a path. */
  readonly baseUrl?: string
  readonly versions?: readonly Version[]
  /** Headers for every request to the origin of the base URL. */
  readonly headers?: Readonly<Record<string, string>>
  /** A shell command that prints a bearer token. It runs again if the deployment responds with 401 during the run. */
  readonly tokenCommand?: string
  /** TLS, HTTP/2 and proxies. */
  readonly transport?: TransportOptions
  /** The time limit for each response. */
  readonly timeoutMs?: number
  /** The maximum number of requests in flight at the same time. */
  readonly concurrency?: number
  readonly requestsPerSecond?: number | undefined
  /** The number of times that a request without a response is sent again at once; 0 disables all retries. */
  readonly retries?: number
  /** The ids, or beginnings of ids, of the checks to run; all checks if empty. */
  readonly only?: readonly string[]
  /** The seed of all random choices, a signed 32-bit integer. */
  readonly seed?: number
  /** The path of the only counterexample to test, as a finding shows it, e.g. `3:0:1`. Needs `only` and `seed`. */
  readonly path?: string | undefined
  /** The extent of the tests: `quick`, `standard` or `thorough`. */
  readonly effort?: EffortName
  /** Strings (valid Unicode) that are tested before all others, in searches and as names of breeds and cats. */
  readonly strings?: readonly string[]
  /** The maximum number of requests in the whole run. */
  readonly maxRequests?: number | undefined
  /** Whether each request has the header `X-Request-Id`; true by default. */
  readonly requestIds?: boolean
  /** The exchanges that reports contain: all, or only those that a finding or an observation cites. */
  readonly record?: 'cited' | 'all'
}

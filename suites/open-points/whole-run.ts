import type { OpenPointId } from '../../fixtures/contract/open-points.ts'
import { versions } from '../../fixtures/contract/operations.ts'
import { requestTargetOf } from '../directory/shared/targets.ts'
import { scopeSelectors } from '../directory/shared/versions.ts'
import type { Observation, VerdictScope } from '../engine/check/verdict.ts'
import type { Exchange, Request } from '../engine/http/client/exchange.ts'
import type { ProtocolObserver } from '../engine/http/client/network.ts'
import type { Session } from '../engine/http/session.ts'
import { resolveInconclusiveTo } from '../engine/inconclusive.ts'
import { headerFieldOf } from './shared/describe-response.ts'

/** The session of a run, and functions that send single requests with other header fields. */
export interface RunObservationContext {
  readonly versions: readonly string[]
  readonly session: Pick<Session, 'sendOnce' | 'traffic'>
  readonly connections: Pick<ProtocolObserver, 'protocols'>
  /** Sends a request with an additional header field. */
  readonly sendWithHeader: (request: Request, name: string, value: string) => Promise<Exchange>
  /** Sends a request without the configured credentials; undefined if none are configured. */
  readonly sendWithoutCredentials: ((request: Request) => Promise<Exchange>) | undefined
}

/** The observed choice at an open point, and the exchanges that show it. */
interface RunObservation {
  readonly value: string
  readonly shownBy: readonly Exchange[]
}

/** Observes an open point in one scope. Returns undefined if there is nothing to observe. */
interface WholeRunObserver {
  readonly id: OpenPointId
  readonly scopes: readonly VerdictScope[]
  observe(run: RunObservationContext, scope: VerdictScope): Promise<RunObservation | undefined>
}

const createCatsRequest = (version: string, follow: boolean): Request => ({
  method: 'GET',
  target: requestTargetOf('listCats', versions.find((one) => one === version) ?? versions[0]),
  follow,
})

const fetchCats = ({ session }: RunObservationContext, version: string): Promise<Exchange> =>
  session.sendOnce(createCatsRequest(version, true))

/** Describes the response to a request without credentials, e.g. `served` or `status 401`. */
function describeAccess({ outcome }: Exchange): string {
  if (outcome.kind === 'fault') return outcome.message
  return outcome.status < 300 ? 'served' : `status ${outcome.status}`
}

/**
 * Observes the caching headers of the list of cats. If there is an entity tag, sends one request with If-None-Match.
 */
async function observeCaching(run: RunObservationContext, version: string): Promise<RunObservation | undefined> {
  const exchange = await fetchCats(run, version)
  if (exchange.outcome.kind === 'fault') return undefined
  const [tag, modified, control] = ['etag', 'last-modified', 'cache-control'].map((name) =>
    headerFieldOf(exchange, name),
  )
  const revalidated =
    tag === undefined ? undefined : await run.sendWithHeader(createCatsRequest(version, true), 'if-none-match', tag)
  const texts = [
    ...(revalidated ? [`ETag (${revalidated.outcome.status ?? 'no answer'} to If-None-Match)`] : []),
    ...(modified === undefined ? [] : ['Last-Modified']),
    ...(control === undefined ? [] : [`Cache-Control: ${control}`]),
  ]
  return { value: texts.join('; ') || 'absent', shownBy: [exchange, ...(revalidated ? [revalidated] : [])] }
}

/** Observes the protocols, e.g. HTTP and TLS versions, and the HSTS header field. */
async function observeTransport(run: RunObservationContext): Promise<RunObservation | undefined> {
  const exchanges = await Promise.all(run.versions.map((version) => fetchCats(run, version)))
  const strict = exchanges.flatMap((exchange) => {
    const value = headerFieldOf(exchange, 'strict-transport-security')
    return value === undefined ? [] : [{ exchange, value }]
  })[0]
  const texts = [...[...run.connections.protocols].sort(), ...(strict ? [`HSTS ${strict.value}`] : [])]
  return texts.length === 0 ? undefined : { value: texts.join('; '), shownBy: strict ? [strict.exchange] : [] }
}

const wholeScopes = scopeSelectors.whole()

/** The observers of properties of the whole run, such as rate limits, in the order of the contract. */
export const wholeRunObservers: readonly WholeRunObserver[] = [
  {
    id: 'O-RATE',
    scopes: wholeScopes,
    observe: async ({ session }) => ({ value: session.traffic.describeLimits(), shownBy: [] }),
  },
  {
    id: 'O-AUTH',
    scopes: wholeScopes,
    async observe({ sendWithoutCredentials, versions: [first = versions[0]] }) {
      const exchange = await sendWithoutCredentials?.(createCatsRequest(first, false))
      return exchange
        ? { value: describeAccess(exchange), shownBy: [exchange] }
        : { value: 'not configured', shownBy: [] }
    },
  },
  { id: 'O-CACHE', scopes: versions, observe: observeCaching },
  { id: 'O-TRANSPORT', scopes: wholeScopes, observe: observeTransport },
]

/**
 * Observes properties of the whole run, such as rate limits. Leaves out those that cannot be observed at the moment.
 * @param cite adds exchanges to the reports, and returns their ids
 * @param isWanted returns whether to observe an open point; all are observed by default
 */
export async function observeWholeRun(
  run: RunObservationContext,
  cite: (exchanges: readonly Exchange[]) => readonly number[],
  isWanted: (place: { readonly id: string; readonly version: string }) => boolean = () => true,
): Promise<Observation[]> {
  const observed = await Promise.all(
    wholeRunObservers.flatMap(({ id, scopes, observe }) =>
      scopes
        .filter((version) => version.includes('+') || run.versions.includes(version))
        .filter((version) => isWanted({ id, version }))
        .map(async (version): Promise<readonly Observation[]> => {
          const one = await observe(run, version).catch(resolveInconclusiveTo(undefined))
          return one ? [{ id, version, value: one.value, evidence: cite(one.shownBy) }] : []
        }),
    ),
  )
  return observed.flat()
}

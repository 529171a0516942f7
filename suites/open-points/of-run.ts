import type { OpenPointId } from '../../fixtures/contract/open-points.ts'
import { versions } from '../../fixtures/contract/operations.ts'
import { targetOf } from '../directory/shared/targets.ts'
import { scopesOf } from '../directory/shared/versions.ts'
import type { Observation, Scope } from '../engine/check/verdict.ts'
import type { Connections } from '../engine/http/client/connections.ts'
import type { Exchange, Request } from '../engine/http/client/exchange.ts'
import type { Session } from '../engine/http/session.ts'
import { unlessInconclusive } from '../engine/inconclusive.ts'
import { fieldIn } from './shared/answers.ts'

/** Observations beside the checks: of the run as a whole, and of responses to other headers. */
export interface WholeRun {
  readonly versions: readonly string[]
  readonly session: Pick<Session, 'recall' | 'traffic'>
  readonly connections: Pick<Connections, 'protocols'>
  /** Sends a request with one more header. */
  readonly askWith: (request: Request, name: string, value: string) => Promise<Exchange>
  /** Sends a request without the configured credentials; undefined if there are none. */
  readonly askWithoutCredentials: ((request: Request) => Promise<Exchange>) | undefined
}

interface SeenOfRun {
  readonly value: string
  readonly shownBy: readonly Exchange[]
}

interface RunObserver {
  readonly id: OpenPointId
  readonly scopes: readonly Scope[]
  look(run: WholeRun, scope: Scope): Promise<SeenOfRun | undefined>
}

const listOfCats = (version: string, follow: boolean): Request => ({
  method: 'GET',
  target: targetOf('listCats', versions.find((one) => one === version) ?? versions[0]),
  follow,
})

const cats = ({ session }: WholeRun, version: string): Promise<Exchange> => session.recall(listOfCats(version, true))

function accessText({ outcome }: Exchange): string {
  if (outcome.kind === 'fault') return outcome.message
  return outcome.status < 300 ? 'served' : `status ${outcome.status}`
}

/** The caching of the list of cats; no further request without an entity tag. */
async function caching(run: WholeRun, version: string): Promise<SeenOfRun | undefined> {
  const exchange = await cats(run, version)
  if (exchange.outcome.kind === 'fault') return undefined
  const [tag, modified, control] = ['etag', 'last-modified', 'cache-control'].map((name) => fieldIn(exchange, name))
  const again = tag === undefined ? undefined : await run.askWith(listOfCats(version, true), 'if-none-match', tag)
  const texts = [
    ...(again ? [`ETag (${again.outcome.status ?? 'no answer'} to If-None-Match)`] : []),
    ...(modified === undefined ? [] : ['Last-Modified']),
    ...(control === undefined ? [] : [`Cache-Control: ${control}`]),
  ]
  return { value: texts.join('; ') || 'absent', shownBy: [exchange, ...(again ? [again] : [])] }
}

async function transport(run: WholeRun): Promise<SeenOfRun | undefined> {
  const exchanges = await Promise.all(run.versions.map((version) => cats(run, version)))
  const strict = exchanges.flatMap((exchange) => {
    const value = fieldIn(exchange, 'strict-transport-security')
    return value === undefined ? [] : [{ exchange, value }]
  })[0]
  const texts = [...[...run.connections.protocols].sort(), ...(strict ? [`HSTS ${strict.value}`] : [])]
  return texts.length === 0 ? undefined : { value: texts.join('; '), shownBy: strict ? [strict.exchange] : [] }
}

const whole = scopesOf.whole()

/** In the order of the contract. */
export const runObservers: readonly RunObserver[] = [
  { id: 'O-RATE', scopes: whole, look: async ({ session }) => ({ value: session.traffic.limits(), shownBy: [] }) },
  {
    id: 'O-AUTH',
    scopes: whole,
    async look({ askWithoutCredentials, versions: [first = versions[0]] }) {
      const asked = await askWithoutCredentials?.(listOfCats(first, false))
      return asked ? { value: accessText(asked), shownBy: [asked] } : { value: 'not configured', shownBy: [] }
    },
  },
  { id: 'O-CACHE', scopes: versions, look: caching },
  { id: 'O-TRANSPORT', scopes: whole, look: transport },
]

/**
 * Observes the run as a whole; what cannot be observed now is left out.
 * @param cite keeps exchanges for the reports
 * @param isWanted selects places; all by default
 */
export async function observeRun(
  run: WholeRun,
  cite: (exchanges: readonly Exchange[]) => readonly number[],
  isWanted: (place: { readonly id: string; readonly version: string }) => boolean = () => true,
): Promise<Observation[]> {
  const seen = await Promise.all(
    runObservers.flatMap(({ id, scopes, look }) =>
      scopes
        .filter((version) => version.includes('+') || run.versions.includes(version))
        .filter((version) => isWanted({ id, version }))
        .map(async (version): Promise<readonly Observation[]> => {
          const one = await look(run, version).catch(unlessInconclusive(undefined))
          return one ? [{ id, version, value: one.value, evidence: cite(one.shownBy) }] : []
        }),
    ),
  )
  return seen.flat()
}

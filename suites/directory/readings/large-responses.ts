import type { Exchange } from '../../engine/http/client/exchange.ts'
import { isReadAlone } from '../../engine/http/client/response-size.ts'

/**
 * A deployment may answer each request with another list of a million names. Code that waits for something else
 * releases such a response and requests it again afterwards: from the cache if it is there.
 */

type FetchResponse = () => Promise<Exchange>

const fetchUnlessLarge = async (ask: FetchResponse): Promise<Exchange | undefined> => {
  const exchange = await ask()
  return isReadAlone(exchange) ? undefined : exchange
}

/** Returns a response together with the result of a wait, without holding a large response meanwhile. */
export async function fetchBesideWait<T>(
  fetchResponse: FetchResponse,
  wait: Promise<T>,
): Promise<readonly [Exchange, T]> {
  let isOver = false
  const over = () => void (isOver = true)
  wait.then(over, over)
  const asked = await fetchResponse().then((exchange) => (isOver || !isReadAlone(exchange) ? exchange : undefined))
  const awaited = await wait
  return [asked ?? (await fetchResponse()), awaited]
}

let lastLargeWork: Promise<unknown> = Promise.resolve()

/** Runs work on large responses one at a time. */
export function runLargeWork<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastLargeWork.then(work, work)
  lastLargeWork = turn.catch(() => {})
  return turn
}

/** Returns the result of work on a response and on another result; work on large responses runs one at a time. */
export async function inferInTurn<C, T>(
  fetchResponse: FetchResponse,
  wait: Promise<C>,
  infer: (exchange: Exchange, awaited: C) => Promise<T>,
) {
  wait.catch(() => {}) // Awaited below, unless the request fails first.
  const small = await fetchUnlessLarge(fetchResponse)
  const awaited = await wait
  return small ? infer(small, awaited) : runLargeWork(async () => infer(await fetchResponse(), awaited))
}

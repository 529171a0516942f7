import type { Exchange } from '../../engine/http/client/exchange.ts'
import { mustBeReadAlone } from '../../engine/http/client/response-size.ts'

/**
 * Fetches a response. A deployment may return another list of a million names each time, so code that waits for
 * something else releases such a response, and fetches it again after the wait: from the cache if it is still there.
 */

type ResponseFetcher = () => Promise<Exchange>

const fetchUnlessLarge = async (fetchResponse: ResponseFetcher): Promise<Exchange | undefined> => {
  const exchange = await fetchResponse()
  return mustBeReadAlone(exchange) ? undefined : exchange
}

/** Returns a response together with the result of a wait, without holding a large response meanwhile. */
export async function fetchWhileWaiting<T>(
  fetchResponse: ResponseFetcher,
  wait: Promise<T>,
): Promise<readonly [Exchange, T]> {
  let isOver = false
  const endWait = () => void (isOver = true)
  wait.then(endWait, endWait)
  const fetched = await fetchResponse().then((exchange) =>
    isOver || !mustBeReadAlone(exchange) ? exchange : undefined,
  )
  const waitResult = await wait
  return [fetched ?? (await fetchResponse()), waitResult]
}

let lastLargeWork: Promise<unknown> = Promise.resolve()

/** Runs work on large responses one at a time. */
export function runLargeTaskInTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = lastLargeWork.then(work, work)
  lastLargeWork = result.catch(() => {})
  return result
}

/** Infers a result from a response and the result of a wait. Work on large responses runs one at a time. */
export async function inferFromResponseInTurn<C, T>(
  fetchResponse: ResponseFetcher,
  wait: Promise<C>,
  infer: (exchange: Exchange, waitResult: C) => Promise<T>,
) {
  wait.catch(() => {}) // Rejections are handled where the wait is awaited, unless the request fails first.
  const small = await fetchUnlessLarge(fetchResponse)
  const waitResult = await wait
  return small ? infer(small, waitResult) : runLargeTaskInTurn(async () => infer(await fetchResponse(), waitResult))
}

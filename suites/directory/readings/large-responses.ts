import type { Exchange } from '../../engine/http/client/exchange.ts'
import { mustBeProcessedInTurn } from '../../engine/http/client/response-size.ts'

/**
 * A function that fetches a response. It is called a second time if the response was too large to be kept in memory.
 */
type ResponseFetcher = () => Promise<Exchange>

/** Fetches a response; undefined if it is so large that it must be read alone. */
const fetchUnlessLarge = async (fetchResponse: ResponseFetcher): Promise<Exchange | undefined> => {
  const exchange = await fetchResponse()
  return mustBeProcessedInTurn(exchange) ? undefined : exchange
}

/** Fetches a response while another result is pending. A large response is not kept until then, but fetched again. */
export async function fetchWhileOtherResultIsPending<T>(
  fetchResponse: ResponseFetcher,
  otherResult: Promise<T>,
): Promise<readonly [Exchange, T]> {
  let isOver = false
  const endWait = () => void (isOver = true)
  otherResult.then(endWait, endWait)
  const fetched = await fetchResponse().then((exchange) =>
    isOver || !mustBeProcessedInTurn(exchange) ? exchange : undefined,
  )
  const result = await otherResult
  return [fetched ?? (await fetchResponse()), result]
}

let lastLargeWork: Promise<unknown> = Promise.resolve()

/** Runs tasks on large responses one after the other, to save memory. */
export function runLargeTaskInTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = lastLargeWork.then(work, work)
  lastLargeWork = result.catch(() => {})
  return result
}

/** Infers a result from a response and from evidence. Large responses are handled one after the other. */
export async function inferFromResponseInTurn<C, T>(
  fetchResponse: ResponseFetcher,
  pendingEvidence: Promise<C>,
  infer: (exchange: Exchange, evidence: C) => Promise<T>,
) {
  pendingEvidence.catch(() => {}) // Prevents an unhandled rejection if the request fails before the evidence is awaited.
  const small = await fetchUnlessLarge(fetchResponse)
  const evidence = await pendingEvidence
  return small ? infer(small, evidence) : runLargeTaskInTurn(async () => infer(await fetchResponse(), evidence))
}

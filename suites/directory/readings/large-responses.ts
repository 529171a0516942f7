import type { Exchange } from '../../engine/http/client/exchange.ts'
import { isReadAlone } from '../../engine/http/client/remembered.ts'

/**
 * A deployment may answer each request with another list of a million names. Code that waits for something else
 * releases such a response and requests it again afterwards: from the cache if it is there.
 */

type Ask = () => Promise<Exchange>

const unlessLarge = async (ask: Ask): Promise<Exchange | undefined> => {
  const exchange = await ask()
  return isReadAlone(exchange) ? undefined : exchange
}

/** Returns a response together with the result of a wait, without holding a large response meanwhile. */
export async function besideWait<T>(ask: Ask, wait: Promise<T>): Promise<readonly [Exchange, T]> {
  let isOver = false
  const over = () => void (isOver = true)
  wait.then(over, over)
  const asked = await ask().then((exchange) => (isOver || !isReadAlone(exchange) ? exchange : undefined))
  const awaited = await wait
  return [asked ?? (await ask()), awaited]
}

let last: Promise<unknown> = Promise.resolve()

/** Runs work on large responses one at a time. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work, work)
  last = turn.catch(() => {})
  return turn
}

/** Returns the result of work on a response and on another result; work on large responses runs one at a time. */
export async function tellInTurn<C, T>(
  ask: Ask,
  wait: Promise<C>,
  tell: (exchange: Exchange, awaited: C) => Promise<T>,
) {
  wait.catch(() => {}) // Awaited below, unless the request fails first.
  const small = await unlessLarge(ask)
  const awaited = await wait
  return small ? tell(small, awaited) : inTurn(async () => tell(await ask(), awaited))
}

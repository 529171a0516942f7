import type { Exchange } from '../../engine/http/client/exchange.ts'
import { isReadAlone } from '../../engine/http/client/remembered.ts'

/*
 * A deployment may answer each request with another list of a million names. Whoever waits for something else lets go
 * of such an answer, and asks for it again then: from the run's cache, where that holds it.
 */

type Ask = () => Promise<Exchange>

const unlessLarge = async (ask: Ask): Promise<Exchange | undefined> => {
  const exchange = await ask()
  return isReadAlone(exchange) ? undefined : exchange
}

/** An answer together with what is waited for beside it. */
export async function besideWait<T>(ask: Ask, wait: Promise<T>): Promise<readonly [Exchange, T]> {
  let isOver = false
  const over = () => void (isOver = true)
  wait.then(over, over)
  const asked = await ask().then((exchange) => (isOver || !isReadAlone(exchange) ? exchange : undefined))
  const awaited = await wait
  return [asked ?? (await ask()), awaited]
}

let last: Promise<unknown> = Promise.resolve()

/** What holds large answers goes on one at a time, whoever waits. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work, work)
  last = turn.catch(() => {})
  return turn
}

/** What is told of an answer, and of what is waited for beside it: of a large one in its turn. */
export async function tellInTurn<C, T>(
  ask: Ask,
  wait: Promise<C>,
  tell: (exchange: Exchange, awaited: C) => Promise<T>,
) {
  wait.catch(() => {}) // awaited below, unless asking fails first
  const small = await unlessLarge(ask)
  const awaited = await wait
  return small ? tell(small, awaited) : inTurn(async () => tell(await ask(), awaited))
}

import type { Exchange } from '../http/client/exchange.ts'

const requestOf = ({ request: { method, target } }: Exchange): string => `${method} ${target}`

const haveSameResponse = (one: Exchange, other: Exchange): boolean =>
  one.outcome.status === other.outcome.status && one.excerpt === other.excerpt

/**
 * Returns two requests with their own responses, if the first one gets the response to the other when it is sent right
 * after it.
 */
export function findSharedEntry(sequence: readonly Exchange[]): readonly Exchange[] | undefined {
  const [alone] = sequence
  const [before, faulty] = sequence.length > 2 ? sequence.slice(-2) : []
  const isShared =
    alone !== undefined &&
    before !== undefined &&
    faulty !== undefined &&
    requestOf(alone) === requestOf(faulty) &&
    requestOf(before) !== requestOf(faulty) &&
    haveSameResponse(before, faulty) &&
    !haveSameResponse(alone, faulty)
  return isShared ? [alone, before] : undefined
}

/** Returns the path that two request targets have in common, e.g. `/v3/items/`. */
function commonPathOf(one: string, other: string): string {
  const shared = [...one].findIndex((character, at) => character !== other[at])
  return one.slice(0, one.lastIndexOf('/', shared) + 1)
}

/**
 * Returns whether another request of the operation got the list of one of two requests that share an entry. Other
 * responses, e.g. numbers, are often equal by chance.
 */
export function isFromSharedEntry(both: readonly Exchange[], exchange: Exchange): boolean {
  const { target } = exchange.request
  const [one = '', other = ''] = both.map(({ request }) => request.target)
  return (
    target.startsWith(commonPathOf(one, other)) &&
    exchange.excerpt.includes('[') &&
    both.some((owner) => owner.request.target !== target && haveSameResponse(owner, exchange))
  )
}

export const describeSharedEntry = (both: readonly Exchange[]): string =>
  `${both.map(requestOf).join(' and ')} share one entry`

/** Functions that return the key which a cache with an incomplete key has for a request target. */
const INCOMPLETE_KEYS: readonly ((target: string) => string)[] = [
  (target) => decodeTarget(target).toLowerCase(),
  (target) => decodeTarget(target).replaceAll(/(?<=[/=]) +| +(?=[/&]|$)/g, ''),
]

/** Decodes a request target for comparisons. A malformed one stays as it is. */
function decodeTarget(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

/** Two requests with the same incomplete key. The first found nothing. */
type PairOfSpellings = readonly [before: Exchange, later: Exchange]

/** Returns, for each request, the earliest one with the same key and another target, if that found nothing. */
function findPairs(inOrder: readonly Exchange[], keyOf: (target: string) => string): readonly PairOfSpellings[] {
  const missed = new Map<string, Exchange>()
  return inOrder.flatMap((one): readonly PairOfSpellings[] => {
    const key = keyOf(one.request.target)
    const before = missed.get(key)
    if (isMiss(one) && !before) missed.set(key, one)
    return before && before.request.target !== one.request.target ? [[before, one]] : []
  })
}

/**
 * Finds the request for another spelling that got the same error before. A cache with an incomplete key explains that,
 * unless another request of the operation succeeded although its other spelling had failed before.
 */
export function findStoredFailure(shown: Exchange | undefined, others: readonly Exchange[]): Exchange | undefined {
  if (!shown || !isMiss(shown)) return undefined
  const inOrder = others.toSorted((one, other) => one.id - other.id)
  const { target } = shown.request
  for (const keyOf of INCOMPLETE_KEYS) {
    const pairs = findPairs(inOrder, keyOf)
    const [before] = pairs.find(([, later]) => later.request.target === target) ?? []
    if (!before || !haveSameResponse(before, shown)) continue
    const commonPath = commonPathOf(target, before.request.target)
    const isKept = pairs.every(([, later]) => isMiss(later) || !later.request.target.startsWith(commonPath))
    if (isKept) return before
  }
  return undefined
}

const isMiss = ({ outcome }: Exchange): boolean => outcome.status === 404 || outcome.status === 410

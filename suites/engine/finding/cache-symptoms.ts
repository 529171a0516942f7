import type { Exchange } from '../http/client/exchange.ts'

const requestOf = ({ request: { method, target } }: Exchange): string => `${method} ${target}`

const haveSameResponse = (one: Exchange, other: Exchange): boolean =>
  one.outcome.status === other.outcome.status && one.excerpt === other.excerpt

/**
 * Returns the exchanges of two requests, A and B, that share an entry of a cache: A, sent right after B, gets the response
 * to B. Returns undefined if the sequence does not show that.
 * @param sequence first A alone; at the end B, and then A again
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

/** Returns the path that two request targets have in common, up to a slash, e.g. `/v3/items/`. */
function commonPathOf(one: string, other: string): string {
  const shared = [...one].findIndex((character, at) => character !== other[at])
  return one.slice(0, one.lastIndexOf('/', shared) + 1)
}

/**
 * Returns whether the response equals that of another request whose cache entry is shared, e.g. `/items/A` got the
 * list of `/items/B`. Only lists count: other responses, e.g. numbers, are often equal by chance.
 * @param sharing the two exchanges whose requests share the entry; empty if there are none
 */
export function isFromSharedEntry(sharing: readonly Exchange[], exchange: Exchange): boolean {
  const { target } = exchange.request
  const [one = '', other = ''] = sharing.map(({ request }) => request.target)
  return (
    target.startsWith(commonPathOf(one, other)) &&
    exchange.excerpt.includes('[') &&
    sharing.some((owner) => owner.request.target !== target && haveSameResponse(owner, exchange))
  )
}

/** Describes two requests that share an entry of a cache, e.g. `GET /a and HEAD /a share one entry`. */
export const describeSharedEntry = (sharing: readonly Exchange[]): string =>
  `${sharing.map(requestOf).join(' and ')} share one entry`

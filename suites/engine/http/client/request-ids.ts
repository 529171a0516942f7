/** The header that carries the id of a request, so that it is found in the deployment's own log. */
export const REQUEST_ID = 'x-request-id'

/**
 * Makes values of which no two are alike, in the form of a UUID (RFC 9562, version 4): some gateways refuse any other
 * request id. The last twelve digits count.
 * @param token hex digits, 16 at least, of one purpose of one session
 */
export function countedIds(token: string): () => string {
  const start = `${token.slice(0, 8)}-${token.slice(8, 12)}-4${token.slice(12, 15)}-8${token.slice(13, 16)}`
  let last = 0
  return () => `${start}-${(++last).toString(16).padStart(12, '0')}`
}

/** The header field with the id of a request, by which the request can be found in the deployment's log. */
export const REQUEST_ID_HEADER = 'x-request-id'

/**
 * Returns a function that creates unique ids. They have the form of a UUID (RFC 9562, version 4), because some gateways
 * refuse other ids. The last twelve digits are a counter.
 * @param token at least 16 hex digits; other sessions and purposes must use other tokens
 */
export function createUniqueIdGenerator(token: string): () => string {
  const start = `${token.slice(0, 8)}-${token.slice(8, 12)}-4${token.slice(12, 15)}-8${token.slice(13, 16)}`
  let last = 0
  return () => `${start}-${(++last).toString(16).padStart(12, '0')}`
}

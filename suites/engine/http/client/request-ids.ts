import { randomBytes } from 'node:crypto'

/** The header that carries the id of a request, so that it is found in the deployment's own log. */
export const REQUEST_ID = 'x-request-id'

/**
 * Makes ids for the requests of one run: in the form of a UUID (RFC 9562, version 4), for some gateways refuse any
 * other; alike within a run but for the last twelve digits, which count.
 */
export function requestIds(): () => string {
  const run = randomBytes(8).toString('hex')
  const start = `${run.slice(0, 8)}-${run.slice(8, 12)}-4${run.slice(12, 15)}-8${run.slice(13, 16)}`
  let last = 0
  return () => `${start}-${(++last).toString(16).padStart(12, '0')}`
}

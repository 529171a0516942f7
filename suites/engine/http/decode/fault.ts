/**
 * The reasons why an exchange has no complete response:
 * - `unreachable`: no connection was established, so the deployment got no request
 * - `dropped`: the connection ended before the response did
 * - `abandoned`: this client gave up early, because the server had just closed another connection
 * - `silent`: no complete response arrived within the deadline
 * - `malformed`: the response is not valid HTTP
 * - `undecodable`: the body is not in the declared content coding (e.g. gzip)
 * - `oversized`: the response exceeds the limits of this client
 * - `stopped`: this client gave up (interruption, end of the permitted time)
 * - `unrecorded`: responses come from a recording, and it has none for this request
 */
export type FaultKind =
  | 'unreachable'
  | 'dropped'
  | 'abandoned'
  | 'silent'
  | 'malformed'
  | 'undecodable'
  | 'oversized'
  | 'stopped'
  | 'unrecorded'

/** The result of an exchange without a complete response. */
export interface Fault {
  readonly kind: 'fault'
  readonly fault: FaultKind
  /** The reason, in one line. */
  readonly message: string
  /** The status of the response; absent if the fault occurred before it arrived. */
  readonly status?: number
}

const REFUSED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
])
const OVERSIZED = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE'])
/** Matches errors about a connection that ended before the body was complete. */
const INCOMPLETE_BODY = /UND_ERR_RES_CONTENT_LENGTH_MISMATCH|Invalid EOF state/
const MISUSE = /^(UND_ERR_INVALID|UND_ERR_NOT_SUPPORTED|UND_ERR_CLOSED|UND_ERR_DESTROYED|UND_ERR_REQ_)/
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO)/

/** Matches undici's error if a proxy refuses to open a tunnel. */
const PROXY_REFUSES = /^Proxy response \(\d+\)/

/** Thrown if this client itself ends an exchange. */
export class ExchangeStopped extends Error {
  readonly fault: FaultKind
  constructor(fault: FaultKind, message: string) {
    super(message)
    this.fault = fault
  }
}

/**
 * Returns the kind of fault for an error of the HTTP client.
 * @throws {Error} the error itself if this suite misused the client
 */
function classify(error: Error & { code?: unknown }): FaultKind {
  if (error instanceof ExchangeStopped) return error.fault
  const code = typeof error.code === 'string' ? error.code : ''
  if (REFUSED.has(code) || TLS.test(code) || PROXY_REFUSES.test(error.message)) return 'unreachable'
  if (OVERSIZED.has(code)) return 'oversized'
  if (INCOMPLETE_BODY.test(`${code} ${error.message}`)) return 'dropped'
  if (error.name === 'HTTPParserError') return 'malformed'
  if (MISUSE.test(code)) throw error
  return 'dropped'
}

/**
 * Extracts the reason from a message of OpenSSL. E.g. that of `0:error:0A00045C:SSL routines:fn:tlsv13 alert
 * certificate required:file:line:` is `tlsv13 alert certificate required`.
 */
const extractOpensslReason = (message: string): string =>
  /error:[0-9A-F]{8}:[^:]*:[^:]*:([^:]+)/.exec(message)?.[1]?.trim() ?? message.split('\n', 1)[0] ?? ''

/**
 * Clear messages for errors whose own message is jargon, e.g. `getaddrinfo ENOTFOUND host`, or contains only an
 * address.
 */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the server reset the connection',
  UND_ERR_SOCKET: 'the server closed the connection without a complete response',
  EPIPE: 'the server closed the connection',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the name server did not respond',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'no connection to the server was established in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection to the server was established in time',
}

function describe(error: Error & { code?: unknown }): string {
  // If a host has several addresses and all connections failed, the first error is reported.
  const [first = error] = error instanceof AggregateError ? (error.errors as readonly Error[]) : []
  const sentence = typeof error.code === 'string' ? SENTENCES[error.code] : undefined
  const message = sentence ?? extractOpensslReason(first.message)
  return typeof error.code === 'string' && !message.includes(error.code) ? `${message} (${error.code})` : message
}

/**
 * Creates the fault for an error of the HTTP client.
 * @param status the status of the response; 0 if none arrived
 * @throws {Error} the error itself, if this suite misused the HTTP client
 */
export const createFaultFromError = (error: Error, status: number): Fault => ({
  kind: 'fault',
  fault: classify(error),
  message: describe(error),
  ...(status && { status }),
})

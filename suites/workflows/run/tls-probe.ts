import { connect } from 'node:tls'

const MAX_PROBE_MS = 2000

/**
 * Connects to the port of an http URL, and returns whether the server uses TLS.
 * @param signal aborts the attempt
 */
export function speaksTls(baseUrl: string, signal: AbortSignal): Promise<boolean> {
  const { protocol, hostname, port } = new URL(baseUrl)
  if (protocol !== 'http:' || signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    // Accepts any certificate, because no request is sent.
    const socket = connect({ host, port: Number(port || 80), rejectUnauthorized: false, timeout: MAX_PROBE_MS })
    const end = (speaks: boolean) => {
      socket.destroy()
      signal.removeEventListener('abort', onAbort)
      resolve(speaks)
    }
    const onAbort = () => end(false)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('secureConnect', () => end(true))
    for (const event of ['error', 'timeout', 'close'] as const) socket.once(event, () => end(false))
  })
}

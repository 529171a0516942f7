import { connect } from 'node:tls'

const LONGEST_MS = 2000

/** Whether TLS is spoken where a base URL says http: whoever asks there in the clear is cut off or told so. */
export function speaksTls(baseUrl: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(baseUrl)
  if (protocol !== 'http:') return Promise.resolve(false)
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    // Nothing is asked, so nobody need be trusted.
    const socket = connect({ host, port: Number(port || 80), rejectUnauthorized: false, timeout: LONGEST_MS })
    const end = (speaks: boolean) => {
      socket.destroy()
      resolve(speaks)
    }
    socket.once('secureConnect', () => end(true))
    for (const event of ['error', 'timeout', 'close'] as const) socket.once(event, () => end(false))
  })
}

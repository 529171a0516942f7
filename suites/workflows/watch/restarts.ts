import { connect } from 'node:net'
import { systemClock } from '../../engine/clock.ts'

/** The interval between two connection attempts: short for a service on this machine, to notice a quick restart. */
const POLL_INTERVALS_MS = { local: 100, remote: 1000 }
const MAX_PROBE_MS = 3000

/** Returns whether the port accepts connections. Sends no request, so that the logs of the service stay empty. */
function isListening(url: URL): Promise<boolean> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: MAX_PROBE_MS })
    const end = (listens: boolean) => {
      socket.destroy()
      resolve(listens)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

/**
 * Waits until a deployment becomes unavailable, and then available again. If it is unavailable at the start, waits only
 * until it is available.
 * @param onAway called when the deployment becomes unavailable
 * @returns false if the wait was aborted
 */
export async function waitForRestart(baseUrl: string, ends: AbortSignal, onAway: () => void): Promise<boolean> {
  const url = new URL(baseUrl)
  const ms = /^(localhost|127\.|\[::1\])/.test(url.hostname) ? POLL_INTERVALS_MS.local : POLL_INTERVALS_MS.remote
  let wasAway = false
  while (!ends.aborted) {
    const isThere = await isListening(url)
    if (isThere && wasAway) return true
    if (!isThere && !wasAway) onAway()
    wasAway = !isThere
    await systemClock.sleep(ms, ends)
  }
  return false
}

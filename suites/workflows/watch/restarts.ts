import { connect } from 'node:net'
import { systemClock } from '../../engine/clock.ts'

/** Often enough for a restart of a moment, where a look costs no more than a moment either; elsewhere politely. */
const BETWEEN_LOOKS_MS = { here: 100, elsewhere: 1000 }
const LONGEST_LOOK_MS = 3000

/** Whether anybody listens. Nothing is sent: no log of the service shows it. */
function isListening(url: URL): Promise<boolean> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: LONGEST_LOOK_MS })
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
 * Waits until a deployment went away and is back, or where it is away, until it is there.
 * @param onAway told when it went away
 * @returns whether that came before the end
 */
export async function restarted(baseUrl: string, ends: AbortSignal, onAway: () => void): Promise<boolean> {
  const url = new URL(baseUrl)
  const ms = /^(localhost|127\.|\[::1\])/.test(url.hostname) ? BETWEEN_LOOKS_MS.here : BETWEEN_LOOKS_MS.elsewhere
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

import { setTimeout as sleep } from 'node:timers/promises'

/** Lets so many through at once, so many in a second, and none before a moment that the deployment asked for. */
export interface Limiter {
  run<T>(work: () => Promise<T>): Promise<T>
  /** Nothing starts for so many milliseconds; and from then on less at once, and less often. */
  slowDown(ms: number): void
  /** All went well: after a while of that, a little more at once again, and more often. */
  wentWell(): void
}

const FIRST_SPACING_MS = 10
const MOST_SPACING_MS = 250
const A_WHILE = 15

/**
 * @param concurrency how many at once, at least 1
 * @param perSecond how many may start in a second, `Infinity` for no bound
 * @param signal ends all waiting: what waits goes ahead, and finds out by itself that it is over
 */
export function createLimiter(concurrency: number, perSecond: number, signal: AbortSignal): Limiter {
  const queue: (() => void)[] = []
  let allowed = concurrency
  let running = 0
  const ownSpacing = 1000 / perSecond
  let spacing = ownSpacing
  let well = 0
  let nextStart = 0
  let slowedAt = Number.NEGATIVE_INFINITY
  const letThrough = () => {
    while (running < allowed && queue.length > 0) {
      running++
      queue.shift()?.()
    }
  }
  const turn = async () => {
    const start = Math.max(performance.now(), nextStart)
    nextStart = start + spacing
    if (start > performance.now()) await sleep(start - performance.now(), undefined, { signal }).catch(() => {})
  }
  return {
    async run(work) {
      await new Promise<void>((resolve) => {
        queue.push(resolve)
        letThrough()
      })
      try {
        await turn()
        return await work()
      } finally {
        running--
        letThrough()
      }
    },
    slowDown(ms) {
      const now = performance.now()
      nextStart = Math.max(nextStart, now + ms)
      // All that was under way is refused together: that is one reason to slow down, not sixteen.
      // Who asks for no wait asks for no slowness either.
      if (ms === 0 || now < slowedAt + Math.max(ms, 50)) return
      well = 0
      slowedAt = now
      allowed = Math.max(1, Math.floor(allowed / 2))
      spacing = Math.max(ownSpacing, Math.min(MOST_SPACING_MS, Math.max(FIRST_SPACING_MS, spacing * 2)))
    },
    wentWell() {
      if (allowed === concurrency && spacing === ownSpacing) return
      if (++well % A_WHILE !== 0) return
      allowed = Math.min(concurrency, allowed + 1)
      spacing = Math.max(ownSpacing, spacing < FIRST_SPACING_MS ? 0 : spacing * 0.8)
      letThrough()
    },
  }
}

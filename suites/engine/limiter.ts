import { setTimeout as sleep } from 'node:timers/promises'

/** Lets so many through at once, so many in a second, and none before a moment that the deployment asked for. */
export interface Limiter {
  run<T>(work: () => Promise<T>): Promise<T>
  /** Nothing starts for so many milliseconds. */
  pause(ms: number): void
}

/**
 * @param concurrency how many at once, at least 1
 * @param perSecond how many may start in a second, `Infinity` for no bound
 * @param signal ends all waiting: what waits goes ahead, and finds out by itself that it is over
 */
export function createLimiter(concurrency: number, perSecond: number, signal: AbortSignal): Limiter {
  const queue: (() => void)[] = []
  let free = concurrency
  let nextStart = 0
  const acquire = () => (free > 0 ? void free-- : new Promise<void>((resolve) => queue.push(resolve)))
  const release = () => {
    const next = queue.shift()
    if (next) next()
    else free++
  }
  const turn = async () => {
    const now = performance.now()
    const start = Math.max(now, nextStart)
    if (Number.isFinite(perSecond)) nextStart = start + 1000 / perSecond
    if (start > now) await sleep(start - now, undefined, { signal }).catch(() => {})
  }
  return {
    async run(work) {
      await acquire()
      try {
        await turn()
        return await work()
      } finally {
        release()
      }
    },
    pause(ms) {
      nextStart = Math.max(nextStart, performance.now() + ms)
    },
  }
}

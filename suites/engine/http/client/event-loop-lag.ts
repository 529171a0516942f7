const BEAT_MS = 20

let [users, lag, expected] = [0, 0, 0]
let timer: NodeJS.Timeout | undefined

const lateness = (): number => (timer ? Math.max(0, performance.now() - expected) : 0)

function beat(): void {
  lag += lateness()
  expected = performance.now() + BEAT_MS
}

/**
 * The process's one clock of its event-loop lag, which runs while somebody holds it and keeps no process alive.
 * By hand, because monitorEventLoopDelay tells how delays are distributed, not how much time was lost between two moments.
 */
export const eventLoopLag = {
  hold(): void {
    if (users++ > 0) return
    expected = performance.now() + BEAT_MS
    timer = setInterval(beat, BEAT_MS).unref()
  },
  release(): void {
    if (--users > 0) return
    clearInterval(timer)
    timer = undefined
  },
  /** Milliseconds for which this process was too busy to look at its sockets: time that no deployment is to blame for. */
  lagMs: (): number => lag + (lateness() > BEAT_MS ? lateness() : 0),
}

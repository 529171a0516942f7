const BEAT_MS = 20

/** Milliseconds for which this process was too busy to look at its sockets: time that no deployment is to blame for. */
export interface StallClock {
  stalledMs(): number
}

let clock: StallClock | undefined

/** The process's one clock of its own stalls; it keeps no process alive. */
export function stallClock(): StallClock {
  if (clock) return clock
  let stalled = 0
  let expected = performance.now() + BEAT_MS
  const lateness = () => Math.max(0, performance.now() - expected)
  setInterval(() => {
    stalled += lateness()
    expected = performance.now() + BEAT_MS
  }, BEAT_MS).unref()
  clock = { stalledMs: () => stalled + (lateness() > BEAT_MS ? lateness() : 0) }
  return clock
}

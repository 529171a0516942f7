import { systemClock } from '../engine/clock.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import type { Options } from '../options/options.ts'

/**
 * Creates a signal that ends a run early: at its time limit, at an interruption by the user, or if a newer round of
 * `--watch` is waiting. The function `release` stops the timer and the listeners.
 */
export function createEndSignal(
  { maxTimeSeconds: seconds }: Pick<Options, 'maxTimeSeconds'>,
  interruption: AbortSignal,
  newerRound?: AbortSignal,
): { readonly signal: AbortSignal; release(): void } {
  const [end, released] = [new AbortController(), new AbortController()]
  const endOnSignal = (signal: AbortSignal | undefined, why: string) => {
    const onAbort = () => end.abort(new Inconclusive('interrupted', why))
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort, { signal: released.signal })
  }
  endOnSignal(interruption, 'interrupted by the user')
  endOnSignal(newerRound, 'a newer round started')
  const endOnTime = () =>
    end.abort(new Inconclusive('budget', `the time limit of ${seconds} s was reached (--max-time)`))
  const timer = seconds === undefined ? undefined : systemClock.after(seconds * 1000, endOnTime)
  const release = () => {
    timer?.cancel()
    released.abort()
  }
  return { signal: end.signal, release }
}

import { systemClock } from '../engine/clock.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import type { Options } from '../options/options.ts'

/** A time or interruption that ends a run. */
export interface RunLimit {
  readonly signal: AbortSignal
  release(): void
}

/**
 * Ends the run if the user interrupts it, or when its time is over.
 * @param overtaken aborted if a newer round is waiting
 */
export function createRunLimit(
  { maxTimeSeconds: seconds }: Pick<Options, 'maxTimeSeconds'>,
  interrupted: AbortSignal,
  overtaken?: AbortSignal,
): RunLimit {
  const end = new AbortController()
  const forgets = [
    endOnSignal(interrupted, end, new Inconclusive('interrupted', 'interrupted by the user')),
    ...(overtaken ? [endOnSignal(overtaken, end, new Inconclusive('interrupted', 'something changed meanwhile'))] : []),
  ]
  const over = () => end.abort(new Inconclusive('budget', `the ${seconds} s allowed are over`))
  const timer = seconds === undefined ? undefined : systemClock.after(seconds * 1000, over)
  const forget = () => {
    timer?.cancel()
    for (const one of forgets) one()
  }
  return { signal: end.signal, release: forget }
}

/** @returns a function that removes the listener */
function endOnSignal(signal: AbortSignal, end: AbortController, why: Inconclusive): () => void {
  const onAbort = () => end.abort(why)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return () => signal.removeEventListener('abort', onAbort)
}

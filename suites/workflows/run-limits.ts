import { systemClock } from '../engine/clock.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import type { Options } from '../options/options.ts'

/** What ends a run before its end. */
export interface End {
  readonly signal: AbortSignal
  forget(): void
}

/**
 * Ends when the user interrupts, or when the time allowed is over.
 * @param overtaken aborted when there is something else to judge meanwhile
 */
export function endOf(
  { maxTimeSeconds: seconds }: Pick<Options, 'maxTimeSeconds'>,
  interrupted: AbortSignal,
  overtaken?: AbortSignal,
): End {
  const end = new AbortController()
  const forgets = [
    endOn(interrupted, end, new Inconclusive('interrupted', 'interrupted by the user')),
    ...(overtaken ? [endOn(overtaken, end, new Inconclusive('interrupted', 'something changed meanwhile'))] : []),
  ]
  const over = () => end.abort(new Inconclusive('budget', `the ${seconds} s allowed are over`))
  const timer = seconds === undefined ? undefined : systemClock.after(seconds * 1000, over)
  const forget = () => {
    timer?.cancel()
    for (const one of forgets) one()
  }
  return { signal: end.signal, forget }
}

/** @returns what takes the listener away */
function endOn(signal: AbortSignal, end: AbortController, why: Inconclusive): () => void {
  const onAbort = () => end.abort(why)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return () => signal.removeEventListener('abort', onAbort)
}

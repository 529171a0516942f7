import type { Status } from '../../suites/engine/check/verdict.ts'

/** Formats a whole number with separators, e.g. 1,234,567. `Intl` is not used, because it takes 10 ms to load. */
export function formatWholeNumber(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Formats a number with its noun, e.g. `1 check`, `2 checks`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatWholeNumber(count)} ${count === 1 ? noun : plural}`
}

/** Formats a duration for people, e.g. `29 ms` or `3.1 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** The word for each status, the most important status first. */
export const statusWords: readonly (readonly [Status, string])[] = [
  ['fail', 'failed'],
  ['error', 'in error'],
  ['inconclusive', 'inconclusive'],
  ['warn', 'with advice'],
  ['pass', 'passed'],
  ['not-applicable', 'not applicable to this run'],
]

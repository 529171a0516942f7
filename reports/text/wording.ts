import type { Status } from '../../suites/engine/check/verdict.ts'

/** Formats a whole number with separators, e.g. 1,234,567. Intl takes 10 ms to load. */
export function formatWholeNumber(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Formats a number with its noun. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatWholeNumber(count)} ${count === 1 ? noun : plural}`
}

/** Formats a duration for people. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** The words for each status, the most important first. */
export const statusWords: readonly (readonly [Status, string])[] = [
  ['fail', 'failed'],
  ['error', 'in error'],
  ['inconclusive', 'inconclusive'],
  ['warn', 'with advice'],
  ['pass', 'passed'],
  ['not-applicable', 'not applicable'],
]

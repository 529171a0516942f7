import { nearest } from '../options/usage-error.ts'

/** Whether a check is meant by an id or the beginning of one. */
export const isSelected =
  (only: readonly string[]) =>
  (id: string): boolean =>
    only.length === 0 || only.some((start) => id === start || id.startsWith(start))

/** The check, or the beginning of several, that was probably meant. */
export const nearestStart = (start: string, ids: readonly string[]): string | undefined =>
  nearest(start, [...new Set([...ids.map((id) => id.replace(/(?<=\/).*/, '')), ...ids])])

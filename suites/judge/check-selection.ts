import { findNearest } from '../options/usage-error.ts'

/** True if an id or a prefix selects a check. */
export const isSelected =
  (only: readonly string[]) =>
  (id: string): boolean =>
    only.length === 0 || only.some((start) => id === start || id.startsWith(start))

/** The most similar id or prefix. */
export const findNearestPrefix = (start: string, ids: readonly string[]): string | undefined =>
  findNearest(start, [...new Set([...ids.map((id) => id.replace(/(?<=\/).*/, '')), ...ids])])

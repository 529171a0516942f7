import { findNearest } from '../options/usage-error.ts'

/** Creates a function that returns whether one of the given ids or prefixes selects a check. */
export const createIdSelector =
  (only: readonly string[]) =>
  (id: string): boolean =>
    only.length === 0 || only.some((start) => id === start || id.startsWith(start))

/** Finds the id or prefix most similar to a text. */
export const findNearestPrefix = (start: string, ids: readonly string[]): string | undefined =>
  findNearest(start, [...new Set([...ids.map((id) => id.replace(/(?<=\/).*/, '')), ...ids])])

import { findMostSimilarWord } from '../options/usage-error.ts'

/** Creates a function that returns whether a check is selected: its id equals or begins with one of the given texts. */
export const createIdSelector =
  (only: readonly string[]) =>
  (id: string): boolean =>
    only.length === 0 || only.some((start) => id === start || id.startsWith(start))

/** Finds the id or prefix that is most similar to a misspelt one. */
export const findMostSimilarIdOrPrefix = (start: string, ids: readonly string[]): string | undefined =>
  findMostSimilarWord(start, [...new Set([...ids.map((id) => id.replace(/(?<=\/).*/, '')), ...ids])])

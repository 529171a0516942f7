import { randomUUID } from 'node:crypto'

/** A value that no URL had before. */
export const newValue = (): string => randomUUID()

/**
 * The target with a query parameter that nobody asked before: caches that go by the URL have no copy of that.
 * @param value of the parameter, where several targets share it
 */
export const pastCaches = (target: string, value = newValue()): string =>
  `${target}${target.includes('?') ? '&' : '?'}_=${value}`

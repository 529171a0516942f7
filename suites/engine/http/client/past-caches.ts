/**
 * Adds a query parameter with a new value to the target: a cache whose key is the URL has no copy of it.
 * @param value the value; no URL had it before, unless several targets share it
 */
export const pastCaches = (target: string, value: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}_=${value}`

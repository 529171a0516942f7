/**
 * The target with a query parameter that nobody asked before: caches that go by the URL have no copy of that.
 * @param value of the parameter; no URL had it before, unless several targets share it
 */
export const pastCaches = (target: string, value: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}_=${value}`

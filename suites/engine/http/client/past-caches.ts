/**
 * Adds a query parameter to the target, so that a cache whose key is the URL has no copy.
 * @param value a value that no URL had before, unless several targets share it
 */
export const bypassCaches = (target: string, value: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}_=${value}`

/** Removes the value again, the only difference between such requests for one target. */
export const withoutUniqueValue = (target: string): string => target.replace(/([?&]_=)[^&]*$/, '$1')

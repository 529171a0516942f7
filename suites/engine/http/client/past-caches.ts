/**
 * Adds a query parameter to the target, so that a cache whose key is the URL has no copy.
 * @param value a value that no URL had before; targets may share it
 */
export const bypassCaches = (target: string, value: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}_=${value}`

/** Removes the value that `bypassCaches` added, so that requests for the same target compare equal. */
export const removeUniqueValue = (target: string): string => target.replace(/([?&]_=)[^&]*$/, '$1')

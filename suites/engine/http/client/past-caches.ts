/**
 * Adds a query parameter to the target. A cache whose key is the URL then has no copy of the response.
 * @param value a value that no URL had before; several targets may share it
 */
export const bypassCaches = (target: string, value: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}_=${value}`

/** Removes the value that `bypassCaches` added. Without it, requests for the same target are equal. */
export const removeUniqueValue = (target: string): string => target.replace(/([?&]_=)[^&]*$/, '$1')

/** The parameter that `bypassCaches` adds, with a value in the form of a UUID. */
const UNIQUE_PARAMETER = /([?&]_=)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=&|$)/g

/**
 * Adds a query parameter to the target. A cache whose key is the URL then has no copy of the response. If the target
 * has the parameter already, replaces its value: a link to a later page may repeat it.
 * @param value a value that no URL had before; several targets may share it
 */
export const bypassCaches = (target: string, value: string): string =>
  target === removeUniqueValue(target)
    ? `${target}${target.includes('?') ? '&' : '?'}_=${value}`
    : target.replace(UNIQUE_PARAMETER, `$1${value}`)

/**
 * Removes the parameter that `bypassCaches` added. The result identifies a resource, but may be no valid target: it may
 * begin its query with `&`.
 */
export const removeUniqueParameter = (target: string): string => target.replace(UNIQUE_PARAMETER, '')

/** Removes the value that `bypassCaches` added. Without it, requests for the same target are equal. */
export const removeUniqueValue = (target: string): string => target.replace(UNIQUE_PARAMETER, '$1')

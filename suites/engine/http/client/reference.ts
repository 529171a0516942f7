/**
 * Encodes the percent sign of encoded dots, e.g. in `/one/%2E%2E/other`, before `URL` resolves a reference. Otherwise
 * `URL` would take them for the segment `..` and remove segments, although they are data: RFC 3986 removes only literal
 * dots.
 */
const protectEncodedDots = (text: string): string => text.replace(/%((?:25)*2e)/gi, '%25$1')
const restoreEncodedDots = (text: string): string => text.replace(/%25((?:25)*2e)/gi, '%$1')

/** Resolves a link to a path and query; undefined if it leads to another origin than the base URL. */
export function resolveTarget(reference: string, base: string): string | undefined {
  const [from, to] = [protectEncodedDots(base), protectEncodedDots(reference)]
  if (!URL.canParse(to, from)) return undefined
  const { origin, pathname, search } = new URL(to, from)
  return origin === new URL(from).origin ? restoreEncodedDots(pathname + search) : undefined
}

/** Decodes percent-encoding; undefined if it is malformed or not UTF-8. */
export function decodeOrUndefined(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Decodes percent-encoding. Returns the text as it is if it is malformed or not UTF-8. */
export const decodeOrKeep = (text: string): string => decodeOrUndefined(text) ?? text

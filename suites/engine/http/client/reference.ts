/**
 * Encodes the percent sign of encoded dots before `URL` resolves a reference. `URL` would remove encoded dot segments,
 * e.g. in `/one/%2E%2E/other`. They are data: RFC 3986 removes only literal ones.
 */
const protectEncodedDots = (text: string): string => text.replace(/%((?:25)*2e)/gi, '%25$1')
const restored = (text: string): string => text.replace(/%25((?:25)*2e)/gi, '%$1')

/** Resolves a reference; undefined if it leads to another origin than the base URL. */
export function resolveTarget(reference: string, base: string): string | undefined {
  const [from, to] = [protectEncodedDots(base), protectEncodedDots(reference)]
  if (!URL.canParse(to, from)) return undefined
  const { origin, pathname, search } = new URL(to, from)
  return origin === new URL(from).origin ? restored(pathname + search) : undefined
}

/**
 * RFC 3986 removes dot segments from a reference as they are written, and an encoded dot is data. `URL` removes both:
 * the dots of `/one/%2E%2E/other` are encoded once more while it resolves.
 */
const kept = (text: string): string => text.replace(/%((?:25)*2e)/gi, '%25$1')
const restored = (text: string): string => text.replace(/%25((?:25)*2e)/gi, '%$1')

/** Resolves a reference; undefined if it leaves the origin of its base URL. */
export function targetWithin(reference: string, base: string): string | undefined {
  const [from, to] = [kept(base), kept(reference)]
  if (!URL.canParse(to, from)) return undefined
  const { origin, pathname, search } = new URL(to, from)
  return origin === new URL(from).origin ? restored(pathname + search) : undefined
}

/** What stands in a report where a secret stood. */
export const MASK = '***'

/** Too short to be told from ordinary text. */
const SHORTEST = 4

/** The ways in which a deployment may say a secret back. */
const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
]

/**
 * Makes a function that masks secrets in text, for what a deployment echoes ends in reports too.
 * @param headers name and value of every secret header; for credentials with a scheme the credentials alone count as well
 */
export function masking(headers: Readonly<Record<string, string>>): (text: string) => string {
  const secrets = Object.values(headers).flatMap((value) => [value, value.replace(/^[A-Za-z-]+ +/, '')])
  const all = [...new Set(secrets.flatMap(spellings))]
    .filter(({ length }) => length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
  return (text) => all.reduce((masked, secret) => masked.replaceAll(secret, MASK), text)
}

/** Masks every string in a value of plain data, Maps and Dates included. */
export function maskAll<T>(value: T, mask: (text: string) => string): T {
  const masked = (one: unknown): unknown => {
    if (typeof one === 'string') return mask(one)
    if (Array.isArray(one)) return one.map(masked)
    if (one instanceof Map) return new Map([...one].map(([key, item]) => [key, masked(item)]))
    if (typeof one !== 'object' || one === null || one instanceof Date) return one
    return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, masked(item)]))
  }
  return masked(value) as T // the same shape: only strings inside are changed
}

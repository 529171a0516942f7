/** Whether a percent-encoded text can be decoded as UTF-8. */
export const isWellFormed = (raw: string): boolean => {
  try {
    decodeURIComponent(raw)
    return true
  } catch {
    return false
  }
}

/** Apart: a 5xx for the first is advice, for the second a violation. */
const MALFORMED = { path: 'malformed percent-encoding in a path', query: 'malformed percent-encoding in a query' }
const SYNTAX = 'regular-expression and query syntax'

type StringClass = readonly [name: string, has: (text: string) => boolean]

/** What a decoded string may contain, where strings of a class share the code that they bring down. */
const CLASSES: readonly StringClass[] = [
  [SYNTAX, (text) => /[[\](){}*+?|\\^$~:"]/.test(text)],
  ['quotes and signs of SQL', (text) => /['%_;]|--/.test(text)],
  ['control characters', (text) => /\p{Cc}/u.test(text)],
  ['path syntax', (text) => /\/|^\.\.?$/.test(text)],
  ['characters beyond the basic plane', (text) => /[\u{10000}-\u{10ffff}]/u.test(text)],
  ['characters beyond ASCII', (text) => /[^\x00-\x7f]/.test(text)],
  ['long strings', (text) => text.length > 200],
]

/** The path segments of a target without a query, else the values of its query. */
function stringsIn(target: string): string[] {
  const [path = '', ...query] = target.split('?')
  return query.length === 0
    ? path.split('/').map(decodeURIComponent)
    : query
        .join('?')
        .split('&')
        .map((one) => decodeURIComponent(one.replace(/^[^=]*=/, '')))
}

/**
 * The class of the string in a request target; undefined for plain words, numbers and routes. Ruling 13: "a class of
 * strings that has cost two outages is not tried further".
 * @param target below the base URL
 */
export function stringClassOf(target: string): string | undefined {
  if (!isWellFormed(target)) return target.includes('?') ? MALFORMED.query : MALFORMED.path
  if (/[?&]q(\[|%5B)|[?&]q=.*&q=/i.test(target)) return 'q twice or as an array'
  const strings = stringsIn(target)
  return CLASSES.find(([, has]) => strings.some(has))?.[0]
}

/** Ruling 13: the classes that bring processes down most often are sent last. */
export function isSentLast(target: string): boolean {
  const kind = stringClassOf(target)
  return [MALFORMED.path, MALFORMED.query, SYNTAX].some((one) => one === kind)
}

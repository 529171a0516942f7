import { decodeOrUndefined } from '../../engine/http/client/reference.ts'
import { memoiseByText } from '../../engine/memoise.ts'

export const isValidPercentEncoding = (raw: string): boolean => decodeOrUndefined(raw) !== undefined

/** Classes of malformed percent-encoding: a server error is a violation in a query, and only advice in a path. */
const MALFORMED_CLASSES = {
  path: 'malformed percent-encoding in a path',
  query: 'malformed percent-encoding in a query',
}
const SYNTAX_CLASS = 'regular-expression and query syntax'

type StringClass = readonly [name: string, isInClass: (text: string) => boolean]

/** Classes of decoded strings. Strings of one class are likely to make the same code of a service crash. */
const STRING_CLASSES: readonly StringClass[] = [
  [SYNTAX_CLASS, (text) => /[[\](){}*+?|\\^$~:"]/.test(text)],
  ['quotes and special characters of SQL', (text) => /['%_;]|--/.test(text)],
  ['control characters', (text) => /\p{Cc}/u.test(text)],
  ['path syntax', (text) => /\/|^\.\.?$/.test(text)],
  ['characters beyond U+FFFF', (text) => /[\u{10000}-\u{10ffff}]/u.test(text)],
  ['characters beyond ASCII', (text) => /[^\x00-\x7f]/.test(text)],
  ['long strings', (text) => text.length > 200],
]

/** The last segment of the path of lives. It contains `_`, a special character of SQL, but is not an input. */
const ROUTE_SEGMENT = 'lives_left'

/** Returns the decoded strings of a request target: the values of its query, or else the segments of its path. */
function findStringsIn(target: string): string[] {
  const [path = '', ...query] = target.split('?')
  return query.length === 0
    ? path
        .split('/')
        .filter((segment) => segment !== ROUTE_SEGMENT)
        .map(decodeURIComponent)
    : query
        .join('?')
        .split('&')
        .map((one) => decodeURIComponent(one.replace(/^[^=]*=/, '')))
}

function findStringClass(target: string): string | undefined {
  if (!isValidPercentEncoding(target)) return target.includes('?') ? MALFORMED_CLASSES.query : MALFORMED_CLASSES.path
  if (/[?&]q(\[|%5B)|[?&]q=.*&q=/i.test(target)) return 'parameter q twice or as an array'
  const strings = findStringsIn(target)
  return STRING_CLASSES.find(([, isInClass]) => strings.some(isInClass))?.[0]
}

/** Memoises the class of a target, because several parts of a run need it for each request. */
const classify = memoiseByText((target) => ({ stringClass: findStringClass(target) }))

/**
 * Returns the class of the strings in a request target, e.g. `control characters`; undefined if they are in no class.
 * After two crashes, no more strings of a class are sent (R13.7).
 */
export const stringClassOf = (target: string): string | undefined => classify(target).stringClass

/** Returns whether a request is sent after all others, because its class often causes crashes (R13.7). */
export function isSentLast(target: string): boolean {
  const stringClass = stringClassOf(target)
  return [MALFORMED_CLASSES.path, MALFORMED_CLASSES.query, SYNTAX_CLASS].some((one) => one === stringClass)
}

/** The number of characters of a string that a pattern contains. */
const MAX_STRING_CHARACTERS = 200

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Matches a unit that a JSON string cannot contain without an escape. */
const MUST_BE_ESCAPED = /["\\\x00-\x1f]/

/**
 * Returns a pattern for all ways in which JSON texts spell a UTF-16 unit, e.g. `/`, `\/` and `\u002F`. No text matches
 * two of them, because a search for many such units would otherwise take hours.
 */
function patternOfUnit(unit: string): string {
  if (/[A-Za-z0-9 ]/.test(unit)) return unit
  const digits = unit.charCodeAt(0).toString(16).padStart(4, '0')
  const anyCase = digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const escaped = MUST_BE_ESCAPED.test(unit) ? JSON.stringify(unit).slice(1, -1) : unit
  const spellings = [escaped, ...(unit === '/' ? ['\\/'] : [])]
  return `(?:${spellings.map(escapeForPattern).join('|')}|\\\\u${anyCase})`
}

/**
 * Returns a pattern for all ways in which JSON texts spell a string.
 * @param isWhole false if further characters may follow
 */
function patternOfString(text: string, isWhole = true): string {
  const start = text.slice(0, MAX_STRING_CHARACTERS)
  return `"${start.split('').map(patternOfUnit).join('')}${isWhole && start === text ? '"' : ''}`
}

/** Creates a pattern that finds a string in JSON texts, however they escape its characters. */
export const createStringPattern = (text: string): RegExp => new RegExp(patternOfString(text), 'g')

/** Matches a string, a punctuation mark or another literal of a JSON text. A string at the end may lack its end. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*(?:"|$)|[[\]{},:]|[^\s"[\]{},:]+/g

/**
 * Creates a pattern that finds an element of an array in JSON texts, with any white space and escapes.
 * @param json the element as JSON; a long one may be cut and end with `…`
 */
export function createElementPattern(json: string): RegExp {
  const start = json.replace(/…$/, '')
  const end = start === json ? `(?=${BLANKS}[,\\]])` : ''
  const [first = '', ...others] = (start.match(JSON_TOKEN) ?? []).map(patternOfToken)
  // The characters before the element are matched after its first token, because bodies contain more white space.
  const beginning = `${first}(?<=[[,]${BLANKS}${first})`
  return new RegExp([beginning, ...others].join(BLANKS) + end, 'g')
}

/** Matches white space between tokens. Without the limit, a body of only spaces would take minutes to search. */
const BLANKS = '\\s{0,200}'

function patternOfToken(token: string): string {
  if (!token.startsWith('"')) return escapeForPattern(token)
  const isWhole = /^"(?:[^"\\]|\\.)*"$/.test(token)
  return patternOfString(isWhole ? (JSON.parse(token) as string) : token.slice(1).replace(/\\.*$/, ''), isWhole) // JSON.parse returns a string.
}

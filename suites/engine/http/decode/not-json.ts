/** A common mistake because of which a text is not JSON, and the function that corrects it. */
interface CommonMistake {
  readonly description: string | ((text: string) => string)
  readonly correct: (text: string) => string
}

/** Creates a pattern that also matches whole JSON strings, so that the given pattern matches nothing within them. */
const outsideStrings = (pattern: string): RegExp => new RegExp(`"(?:[^"\\\\]|\\\\.)*"|${pattern}`, 'gs')

/** Returns a function that replaces a pattern, except within JSON strings. */
const replaceOutsideStrings =
  (pattern: string, by: string) =>
  (text: string): string =>
    text.replace(outsideStrings(pattern), (found) => (found.startsWith('"') ? found : by))

/** Returns a function that finds the first match of a pattern, except within JSON strings. */
const findOutsideStrings =
  (pattern: string) =>
  (text: string): string | undefined =>
    text.match(outsideStrings(pattern))?.find((found) => !found.startsWith('"'))

/** Matches the values of JavaScript that JSON lacks. */
const WORD_OF_JAVASCRIPT = '-?\\b(?:NaN|Infinity|undefined)\\b'

/** Returns the argument of a function call, e.g. `{}` of `callback({});`; other texts unchanged. */
function unwrapCall(text: string): string {
  const call = text.trim().replace(/;$/, '')
  const [name] = /^[\w.$]{1,100}\(/.exec(call) ?? []
  return name !== undefined && call.endsWith(')') ? call.slice(name.length, -1) : text
}

const COMMON_MISTAKES: readonly CommonMistake[] = [
  { description: 'there is a comma before a closing bracket', correct: replaceOutsideStrings(',(?=\\s*[\\]}])', '') },
  {
    description: (text) =>
      `the body contains ${findOutsideStrings(WORD_OF_JAVASCRIPT)(text)}, which JSON does not allow`,
    correct: replaceOutsideStrings(WORD_OF_JAVASCRIPT, 'null'),
  },
  {
    description: "a prefix against JSON hijacking, such as )]}', stands before the JSON",
    correct: (text) => text.replace(/^(?:\)\]\}'?,?|while\s*\(1\);?|for\s*\(;;\);?)/, ''),
  },
  { description: 'the JSON is wrapped in a function call (JSONP)', correct: unwrapCall },
  {
    description: 'strings have single quotes instead of double quotes',
    correct: (text) =>
      (text.includes('"') ? text : text.replaceAll("'", '"')).replace(/\b(None|True|False)\b/g, (word) =>
        word === 'None' ? 'null' : word.toLowerCase(),
      ),
  },
]

/** The maximum length of a text to diagnose: the patterns would take too long for a long hostile text. */
const MAX_DIAGNOSED_CHARACTERS = 1 << 14

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the position in an error message of `JSON.parse`, e.g. 12 for `… at position 12`. */
export function errorPositionIn(message: string): number | undefined {
  const [, position] = /position (\d+)/.exec(message) ?? []
  return position === undefined ? undefined : Number(position)
}

/** Returns whether the text ended before the JSON value was complete. */
const isCutShort = (message: string, position: number | undefined, { length }: string): boolean =>
  position === undefined
    ? message.startsWith('Unexpected end')
    : position >= length || message.startsWith('Unterminated')

/** The description of a JSON text that ends too early. */
export const CUT_SHORT_REASON = 'the JSON is cut short'

/**
 * Describes the common mistake because of which a text is not JSON; undefined if no known one explains it.
 * @param message the error message of `JSON.parse`
 */
export function findCommonMistake(text: string, message: string): string | undefined {
  const position = errorPositionIn(message)
  if (isCutShort(message, position, text)) return CUT_SHORT_REASON
  if (text.length > MAX_DIAGNOSED_CHARACTERS) return undefined
  if (position !== undefined && isJson(text.slice(0, position))) return 'more text follows after the first JSON text'
  const description = COMMON_MISTAKES.find(({ correct }) => isJson(correct(text)))?.description
  return typeof description === 'function' ? description(text) : description
}

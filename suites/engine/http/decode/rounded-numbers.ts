/** A string or a number in JSON (RFC 8259, sections 6 and 7). */
export const STRING_OR_NUMBER_PATTERN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g

/**
 * Matches every text that contains a number for which `isRounded` returns true, and few other texts. Most texts do not
 * match, and need no closer look.
 */
const LONG_OR_EXTREME_NUMBER = /(?:^|[:,[\s])-?\d(?:[\d.]{15}|[\d.]*[eE][-+]?\d{3})/

/** A double keeps every number with this many digits. */
const DIGITS_OF_DOUBLE = 15

/** Returns whether a double loses the sign, the fraction or the size of a number, e.g. of `-1e-400` or `1e999`. */
function isRounded(numeral: string): boolean {
  const value = Number(numeral)
  if (!Number.isFinite(value)) return true
  if (!Number.isInteger(value) || !/[.eE]/.test(numeral)) return false
  const digits = numeral.replace(/[eE].*$|[-.]/g, '').replace(/^0+|0+$/g, '')
  return value === 0 ? digits !== '' : digits.length > DIGITS_OF_DOUBLE
}

/** Returns whether `JSON.parse` turns a number of the text into another whole number, zero or infinity. */
export function hasRoundedNumber(text: string): boolean {
  if (!LONG_OR_EXTREME_NUMBER.test(text)) return false
  for (const [token] of text.matchAll(STRING_OR_NUMBER_PATTERN))
    if (!token.startsWith('"') && isRounded(token)) return true
  return false
}

import { STRING_OR_NUMBER_PATTERN } from '../../engine/http/decode/rounded-numbers.ts'
import { type JsonPlace, valueAt } from '../readings/json.ts'

/**
 * Returns the number at a place as the JSON text spells it, e.g. `-1e-400`, which `JSON.parse` rounds to zero. Returns
 * undefined if there is no number.
 */
export function numeralAt(text: string, place: JsonPlace): string | undefined {
  const withNumeralsAsStrings = text.replace(STRING_OR_NUMBER_PATTERN, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  )
  try {
    const numeral = valueAt(JSON.parse(withNumeralsAsStrings), place)
    return typeof numeral === 'string' ? numeral : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a numeral is a whole number and at least 0 (R9.4), e.g. `-0`, `7.0` or `1e999`. */
export function isWholeNumeral(numeral: string): boolean {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(numeral) ?? []
  const digits = (whole + fraction).replace(/0+$/, '')
  if (digits === '') return whole !== ''
  const decimals = digits.length - whole.length - Number(exponent)
  return sign === '' && decimals <= 0
}

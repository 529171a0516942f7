/** The letters of control names (made-up names that no cat has). There are no vowels, so that they form no words. */
const LETTERS = 'bcdfghjklmnpqrst'
const TOKEN_LETTERS = 11

const spellInLetters = (digits: string): string =>
  [...digits].map((digit) => LETTERS[Number.parseInt(digit, LETTERS.length)] ?? digit).join('')

/**
 * Returns a control name: a made-up name that no cat or breed has. Each run, version and `round` has another one, so
 * that no cache has its response. Its capital and small letters pass the validation of services.
 */
export type ControlNameFactory = (version: string, round?: number) => string

/** @param token hexadecimal digits, different in each run */
export function createControlNameFactory(token: string): ControlNameFactory {
  const start = `Zq${spellInLetters(token.slice(0, TOKEN_LETTERS))}`
  return (version, round = 0) => `${start}${version.replace(/\d/g, spellInLetters)}n${spellInLetters(String(round))}`
}

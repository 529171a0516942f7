/** The letters of control names. There are no vowels, so that the names contain no words. */
const LETTERS = 'bcdfghjklmnpqrst'
const TOKEN_LETTERS = 11

const spellInLetters = (digits: string): string =>
  [...digits].map((digit) => LETTERS[Number.parseInt(digit, LETTERS.length)] ?? digit).join('')

/**
 * Returns a control name: a name made up by the suite, which nothing in the deployment has, to compare the responses for
 * listed names with. It is another one for each version and round. No other run requests it,
 * so no cache has a copy of the response. It has capital and small letters, so that a service which validates names
 * accepts it.
 */
export type ControlNameFactory = (version: string, round?: number) => string

/** @param token hex digits of one run */
export function createControlNameFactory(token: string): ControlNameFactory {
  const start = `Zq${spellInLetters(token.slice(0, TOKEN_LETTERS))}`
  return (version, round = 0) => `${start}${version.replace(/\d/g, spellInLetters)}n${spellInLetters(String(round))}`
}

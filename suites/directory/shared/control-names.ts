/** Has no vowels, so that control names contain no words. */
const LETTERS = 'bcdfghjklmnpqrst'
const TOKEN_LETTERS = 11

const spellInLetters = (digits: string): string =>
  [...digits].map((digit) => LETTERS[Number.parseInt(digit, LETTERS.length)] ?? digit).join('')

/** Unlisted names that no other run requests, so that no cache has a copy of the response. */
export interface ControlNames {
  /**
   * Returns the control name of a version; each round has a different one. It has a capital and small letters, so that
   * a service which validates names accepts it.
   */
  nameFor(version: string, round?: number): string
  has(text: string): boolean
}

/** @param token hex digits of one run */
export function createControlNames(token: string): ControlNames {
  const start = `Zq${spellInLetters(token.slice(0, TOKEN_LETTERS))}`
  return {
    nameFor: (version, round = 0) =>
      `${start}${version.replace(/\d/g, spellInLetters)}n${spellInLetters(String(round))}`,
    has: (text) => text.startsWith(start),
  }
}

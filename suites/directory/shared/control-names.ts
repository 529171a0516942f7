/** Without vowels, so that control names contain no words and share no parts with words. */
const LETTERS = 'bcdfghjklmnpqrst'
const TOKEN_LETTERS = 11

const inLetters = (digits: string): string =>
  [...digits].map((digit) => LETTERS[Number.parseInt(digit, LETTERS.length)] ?? digit).join('')

/** Unlisted names that no other run requests, so that no cache has a copy of the response. */
export interface ControlNames {
  /**
   * The control name of a version; each round has another. It looks like a name, a capital and letters, so that a
   * service that accepts only names accepts it.
   */
  of(version: string, round?: number): string
  has(text: string): boolean
}

/** @param token hex digits of one run */
export function controlNames(token: string): ControlNames {
  const start = `Zq${inLetters(token.slice(0, TOKEN_LETTERS))}`
  return {
    of: (version, round = 0) => `${start}${version.replace(/\d/g, inLetters)}n${inLetters(String(round))}`,
    has: (text) => text.startsWith(start),
  }
}

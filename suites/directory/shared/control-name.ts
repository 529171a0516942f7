/** No vowels: they make no words, and share no part with any. */
const LETTERS = 'bcdfghjklmnpqrst'

const inLetters = (digits: string): string =>
  [...digits].map((digit) => LETTERS[Number.parseInt(digit, LETTERS.length)] ?? digit).join('')

const BEGINNING = `Zq${inLetters(Date.now().toString(LETTERS.length))}`

/**
 * A string that nothing is called, and that no run, nor the other version in this one, asked for before. It is made as
 * names are, a capital and letters: what takes only names takes it for one.
 */
export const unheardOf = (round: number, version: string): string =>
  `${BEGINNING}${version.replace(/\d/g, inLetters)}n${inLetters(String(round))}`

export const isUnheardOf = (text: string): boolean => text.startsWith(BEGINNING)

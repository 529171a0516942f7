import { eastAsianWidth } from 'get-east-asian-width'
import { hasOnlySingleColumnCharacters, splitGraphemes } from '../../text/escape.ts'

/**
 * Functions that break lines at a width. The package wrap-ansi is not used, because it normalises text to NFC: two
 * names that differ only in normalisation must stay different.
 */

// Matches the start of a flag emoji: two letters that are drawn as one wide symbol, although neither letter is wide.
const FLAG_EMOJI_START = /^\p{Regional_Indicator}/u

function countGraphemeColumns(grapheme: string): number {
  return FLAG_EMOJI_START.test(grapheme) ? 2 : eastAsianWidth(grapheme.codePointAt(0) ?? 0)
}

/**
 * Counts the terminal columns of an escaped text. The package string-width is not used, because loading it takes 30 ms.
 */
export function countColumns(text: string): number {
  if (hasOnlySingleColumnCharacters(text)) return text.length
  let total = 0
  for (const character of splitGraphemes(text)) total += countGraphemeColumns(character)
  return total
}

/** Pads a text with spaces to a number of columns. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - countColumns(text)))
}

/** Splits a text into pieces of a maximum width, between user-perceived characters. */
export function splitAtWidth(text: string, width: number): string[] {
  if (countColumns(text) <= width) return [text]
  const pieces: string[] = []
  let piece = ''
  let columns = 0
  for (const character of splitGraphemes(text)) {
    const needed = countGraphemeColumns(character)
    if (columns + needed > width && piece !== '') {
      pieces.push(piece)
      piece = ''
      columns = 0
    }
    piece += character
    columns += needed
  }
  return [...pieces, piece]
}

/** Breaks a text at spaces into lines of a maximum width. A longer word is cut. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line: string | undefined
  for (const word of text.split(' ')) {
    const longer: string = line === undefined ? word : `${line} ${word}`
    if (countColumns(longer) <= width) {
      line = longer
      continue
    }
    if (line !== undefined) lines.push(line)
    const pieces = splitAtWidth(word, width)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1)
  }
  return line === undefined ? lines : [...lines, line]
}

// Matches a shell word: a sequence of '…', $'…', "…", escaped characters, and other characters except spaces.
const SHELL_WORD_PATTERN = /(?:\$'(?:\\.|[^'\\])*'|'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g

/**
 * Breaks a shell line with backslashes between arguments, so that it can be pasted. No word is cut, and an option stays
 * with its value.
 */
export function wrapShellLine(line: string, width: number): string[] {
  if (countColumns(line) <= width) return [line]
  const lines: string[] = []
  for (const argument of joinOptionValues(line.match(SHELL_WORD_PATTERN) ?? [])) {
    const last = lines.at(-1)
    if (last !== undefined && countColumns(`${last} ${argument} \\`) <= width)
      lines[lines.length - 1] = `${last} ${argument}`
    else lines.push(last === undefined ? argument : `  ${argument}`)
  }
  return lines.map((text, index) => (index < lines.length - 1 ? `${text} \\` : text))
}

/** Joins each option with its value, e.g. `-H 'Accept: …'`, so that no line ends between them. */
function joinOptionValues(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const last = joined.at(-1)
    if (last !== undefined && /^--?[A-Za-z][a-z-]*$/.test(last) && !word.startsWith('-')) {
      joined[joined.length - 1] = `${last} ${word}`
    } else joined.push(word)
  }
  return joined
}

import fc from 'fast-check'
import { replaceLoneSurrogates } from '../shared/encodings.ts'
import { foldText } from '../shared/text.ts'
import { queryTroubleStrings, segmentTroubleStrings } from './trouble-strings.ts'

type NameEdit = (text: string, at: number) => string

/** Converts a random number to the position of a character in a text. */
const cutPosition = (text: string, at: number) => ([...text].length === 0 ? 0 : at % [...text].length)
const slice = (text: string, from: number, to?: number) => [...text].slice(from, to).join('')

/** Edits of a name, as people or programs make them. `at` is a random position. */
const nameEdits: Readonly<Record<string, NameEdit>> = {
  prefix: (text, at) => slice(text, 0, cutPosition(text, at) + 1),
  suffix: (text, at) => slice(text, cutPosition(text, at)),
  middle: (text, at) => slice(text, cutPosition(text, at), cutPosition(text, at) + 3),
  word: (text, at) => text.split(/\s+/u)[at % text.split(/\s+/u).length] ?? text,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  flipped: (text) =>
    [...text].map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join(''),
  composed: (text) => text.normalize('NFC'),
  decomposed: (text) => text.normalize('NFD'),
  compatible: (text) => text.normalize('NFKD'),
  unaccented: foldText,
  padded: (text) => ` ${text} `,
  spread: (text) => text.replaceAll(' ', '  '),
  squeezed: (text) => text.replaceAll(/\s+/gu, ''),
  without: (text, at) => slice(text, 0, cutPosition(text, at)) + slice(text, cutPosition(text, at) + 1),
  longer: (text, at) => `${text}${'xqz'[at % 3]}`,
  doubled: (text) => text + text,
  encoded: (text) => encodeURIComponent(replaceLoneSurrogates(text)),
}

/** Listed names after one random edit, e.g. a substring, upper case or a doubled space. */
const editedNames = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...Object.values(nameEdits)), fc.nat(40))
    .map(([name, change, at]) => change(name, at))

/** Listed names with a trouble string (one that often causes failures, e.g. a quote) at a random position. */
const namesWithTroubleStrings = (names: readonly string[], troubles: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...troubles.filter(({ length }) => length < 12)), fc.nat(40))
    .map(([name, trouble, at]) => slice(name, 0, cutPosition(name, at)) + trouble + slice(name, cutPosition(name, at)))

/** The code points of surrogates, which are no characters. */
const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * Returns the character with an index: first `a` to the end of ASCII, then the rest of ASCII, then all others in order.
 */
const characterAt = (index: number): string =>
  String.fromCodePoint(index < 128 ? (index + 97) % 128 : index < SURROGATES.first ? index : index + SURROGATES.count)

/**
 * Returns the index of a character: the inverse of `characterAt`.
 * @throws {Error} for anything else, as fast-check expects
 */
function indexOfCharacter(char: unknown): number {
  const codePointIndex =
    typeof char === 'string' && !/[\ud800-\udfff]/u.test(char) && [...char].length === 1
      ? char.codePointAt(0)
      : undefined
  if (codePointIndex === undefined) throw new Error('not one code point')
  return codePointIndex < 128
    ? (codePointIndex + 31) % 128
    : codePointIndex < SURROGATES.first
      ? codePointIndex
      : codePointIndex - SURROGATES.count
}

const MAX_SPLIT_CHARACTERS = 96

function splitCodePoints(text: unknown): string[] {
  if (typeof text !== 'string' || text.length > MAX_SPLIT_CHARACTERS) throw new Error('not a text of this arbitrary')
  return [...text]
}

const REPEATED_UNITS = ['a', 'é', '😺', '%', 'ab '] as const

/**
 * The maximum length of a repeated text, percent-encoded. Servers refuse longer URLs before the service sees them, and
 * some close the connection.
 */
const MAX_ENCODED_LENGTH = 8192
const MAX_REPETITIONS = 2200

const maxRepetitionsOf = (unit: string): number =>
  Math.min(MAX_REPETITIONS, Math.floor(MAX_ENCODED_LENGTH / encodeURIComponent(unit).length))

/** Long strings repeat one item, so that shrinking halves the count instead of removing single characters. */
const repeatedText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...REPEATED_UNITS), fc.integer({ min: 1, max: MAX_REPETITIONS }))
  .map(
    ([unit, times]) => unit.repeat(Math.min(times, maxRepetitionsOf(unit))),
    (text): [(typeof REPEATED_UNITS)[number], number] => {
      const unit =
        typeof text === 'string'
          ? REPEATED_UNITS.find((one) => text.length > 0 && text === one.repeat(text.length / one.length))
          : undefined
      if (unit === undefined || typeof text !== 'string') throw new Error('the text is not a repeated unit')
      return [unit, text.length / unit.length]
    },
  )

/**
 * Any code point except surrogates; shrinks towards `a`. The unit `binary` of `fc.string` generates the same, but first
 * builds a table of a million entries, which takes 0.7 s.
 */
export const arbitraryCodePoint = fc.oneof(
  { arbitrary: fc.nat(127).map(characterAt, indexOfCharacter), weight: 3 },
  { arbitrary: fc.nat(0x10ffff - SURROGATES.count).map(characterAt, indexOfCharacter), weight: 2 },
)

/** Returns whether a character is a letter, a number, punctuation or a symbol. */
const isVisible = (char: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(char)

/** A character as users perceive it, e.g. a letter with an accent, without the table of `fc.string`. */
const grapheme = fc.oneof(
  {
    arbitrary: fc
      .nat(0xffff - SURROGATES.count)
      .map(characterAt)
      .filter(isVisible),
    weight: 4,
  },
  { arbitrary: fc.integer({ min: 0x1f300, max: 0x1faff }).map(String.fromCodePoint).filter(isVisible), weight: 1 },
  {
    arbitrary: fc
      .tuple(fc.nat(25), fc.integer({ min: 0x300, max: 0x36f }))
      .map(([letter, mark]) => characterAt(letter) + String.fromCodePoint(mark)),
    weight: 1,
  },
)

/**
 * Any text. Code points come first, because fast-check shrinks with the first alternative. `fc.string` would first
 * compute every way to split a text into units.
 */
const anyText = (): fc.Arbitrary<string> =>
  fc.oneof(
    {
      arbitrary: fc
        .array(arbitraryCodePoint, { maxLength: MAX_SPLIT_CHARACTERS, size: 'xsmall' })
        .map((chars) => chars.join(''), splitCodePoints),
      weight: 3,
    },
    { arbitrary: fc.array(grapheme, { maxLength: 40 }).map((chars) => chars.join('')), weight: 3 },
    { arbitrary: repeatedText, weight: 1 },
  )

const textsFromNames = (names: readonly string[], troubles: readonly string[]): fc.Arbitrary<string> =>
  names.length === 0
    ? anyText()
    : fc.oneof(
        { arbitrary: anyText(), weight: 3 },
        { arbitrary: editedNames(names), weight: 5 },
        { arbitrary: namesWithTroubleStrings(names, troubles), weight: 2 },
      )

const MAX_NAMES_USED = 400

/** Returns the alphabetically first names. Does not sort a large list as a whole. */
function firstNamesSorted(names: readonly string[]): string[] {
  let first: string[] = []
  let last: string | undefined
  for (const name of names) {
    if (name.length >= 200 || (last !== undefined && name > last) || /\p{Cs}/u.test(name)) continue
    first.push(name)
    if (first.length < 2 * MAX_NAMES_USED) continue
    first = first.sort().slice(0, MAX_NAMES_USED)
    last = first.at(-1)
  }
  return first.sort().slice(0, MAX_NAMES_USED)
}

export const arbitraryQuery = (names: readonly string[]): fc.Arbitrary<string> =>
  textsFromNames(firstNamesSorted(names), queryTroubleStrings)

export const arbitrarySegment = (names: readonly string[]): fc.Arbitrary<string> =>
  textsFromNames(firstNamesSorted(names), segmentTroubleStrings).filter((text) => text !== '')

import fc from 'fast-check'
import { wellFormed } from '../shared/encodings.ts'
import { folded } from '../shared/text.ts'
import { queryTroubles, segmentTroubles } from './trouble-strings.ts'

type Change = (text: string, where: number) => string

const cut = (text: string, where: number) => ([...text].length === 0 ? 0 : where % [...text].length)
const slice = (text: string, from: number, to?: number) => [...text].slice(from, to).join('')

/** Changes to a name by people or programs. */
const changes: Readonly<Record<string, Change>> = {
  prefix: (text, where) => slice(text, 0, cut(text, where) + 1),
  suffix: (text, where) => slice(text, cut(text, where)),
  middle: (text, where) => slice(text, cut(text, where), cut(text, where) + 3),
  word: (text, where) => text.split(/\s+/u)[where % text.split(/\s+/u).length] ?? text,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  flipped: (text) =>
    [...text].map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join(''),
  composed: (text) => text.normalize('NFC'),
  decomposed: (text) => text.normalize('NFD'),
  compatible: (text) => text.normalize('NFKD'),
  unaccented: folded,
  padded: (text) => ` ${text} `,
  spread: (text) => text.replaceAll(' ', '  '),
  squeezed: (text) => text.replaceAll(/\s+/gu, ''),
  without: (text, where) => slice(text, 0, cut(text, where)) + slice(text, cut(text, where) + 1),
  longer: (text, where) => `${text}${'xqz'[where % 3]}`,
  doubled: (text) => text + text,
  encoded: (text) => encodeURIComponent(wellFormed(text)),
}

/** Changed names: substrings, case, normalisation, spaces, one-character edits. */
const changed = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...Object.values(changes)), fc.nat(40))
    .map(([name, change, where]) => change(name, where))

/** A name with a trouble string in or beside it. */
const troubled = (names: readonly string[], troubles: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...troubles.filter(({ length }) => length < 12)), fc.nat(40))
    .map(([name, trouble, where]) => slice(name, 0, cut(name, where)) + trouble + slice(name, cut(name, where)))

const SURROGATES = { first: 0xd800, count: 0x800 }

const charOf = (index: number): string =>
  String.fromCodePoint(index < 128 ? (index + 97) % 128 : index < SURROGATES.first ? index : index + SURROGATES.count)

function indexOf(char: unknown): number {
  const point =
    typeof char === 'string' && !/[\ud800-\udfff]/u.test(char) && [...char].length === 1
      ? char.codePointAt(0)
      : undefined
  if (point === undefined) throw new Error('not one code point')
  return point < 128 ? (point + 31) % 128 : point < SURROGATES.first ? point : point - SURROGATES.count
}

const MOST_TAKEN_APART = 96

function codePointsOf(text: unknown): string[] {
  if (typeof text !== 'string' || text.length > MOST_TAKEN_APART) throw new Error('not a text to be taken apart')
  return [...text]
}

const REPEATED = ['a', 'é', '😺', '%', 'ab '] as const

/** Long texts repeat one item, so that they shrink by halves rather than by characters. */
const repeated: fc.Arbitrary<string> = fc.tuple(fc.constantFrom(...REPEATED), fc.integer({ min: 1, max: 2200 })).map(
  ([unit, times]) => unit.repeat(times),
  (text): [(typeof REPEATED)[number], number] => {
    const unit =
      typeof text === 'string'
        ? REPEATED.find((one) => text.length > 0 && text === one.repeat(text.length / one.length))
        : undefined
    if (unit === undefined || typeof text !== 'string') throw new Error('not one thing many times')
    return [unit, text.length / unit.length]
  },
)

/**
 * Every code point but surrogates, shrinking towards `a`. The unit `binary` of `fc.string` does the same with a table
 * of a million entries, which takes 0.7 s to build.
 */
export const codePoint = fc.oneof(
  { arbitrary: fc.nat(127).map(charOf, indexOf), weight: 3 },
  { arbitrary: fc.nat(0x10ffff - SURROGATES.count).map(charOf, indexOf), weight: 2 },
)

const isVisible = (char: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(char)

/**
 * User-perceived characters. The unit `grapheme` of `fc.string` does the same with a table that takes 16 ms to build.
 */
const grapheme = fc.oneof(
  {
    arbitrary: fc
      .nat(0xffff - SURROGATES.count)
      .map(charOf)
      .filter(isVisible),
    weight: 4,
  },
  { arbitrary: fc.integer({ min: 0x1f300, max: 0x1faff }).map(String.fromCodePoint).filter(isVisible), weight: 1 },
  {
    arbitrary: fc
      .tuple(fc.nat(25), fc.integer({ min: 0x300, max: 0x36f }))
      .map(([letter, mark]) => charOf(letter) + String.fromCodePoint(mark)),
    weight: 1,
  },
)

/**
 * Any text: every code point, user-perceived characters, and long runs. The first one comes first because a short
 * failing string is shrunk by it, character by character. It is an array, because `fc.string` would first look for all
 * ways to split a text into units.
 */
const anything = (): fc.Arbitrary<string> =>
  fc.oneof(
    {
      arbitrary: fc
        .array(codePoint, { maxLength: MOST_TAKEN_APART, size: 'xsmall' })
        .map((chars) => chars.join(''), codePointsOf),
      weight: 3,
    },
    { arbitrary: fc.array(grapheme, { maxLength: 40 }).map((chars) => chars.join('')), weight: 3 },
    { arbitrary: repeated, weight: 1 },
  )

const built = (names: readonly string[], troubles: readonly string[]): fc.Arbitrary<string> =>
  names.length === 0
    ? anything()
    : fc.oneof(
        { arbitrary: anything(), weight: 3 },
        { arbitrary: changed(names), weight: 5 },
        { arbitrary: troubled(names, troubles), weight: 2 },
      )

const SEEN = 400

/** The first names in sorted order, independent of the order of the list, without sorting a large list. */
function stable(names: readonly string[]): string[] {
  let first: string[] = []
  let last: string | undefined
  for (const name of names) {
    if (name.length >= 200 || (last !== undefined && name > last) || /\p{Cs}/u.test(name)) continue
    first.push(name)
    if (first.length < 2 * SEEN) continue
    first = first.sort().slice(0, SEEN)
    last = first.at(-1)
  }
  return first.sort().slice(0, SEEN)
}

/** Search queries. @param names the listed cats and breeds */
export const queries = (names: readonly string[]): fc.Arbitrary<string> => built(stable(names), queryTroubles)

/** Names for a path segment. @param names the listed names */
export const segments = (names: readonly string[]): fc.Arbitrary<string> =>
  built(stable(names), segmentTroubles).filter((text) => text !== '')

import { octets } from '../shared/encodings.ts'
import { folded, isAscii } from '../shared/text.ts'

/** The listed names to alter. */
export interface Chosen {
  /** A few names; alterations that need only one use the first. */
  readonly few: readonly string[]
  /** All listed names. */
  readonly listed: readonly string[]
  /** All listed cats, if names of breeds are altered. */
  readonly cats?: readonly string[]
  /** All listed breeds, if names of cats are altered. */
  readonly breeds?: readonly string[]
  /** A cat and its breed, if a breed with cats was found. */
  readonly pair?: { readonly cat: string; readonly breed: string }
}

/** Makes strings that are similar to a listed name, or equivalent to it. */
type Alteration = (chosen: Chosen) => readonly string[]

const ofEach =
  (alter: (name: string, nth: number) => string): Alteration =>
  ({ few }) =>
    few.map(alter)

const ofFirst =
  (alter: (name: string, other: string) => string): Alteration =>
  ({ few: [first, second = 'x'] }) =>
    first === undefined ? [] : [alter(first, second)]

/** Alters the first listed name that passes a test. */
const ofFirstThat =
  (isOfKind: (name: string) => boolean, alter: (name: string) => string): Alteration =>
  ({ listed }) => {
    const first = listed.find(isOfKind)
    return first === undefined ? [] : [alter(first)]
  }

const hasAccent = (name: string): boolean => !isAscii(name) && folded(name) !== name.toLowerCase()
const isInLetters = (name: string): boolean =>
  /^\p{L}+( \p{L}+)*$/u.test(name) && name.toLowerCase() !== name.toUpperCase()
const isOfWords = (name: string): boolean => /^\p{L}+( \p{L}+)+$/u.test(name)

const slice = (text: string, from: number, to?: number): string => [...text].slice(from, to).join('')
const without = (text: string, index: number): string => slice(text, 0, index) + slice(text, index + 1)
const firstWord = (name: string): string => name.split(' ')[0] ?? ''
const lastWord = (name: string): string => name.split(' ').at(-1) ?? ''
const inOtherCase = (name: string): string => (name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase())
const throughCapitals = (name: string): string => name.toUpperCase().toLowerCase()
const unaccented = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '')

/** Percent-encodes a letter in the middle: decoding twice gives the name. */
export function encodedInside(name: string): string {
  const chars = [...name]
  const middle = chars.length >> 1
  return chars.with(middle, octets(chars[middle] ?? '')).join('')
}

/** Strings requested instead of a listed breed. Each reveals a defect that nothing else does; a test names it. */
const breeds = {
  lastLetterMissing: ofEach((breed) => slice(breed, 0, -1)),
  plural: ofFirst((breed) => `${breed}s`),
  wildcard: ofEach((breed) => `${slice(breed, 0, 2)}_${slice(breed, 3)}`),
  threeLetters: ofFirst((breed) => slice(breed, 0, 3)),
  stepsInPath: ofFirst((breed) => `x/../${breed}`),
  initial: ofFirst((breed) => slice(breed, 0, 1)),
  swappedLetters: ofFirst((breed) => slice(breed, 0, 1) + slice(breed, 2, 3) + slice(breed, 1, 2) + slice(breed, 3)),
  lowerCase: ofFirst((breed) => breed.toLowerCase()),
  /** Folding only ASCII letters misses names with other letters. */
  upperCase: ({ few, listed }) => {
    const breed = listed.find((name) => isInLetters(name) && !isAscii(name)) ?? few[0]
    return breed === undefined ? [] : [breed.toUpperCase()]
  },
  padded: ofFirst((breed) => ` ${breed} `),
  afterNul: ofFirst((breed, other) => `${breed}\u0000${other}`),
  afterHash: ofFirst((breed, other) => `${breed}#${other}`),
  afterQuestionMark: ofFirst((breed, other) => `${breed}?${other}`),
  afterSemicolon: ofFirst((breed, other) => `${breed};${other}`),
  afterComma: ofFirst((breed, other) => `${breed},${other}`),
  unaccented: ofFirstThat(hasAccent, unaccented),
  decomposed: ofFirstThat(hasAccent, (breed) => breed.normalize('NFD')),
  encodedTwice: ofFirst(encodedInside),
  firstWord: ofFirstThat(isOfWords, firstWord),
  lastWord: ofFirstThat(isOfWords, lastWord),
  withExtension: ofFirst((breed) => `${breed}.json`),
  slug: ofFirstThat(isOfWords, (breed) => breed.toLowerCase().replaceAll(' ', '-')),
  dot: ofFirst((breed) => `${slice(breed, 0, 1)}.${slice(breed, 2)}`),
  afterAmpersand: ofFirst((breed, other) => `${breed}&${other}`),
  afterColon: ofFirst((breed, other) => `${breed}:${other}`),
  afterNewline: ofFirst((breed, other) => `${breed}\n${other}`),
  afterPlus: ofFirst((breed, other) => `${breed}+${other}`),
  afterPipe: ofFirst((breed, other) => `${breed}|${other}`),
  oneWordMore: ofFirst((breed) => `${breed} 2`),
  nameOfCat: ({ cats = [] }) => cats.filter(isInLetters).slice(0, 1),
} as const satisfies Readonly<Record<string, Alteration>>

/** Alterations of breeds that few services accept: each one is sent to one of two versions. */
export const breedsInTurn: readonly (readonly [first: keyof typeof breeds, second: keyof typeof breeds])[] = [
  ['afterPlus', 'afterAmpersand'],
  ['afterNewline', 'afterColon'],
  ['nameOfCat', 'oneWordMore'],
]

const LONG = 12

const longestOf = (names: readonly string[]): string =>
  names.reduce((long, name) => (name.length > long.length ? name : long), '')

/** Queries typed instead of a cat's name. Each reveals a defect that nothing else does; a test names it. */
const queries = {
  threeLetters: ofEach((cat) => slice(cat, 0, 3)),
  firstLetterMissing: ofEach((cat) => slice(cat, 1)),
  secondLetterMissing: ofEach((cat) => without(cat, 1)),
  oneLetterMore: ofEach((cat, nth) => `${cat}${nth === 0 ? 'x' : 's'}`),
  afterNul: ofEach((cat) => `${cat}\u0000x`),
  firstWord: ofFirstThat(isOfWords, firstWord),
  wordsReversed: ofFirstThat(isOfWords, (cat) => cat.split(' ').toReversed().join(' ')),
  otherCase: ofFirstThat(isInLetters, inOtherCase),
  /** Letters whose upper case differs in length (ß) or is shared (ſ). */
  throughCapitals: ofFirstThat((name) => throughCapitals(name) !== name.toLowerCase(), throughCapitals),
  otherCaseBeyondAscii: ofFirstThat((name) => isInLetters(name) && /^[^\p{ASCII}]/u.test(name), inOtherCase),
  longest: ({ listed }) => [longestOf(listed)].filter(({ length }) => length > LONG).map((cat) => `${cat}x`),
  unaccented: ofFirstThat(hasAccent, unaccented),
  typographic: ofFirstThat(
    (name) => name.includes("'"),
    (cat) => cat.replaceAll("'", '’'),
  ),
  unpunctuated: ofFirstThat(
    (name) => /\p{L}['-]\p{L}/u.test(name),
    (cat) => cat.replaceAll(/['-]/g, ''),
  ),
  orOperator: ofFirst((cat) => `zq OR ${cat}`),
  afterBlank: ofFirst((cat) => ` ${cat}`),
  beforeBlank: ofFirst((cat) => `${cat} `),
  /** A query that is not normalised misses composed letters. */
  decomposedQuery: ofFirstThat(hasAccent, (cat) => cat.normalize('NFD')),
  /** Operators of Lucene, for one error and for two. */
  oneErrorAllowed: ofFirst((cat) => `${cat}~`),
  twoErrorsAllowed: ofFirst((cat) => `${cat}~2`),
  /** A search across name and breed finds the cat. */
  wordOfNameAndBreed: ({ pair }) => (pair === undefined ? [] : [`${firstWord(pair.cat)} ${firstWord(pair.breed)}`]),
  breedInOtherCase: ({ breeds = [] }) => breeds.filter(isInLetters).slice(0, 1).map(inOtherCase),
} as const satisfies Readonly<Record<string, Alteration>>

/** Queries that few services treat differently from others: each one is sent to one of two versions. */
export const nearQueriesInTurn: readonly (readonly [first: keyof typeof queries, second: keyof typeof queries])[] = [
  ['oneErrorAllowed', 'twoErrorsAllowed'],
]

/** All alterations of listed names; a test removes each of them in turn. */
export const alterations: Alterations = { breeds, queries }

/** Alterations of breeds in paths and of cats in queries, by name. */
export interface Alterations {
  readonly breeds: Readonly<Partial<Record<keyof typeof breeds, Alteration>>>
  readonly queries: Readonly<Partial<Record<keyof typeof queries, Alteration>>>
}

/** Selects alterations by key. */
export const alterationsOf = <K extends keyof Alterations>(
  all: Alterations,
  kind: K,
  isWanted: (name: keyof Alterations[K]) => boolean,
): Readonly<Record<string, Alteration>> =>
  Object.fromEntries(Object.entries(all[kind]).filter(([name]) => isWanted(name as keyof Alterations[K])))

/** Returns all alterations of the names. */
export const altered = (by: Readonly<Record<string, Alteration>>, chosen: Chosen): string[] =>
  Object.values(by).flatMap((alter) => alter(chosen))

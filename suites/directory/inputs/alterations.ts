import { encodeEveryOctet } from '../shared/encodings.ts'
import { foldText, isAscii, removeAccents, swapCase } from '../shared/text.ts'

/** The listed names to alter. */
export interface NamesToAlter {
  /** A few of the listed names. An alteration of a single name uses the first. */
  readonly fewNames: readonly string[]
  /** All listed names. */
  readonly listedNames: readonly string[]
  /** All listed cats, if names of breeds are altered. */
  readonly cats?: readonly string[]
  /** All listed breeds, if names of cats are altered. */
  readonly breeds?: readonly string[]
  /** A cat and its breed, if a breed with cats was found. */
  readonly pair?: { readonly cat: string; readonly breed: string }
}

/** Makes strings that are similar to listed names, or equivalent to them. */
type Alteration = (chosen: NamesToAlter) => readonly string[]

const alterEach =
  (alter: (name: string, nth: number) => string): Alteration =>
  ({ fewNames }) =>
    fewNames.map(alter)

const alterFirst =
  (alter: (name: string, other: string) => string): Alteration =>
  ({ fewNames: [first, second = 'x'] }) =>
    first === undefined ? [] : [alter(first, second)]

/** Alters the first listed name that passes a test. */
const alterFirstMatching =
  (isOfKind: (name: string) => boolean, alter: (name: string) => string): Alteration =>
  ({ listedNames }) => {
    const first = listedNames.find(isOfKind)
    return first === undefined ? [] : [alter(first)]
  }

const hasAccent = (name: string): boolean => !isAscii(name) && foldText(name) !== name.toLowerCase()
const hasOnlyLetters = (name: string): boolean =>
  /^\p{L}+( \p{L}+)*$/u.test(name) && name.toLowerCase() !== name.toUpperCase()
const hasSeveralWords = (name: string): boolean => /^\p{L}+( \p{L}+)+$/u.test(name)

const slice = (text: string, from: number, to?: number): string => [...text].slice(from, to).join('')
const removeCharacter = (text: string, index: number): string => slice(text, 0, index) + slice(text, index + 1)
const firstWord = (name: string): string => name.split(' ')[0] ?? ''
const lastWord = (name: string): string => name.split(' ').at(-1) ?? ''
const convertViaUpperCase = (name: string): string => name.toUpperCase().toLowerCase()

/** Percent-encodes a letter in the middle of a name. A service that decodes twice finds the name. */
export function encodeMiddleLetter(name: string): string {
  const chars = [...name]
  const middle = chars.length >> 1
  return chars.with(middle, encodeEveryOctet(chars[middle] ?? '')).join('')
}

/**
 * Strings requested instead of a listed breed. Each reveals a defect that no other string reveals
 * (`alterations.test.ts`).
 */
const breedAlterations = {
  lastLetterMissing: alterEach((breed) => slice(breed, 0, -1)),
  plural: alterFirst((breed) => `${breed}s`),
  wildcard: alterEach((breed) => `${slice(breed, 0, 2)}_${slice(breed, 3)}`),
  threeLetters: alterFirst((breed) => slice(breed, 0, 3)),
  stepsInPath: alterFirst((breed) => `x/../${breed}`),
  initial: alterFirst((breed) => slice(breed, 0, 1)),
  swappedLetters: alterFirst((breed) => slice(breed, 0, 1) + slice(breed, 2, 3) + slice(breed, 1, 2) + slice(breed, 3)),
  lowerCase: alterFirst((breed) => breed.toLowerCase()),
  /** Prefers a name with letters beyond ASCII: code that folds only ASCII letters does not find it. */
  upperCase: ({ fewNames, listedNames }) => {
    const breed = listedNames.find((name) => hasOnlyLetters(name) && !isAscii(name)) ?? fewNames[0]
    return breed === undefined ? [] : [breed.toUpperCase()]
  },
  padded: alterFirst((breed) => ` ${breed} `),
  afterNul: alterFirst((breed, other) => `${breed}\u0000${other}`),
  afterHash: alterFirst((breed, other) => `${breed}#${other}`),
  afterQuestionMark: alterFirst((breed, other) => `${breed}?${other}`),
  afterSemicolon: alterFirst((breed, other) => `${breed};${other}`),
  afterComma: alterFirst((breed, other) => `${breed},${other}`),
  unaccented: alterFirstMatching(hasAccent, removeAccents),
  decomposed: alterFirstMatching(hasAccent, (breed) => breed.normalize('NFD')),
  encodedTwice: alterFirst(encodeMiddleLetter),
  firstWord: alterFirstMatching(hasSeveralWords, firstWord),
  lastWord: alterFirstMatching(hasSeveralWords, lastWord),
  withExtension: alterFirst((breed) => `${breed}.json`),
  slug: alterFirstMatching(hasSeveralWords, (breed) => breed.toLowerCase().replaceAll(' ', '-')),
  dot: alterFirst((breed) => `${slice(breed, 0, 1)}.${slice(breed, 2)}`),
  afterAmpersand: alterFirst((breed, other) => `${breed}&${other}`),
  afterColon: alterFirst((breed, other) => `${breed}:${other}`),
  afterNewline: alterFirst((breed, other) => `${breed}\n${other}`),
  afterPlus: alterFirst((breed, other) => `${breed}+${other}`),
  afterPipe: alterFirst((breed, other) => `${breed}|${other}`),
  oneWordMore: alterFirst((breed) => `${breed} 2`),
  nameOfCat: ({ cats = [] }) => cats.filter(hasOnlyLetters).slice(0, 1),
} as const satisfies Readonly<Record<string, Alteration>>

/** Alterations of breeds that few services accept. Each version is sent one alteration of a pair. */
export const alternatingBreedAlterations: readonly (readonly [
  first: keyof typeof breedAlterations,
  second: keyof typeof breedAlterations,
])[] = [
  ['afterPlus', 'afterAmpersand'],
  ['afterNewline', 'afterColon'],
  ['nameOfCat', 'oneWordMore'],
]

const LONG_NAME_LENGTH = 12

const longestOf = (names: readonly string[]): string =>
  names.reduce((long, name) => (name.length > long.length ? name : long), '')

/**
 * Queries that are similar to the name of a cat. Each reveals a defect that no other query reveals
 * (`alterations.test.ts`).
 */
const queryAlterations = {
  threeLetters: alterEach((cat) => slice(cat, 0, 3)),
  firstLetterMissing: alterEach((cat) => slice(cat, 1)),
  secondLetterMissing: alterEach((cat) => removeCharacter(cat, 1)),
  oneLetterMore: alterEach((cat, nth) => `${cat}${nth === 0 ? 'x' : 's'}`),
  afterNul: alterEach((cat) => `${cat}\u0000x`),
  firstWord: alterFirstMatching(hasSeveralWords, firstWord),
  wordsReversed: alterFirstMatching(hasSeveralWords, (cat) => cat.split(' ').toReversed().join(' ')),
  otherCase: alterFirstMatching(hasOnlyLetters, swapCase),
  /** Changes letters that have a longer upper case (ß), or share it with another letter (ſ). */
  throughCapitals: alterFirstMatching((name) => convertViaUpperCase(name) !== name.toLowerCase(), convertViaUpperCase),
  otherCaseBeyondAscii: alterFirstMatching((name) => hasOnlyLetters(name) && /^[^\p{ASCII}]/u.test(name), swapCase),
  longest: ({ listedNames }) =>
    [longestOf(listedNames)].filter(({ length }) => length > LONG_NAME_LENGTH).map((cat) => `${cat}x`),
  unaccented: alterFirstMatching(hasAccent, removeAccents),
  typographic: alterFirstMatching(
    (name) => name.includes("'"),
    (cat) => cat.replaceAll("'", '’'),
  ),
  unpunctuated: alterFirstMatching(
    (name) => /\p{L}['-]\p{L}/u.test(name),
    (cat) => cat.replaceAll(/['-]/g, ''),
  ),
  orOperator: alterFirst((cat) => `zq OR ${cat}`),
  afterBlank: alterFirst((cat) => ` ${cat}`),
  beforeBlank: alterFirst((cat) => `${cat} `),
  /** Code that does not normalise the query does not find composed letters. */
  decomposedQuery: alterFirstMatching(hasAccent, (cat) => cat.normalize('NFD')),
  /** Query syntax of Lucene that allows one error, or two errors. */
  oneErrorAllowed: alterFirst((cat) => `${cat}~`),
  twoErrorsAllowed: alterFirst((cat) => `${cat}~2`),
  /** Shows whether a search matches the words of name and breed together. */
  wordOfNameAndBreed: ({ pair }) => (pair === undefined ? [] : [`${firstWord(pair.cat)} ${firstWord(pair.breed)}`]),
  breedInOtherCase: ({ breeds = [] }) => breeds.filter(hasOnlyLetters).slice(0, 1).map(swapCase),
} as const satisfies Readonly<Record<string, Alteration>>

/** Queries that few services treat differently from others. Each version is sent one query of a pair. */
export const alternatingQueryAlterations: readonly (readonly [
  first: keyof typeof queryAlterations,
  second: keyof typeof queryAlterations,
])[] = [['oneErrorAllowed', 'twoErrorsAllowed']]

/** All alterations of listed names. A test removes each in turn, to prove that it is needed. */
export const alterations: Alterations = { breeds: breedAlterations, queries: queryAlterations }

/** Alterations of breeds in paths and of cats in queries, by name. */
export interface Alterations {
  readonly breeds: Readonly<Partial<Record<keyof typeof breedAlterations, Alteration>>>
  readonly queries: Readonly<Partial<Record<keyof typeof queryAlterations, Alteration>>>
}

/** Selects the alterations of a kind by their names. */
export const selectAlterations = <K extends keyof Alterations>(
  all: Alterations,
  kind: K,
  isWanted: (name: keyof Alterations[K]) => boolean,
): Readonly<Record<string, Alteration>> =>
  Object.fromEntries(Object.entries(all[kind]).filter(([name]) => isWanted(name as keyof Alterations[K])))

/** Returns the strings that alterations make of the names. */
export const applyAlterations = (by: Readonly<Record<string, Alteration>>, chosen: NamesToAlter): string[] =>
  Object.values(by).flatMap((alter) => alter(chosen))

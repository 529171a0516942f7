import { encodeEveryOctet } from '../shared/encodings.ts'
import { changeCase, foldText, isAscii, removeAccents } from '../shared/text.ts'

export interface NamesToAlter {
  /** A few of the listed names. An alteration of a single name uses the first of these. */
  readonly fewNames: readonly string[]
  readonly listedNames: readonly string[]
  /** All listed cats; present if names of breeds are altered. */
  readonly cats?: readonly string[]
  /** All listed breeds; present if names of cats are altered. */
  readonly breeds?: readonly string[]
  /** A cat and its breed; absent if no breed with cats was found. */
  readonly pair?: { readonly cat: string; readonly breed: string }
}

/** Makes strings that are similar or equivalent to listed names, e.g. the first name in lower case. */
type Alteration = (chosen: NamesToAlter) => readonly string[]

const alterEach =
  (alter: (name: string, nth: number) => string): Alteration =>
  ({ fewNames }) =>
    fewNames.map(alter)

const alterFirst =
  (alter: (name: string, other: string) => string): Alteration =>
  ({ fewNames: [first, second = 'x'] }) =>
    first === undefined ? [] : [alter(first, second)]

const alterFirstMatching =
  (isOfKind: (name: string) => boolean, alter: (name: string) => string): Alteration =>
  ({ listedNames }) => {
    const first = listedNames.find(isOfKind)
    return first === undefined ? [] : [alter(first)]
  }

/**
 * Returns one name in the other case; none if no name has a case. Prefers a name of letters only, because a search may
 * treat other characters in another way. Of these, prefers one with an `i`: code that uses Turkish rules converts `I`
 * to `ı`, and `i` to `İ`.
 */
function changeCaseOfFirst(names: readonly string[]): readonly string[] {
  const plain = names.filter(hasOnlyLetters)
  const withCapital = plain.find((name) => name.includes('I'))
  const withSmall = plain.find((name) => name.includes('i') && isAscii(name))
  if (withCapital === undefined && withSmall !== undefined) return [withSmall.toUpperCase()]
  const first = withCapital ?? plain[0] ?? names.find((name) => changeCase(name) !== name)
  return first === undefined ? [] : [changeCase(first)]
}

const hasAccent = (name: string): boolean => !isAscii(name) && foldText(name) !== name.toLowerCase()
const hasOnlyLetters = (name: string): boolean =>
  /^\p{L}+( \p{L}+)*$/u.test(name) && name.toLowerCase() !== name.toUpperCase()
const hasSeveralWords = (name: string): boolean => /^\p{L}+( \p{L}+)+$/u.test(name)
const hasThreeWords = (name: string): boolean => /^\p{L}+( \p{L}+){2}$/u.test(name)
const isOneWord = (name: string): boolean => /^\p{L}+$/u.test(name)
/** Returns whether a name consists of digits, so that code may read it as a number. */
export const isNumber = (name: string): boolean => /^\d+$/.test(name)

const slice = (text: string, from: number, to?: number): string => [...text].slice(from, to).join('')
const removeCharacter = (text: string, index: number): string => slice(text, 0, index) + slice(text, index + 1)
const firstWord = (name: string): string => name.split(' ')[0] ?? ''
const lastWord = (name: string): string => name.split(' ').at(-1) ?? ''
const convertViaUpperCase = (name: string): string => name.toUpperCase().toLowerCase()

/** Percent-encodes a letter in a name. A service finds the encoded name only if it decodes twice. */
export function encodeMiddleLetter(name: string): string {
  const chars = [...name]
  const middle = chars.length >> 1
  return chars.with(middle, encodeEveryOctet(chars[middle] ?? '')).join('')
}

/**
 * Alterations of the name of a listed breed. Each reveals a defect that no other string reveals
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
  /** Prefers a name with letters beyond ASCII: code that folds only ASCII does not find it in upper case. */
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
  /** Prefers a name of one word, so that a service that looks up only the first word finds the breed. */
  catAdded: ({ fewNames, listedNames }) => {
    const breed = fewNames.find(isOneWord) ?? listedNames.find(isOneWord) ?? fewNames[0]
    return breed === undefined ? [] : [`${breed} Cat`]
  },
  /** Removes "Cat", or the last of three words. Of two words, `firstWord` already removes the last one. */
  lastWordMissing: ({ listedNames }) => {
    const breed = listedNames.find((name) => name.endsWith(' Cat')) ?? listedNames.find(hasThreeWords)
    return breed === undefined ? [] : [breed.replace(/ [^ ]*$/, '')]
  },
  /** Writes a number in another form, e.g. `07` for `7`. Code that compares numbers finds the breed. */
  numberInOtherForm: alterFirstMatching(isNumber, (breed) => `0${breed}`),
  nameOfCat: ({ cats = [] }) => cats.filter(hasOnlyLetters).slice(0, 1),
} as const satisfies Readonly<Record<string, Alteration>>

/**
 * Pairs of alterations that rarely expose a defect. One of each pair is sent to v2, the other to v3; the seed decides
 * which.
 */
export const breedAlterationPairsForV2AndV3: readonly (readonly [
  first: keyof typeof breedAlterations,
  second: keyof typeof breedAlterations,
])[] = [
  ['afterPlus', 'afterAmpersand'],
  ['afterNewline', 'afterColon'],
  ['afterPipe', 'oneWordMore'],
]

const LONG_NAME_LENGTH = 12

/** Returns the longest name; `''` if there are no names. */
const longestOf = (names: readonly string[]): string =>
  names.reduce((long, name) => (name.length > long.length ? name : long), '')

/**
 * Alterations of a cat's name, used as queries. Each reveals a defect that no other query reveals
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
  otherCase: ({ listedNames }) => changeCaseOfFirst(listedNames),
  /** Changes letters that do not survive a conversion to upper case and back, e.g. `ß` becomes `ss`. */
  throughCapitals: alterFirstMatching((name) => convertViaUpperCase(name) !== name.toLowerCase(), convertViaUpperCase),
  otherCaseBeyondAscii: alterFirstMatching((name) => hasOnlyLetters(name) && /^[^\p{ASCII}]/u.test(name), changeCase),
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
  /** Decomposes accented letters. If a service does not normalise queries, it no longer finds the name. */
  decomposedQuery: alterFirstMatching(hasAccent, (cat) => cat.normalize('NFD')),
  /** Searches with Lucene's syntax for fuzzy matches: `~` allows one or two errors, as the server decides, `~2` two. */
  oneErrorAllowed: alterFirst((cat) => `${cat}~`),
  twoErrorsAllowed: alterFirst((cat) => `${cat}~2`),
  /** Combines a word of the name with one of the breed: finds the cat only if both texts are matched together. */
  wordOfNameAndBreed: ({ pair }) => (pair === undefined ? [] : [`${firstWord(pair.cat)} ${firstWord(pair.breed)}`]),
  breedInOtherCase: ({ breeds = [] }) => changeCaseOfFirst(breeds),
} as const satisfies Readonly<Record<string, Alteration>>

/** All alterations of listed names. A test removes each in turn, and proves that some defect is then missed. */
export const alterations: Alterations = { breeds: breedAlterations, queries: queryAlterations }

export interface Alterations {
  readonly breeds: Readonly<Partial<Record<keyof typeof breedAlterations, Alteration>>>
  readonly queries: Readonly<Partial<Record<keyof typeof queryAlterations, Alteration>>>
}

/** Applies the wanted alterations to listed names. */
export const applyAlterations = <N extends string>(
  all: Readonly<Partial<Record<N, Alteration>>>,
  isWanted: (name: N) => boolean,
  chosen: NamesToAlter,
): string[] =>
  // The cast is safe: the record has no other keys, and no key without a value.
  (Object.entries(all) as [N, Alteration][]).flatMap(([name, alter]) => (isWanted(name) ? alter(chosen) : []))

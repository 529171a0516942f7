import type { Exchange } from '../http/client/exchange.ts'
import { headerValue } from '../http/decode/response.ts'
import { quote } from '../quoted.ts'

/** A feature that texts may have in common, and the phrase that describes it. */
interface Trait {
  readonly has: (text: string) => boolean
  readonly phrase: string
}

const CHARACTER_NAMES: Readonly<Record<string, string>> = {
  '/': 'a slash',
  '\\': 'a backslash',
  '%': 'a percent sign',
  '+': 'a plus sign',
  '&': 'an ampersand',
  '#': 'a hash',
  '?': 'a question mark',
  "'": 'an apostrophe',
  '"': 'a quotation mark',
  ';': 'a semicolon',
  ' ': 'a blank',
  '\0': 'NUL',
  '\n': 'a line feed',
  '*': 'an asterisk',
  '.': 'a dot',
  ',': 'a comma',
  ':': 'a colon',
  '=': 'an equals sign',
  '@': 'an at sign',
  '!': 'an exclamation mark',
  '|': 'a vertical bar',
  '~': 'a tilde',
  _: 'an underscore',
  '-': 'a hyphen',
}

const OTHER_CHARACTERS = [...'()[]{}<>^$`']

const longerThan = (length: number): Trait => ({
  has: (text) => [...text].length > length,
  phrase: `are longer than ${length} characters`,
})

const shorterThan = (length: number): Trait => ({
  has: (text) => [...text].length < length,
  phrase: `are shorter than ${length} characters`,
})

export const describeContainedCharacter = (character: string): string =>
  `contain ${CHARACTER_NAMES[character] ?? quote(character)}`

/**
 * The trait of e.g. `constructor`: every JavaScript object has a member of this name, so a lookup in a plain object
 * finds it by mistake.
 */
const OBJECT_MEMBER_TRAIT: Trait = { has: (text) => text in {}, phrase: 'are built-in names of JavaScript objects' }

const CHARACTER_TRAITS: readonly Trait[] = [...Object.keys(CHARACTER_NAMES), ...OTHER_CHARACTERS].map((sign) => ({
  has: (text) => text.includes(sign),
  phrase: describeContainedCharacter(sign),
}))

export const NON_ASCII_PHRASE = 'contain a character that is not ASCII'

export const NOT_COMPOSED_PHRASE = 'are not in the Unicode normalisation form NFC'
export const NOT_DECOMPOSED_PHRASE = 'are not in the Unicode normalisation form NFD'

export const hasNonAsciiCapital = (text: string): boolean => /(?![A-Z])\p{Lu}/u.test(text)

const SCRIPT_TRAITS: readonly Trait[] = [
  { has: (text) => /\p{Cc}/u.test(text), phrase: 'contain a control character' },
  { has: (text) => /[\u{10000}-\u{10ffff}]/u.test(text), phrase: 'contain a character beyond U+FFFF' },
  { has: (text) => /\p{M}/u.test(text.normalize('NFD')), phrase: 'contain a letter with a mark' },
  { has: (text) => /[^\x00-\x7f]/.test(text), phrase: NON_ASCII_PHRASE },
  { has: hasNonAsciiCapital, phrase: 'contain a capital letter that is not ASCII' },
  // These two explain less than the traits above: only which Unicode form of an accented letter is misread.
  { has: (text) => text !== text.normalize('NFC'), phrase: NOT_COMPOSED_PHRASE },
  { has: (text) => text !== text.normalize('NFD'), phrase: NOT_DECOMPOSED_PHRASE },
]

export const hasLetterOrDigit = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Traits of about half of all names. They are weak evidence if only one input fails. */
const FREQUENT_TRAITS: readonly Trait[] = [
  { has: (text) => /\d/.test(text), phrase: 'contain a digit' },
  { has: (text) => /\p{Lu}/u.test(text), phrase: 'contain a capital letter' },
  { has: (text) => !/\p{Lu}/u.test(text), phrase: 'contain no capital letter' },
  ...[255, 127, 63, 31].map(longerThan),
]

/** Traits that count only if several inputs fail: a single input is often the shortest or longest by chance. */
const GROUP_ONLY_TRAITS: readonly Trait[] = [
  { has: (text) => !/[A-Za-z]/.test(text), phrase: 'contain no letter from A to Z' },
  { has: isPercentEncoded, phrase: 'are percent-encoded' },
  ...numbersUpTo(63).map(longerThan),
  ...numbersUpTo(9).map(shorterThan),
]

function numbersUpTo(most: number): number[] {
  return Array.from({ length: most }, (_, nth) => nth + 1)
}

function isPercentEncoded(text: string): boolean {
  return encodeURIComponent(text.toWellFormed()) !== text
}

/** Traits that are rare in ordinary names, and therefore the most likely cause. */
const RARE_TRAITS: readonly Trait[] = [OBJECT_MEMBER_TRAIT, ...CHARACTER_TRAITS, ...SCRIPT_TRAITS]
const SIGNS_TRAIT: Trait = {
  has: (text) => !hasLetterOrDigit(text),
  phrase: 'contain neither a letter nor a digit',
}
/** The traits to try if a single input fails. */
const SINGLE_INPUT_TRAITS: readonly Trait[] = [...RARE_TRAITS, ...FREQUENT_TRAITS]
/** The traits to try, after the rare ones, if several inputs fail. */
const FURTHER_GROUP_TRAITS: readonly Trait[] = [SIGNS_TRAIT, ...FREQUENT_TRAITS, ...GROUP_ONLY_TRAITS]
const ALL_TRAITS: readonly Trait[] = [...RARE_TRAITS, ...FURTHER_GROUP_TRAITS]

/** The ways in which a service may mistake one text for another, and the phrases for texts that differ only in this. */
const SIMILARITIES = [
  { fold: (text: string) => text.toLowerCase(), phrase: 'differ from another input only by case' },
  {
    fold: (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    phrase: 'differ from another input only by case or accents',
  },
] as const

export const SIMILARITY_PHRASES: readonly string[] = SIMILARITIES.map(({ phrase }) => phrase)

/** Returns a way in which each failing input resembles another input, and no two passing inputs resemble each other. */
function findSimilarities(failing: readonly string[], passing: readonly string[]): readonly Trait[] {
  return SIMILARITIES.flatMap(({ fold, phrase }) => {
    const counts = new Map<string, number>()
    for (const form of [...new Set([...failing, ...passing])].map(fold)) counts.set(form, (counts.get(form) ?? 0) + 1)
    const has = (text: string): boolean => (counts.get(fold(text)) ?? 0) > 1
    const passingForms = new Set(passing.map(fold))
    return failing.every(has) && passingForms.size === new Set(passing).size ? [{ has, phrase }] : []
  }).slice(0, 1)
}

/**
 * Returns the traits that all failing inputs have and no passing input has. Traits that are rare in ordinary names
 * (e.g. a slash) come first, because they are the most likely cause.
 */
export function findCommonTraits(failing: readonly string[], passing: readonly string[]): readonly string[] {
  if (failing.length === 0 || passing.length === 0) return []
  const findTraits = (traits: readonly Trait[]) =>
    traits.filter(({ has }) => failing.every(has) && !passing.some(has)).map(({ phrase }) => phrase)
  return [
    ...findTraits(RARE_TRAITS),
    ...findSimilarities(failing, passing).map(({ phrase }) => phrase),
    ...findTraits(failing.length > 1 ? FURTHER_GROUP_TRAITS : FREQUENT_TRAITS),
  ]
}

/**
 * Returns a small set of traits: each failing input has at least one of them, and no passing input has any. Short
 * inputs are explained first: if a text of a single character fails, that character also explains the longer inputs
 * that contain it.
 */
export function findMinimalTraits(failing: readonly string[], passing: readonly string[]): readonly string[] {
  const isOnlyInFailing = ({ has }: Trait): boolean => !passing.some(has)
  const findTraitOfAll = (traits: readonly Trait[]) =>
    failing.length > 1 ? traits.filter((trait) => isOnlyInFailing(trait) && failing.every(trait.has)).slice(0, 1) : []
  const [one] = findTraitOfAll(SINGLE_INPUT_TRAITS)
  if (one) return [one.phrase]
  const [signs, scripts] = [
    [OBJECT_MEMBER_TRAIT, ...CHARACTER_TRAITS].filter(isOnlyInFailing),
    SCRIPT_TRAITS.filter(isOnlyInFailing),
  ]
  const causes: Trait[] = []
  for (const text of failing.toSorted((one, other) => one.length - other.length)) {
    if (causes.some(({ has }) => has(text))) continue
    // A character that fails alone is the cause even if it passes in another input, e.g. `""`: two may cancel each other out.
    const heldTraits = (text.length === 1 ? CHARACTER_TRAITS : signs).filter(({ has }) => has(text))
    causes.push(...(heldTraits.length > 0 ? heldTraits : scripts.filter(({ has }) => has(text)).slice(0, 1)))
  }
  const others = causes.length === 1 ? [] : findTraitOfAll(GROUP_ONLY_TRAITS)
  return [...causes, ...others].map(({ phrase }) => phrase)
}

/**
 * Returns whether a text has at least one of the traits.
 * @param traits the phrases of the traits, e.g. `contain a slash`
 */
export const hasAnyTrait = (traits: readonly string[], text: string): boolean =>
  ALL_TRAITS.some(({ has, phrase }) => traits.includes(phrase) && has(text))

/**
 * Describes the trait that all failing inputs have and no passing input has. If no input passed, says that.
 * @returns a clause, e.g. `both failing inputs contain a slash; none of the 9 inputs that passed does`; undefined if there is
 * no such trait
 */
export function describeCommonTrait(failing: readonly string[], passing: readonly string[]): string | undefined {
  if (failing.length === 0 || failing.length + passing.length < 2) return undefined
  if (passing.length === 0) return `all ${failing.length} tested inputs fail`
  const [trait, ...furtherTraits] = findCommonTraits(failing, passing)
  if (!trait) return undefined
  const signs = [trait, ...furtherTraits].filter((one) => CHARACTER_TRAITS.some(({ phrase }) => phrase === one))
  if (failing.length === 1 && signs.length > 1) return describeSigns(signs, passing.length)
  const inputs =
    failing.length === 1
      ? `the failing input ${toSingular(trait)}`
      : `${failing.length === 2 ? 'both' : `all ${failing.length}`} failing inputs ${trait}`
  const verb = trait.startsWith('are') ? 'is' : 'does'
  const others =
    passing.length === 1
      ? `the input that passed ${verb} not`
      : `none of the ${passing.length} inputs that passed ${verb}`
  return `${inputs}; ${others}`
}

/** Describes the characters that only the single failing input contains: each of them may be the cause. */
function describeSigns(signs: readonly string[], passingCount: number): string {
  const characters = signs.slice(0, MAX_SIGNS).map((sign) => sign.replace(/^contain /, ''))
  const others = passingCount === 1 ? 'the input that passed' : `none of the ${passingCount} inputs that passed`
  const contains = passingCount === 1 ? 'contains none of these' : 'contains any of these'
  return `the failing input contains ${characters.join(' and ')}; ${others} ${contains}`
}

const MAX_SIGNS = 3

/** Changes the phrase of a trait from plural to singular, e.g. `contain a slash` to `contains a slash`. */
const toSingular = (text: string): string =>
  text
    .replace(/^contain/, 'contains')
    .replace(/^differ /, 'differs ')
    .replace(/^are built-in names/, 'is a built-in name')
    .replace(/^are/, 'is')

const contentTypeOf = ({ outcome }: Exchange): string | undefined =>
  outcome.kind === 'response' ? headerValue(outcome, 'content-type') : undefined

const isError = ({ outcome }: Exchange): boolean => outcome.kind === 'response' && outcome.status >= 400

/** The status of an exception that the service did not catch. Its framework, not a gateway, answers with a page. */
const UNCAUGHT_EXCEPTION_STATUS = 500

/**
 * Describes an error that probably comes from a gateway, because its format differs from that of the service's errors;
 * undefined for other responses.
 * @param others the other exchanges of the run
 */
export function describeGatewayError(
  faultyExchange: Exchange | undefined,
  others: readonly Exchange[],
): string | undefined {
  const media = faultyExchange && isError(faultyExchange) ? contentTypeOf(faultyExchange) : undefined
  if (media === undefined || /json/i.test(media) || faultyExchange?.outcome.status === UNCAUGHT_EXCEPTION_STATUS)
    return undefined
  const areOthersJson = others.some((one) => isError(one) && /json/i.test(contentTypeOf(one) ?? ''))
  const type = media.split(';', 1)[0]
  return areOthersJson
    ? `${type}, although the other errors are JSON: a gateway in front of the service may have answered`
    : undefined
}

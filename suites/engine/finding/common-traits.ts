import type { Exchange } from '../http/client/exchange.ts'
import { field } from '../http/decode/response.ts'

/** A property that inputs may have in common, and the phrase that describes it. */
interface Trait {
  readonly has: (text: string) => boolean
  readonly said: string
}

const SIGNS: Readonly<Record<string, string>> = {
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
}

const OTHER_SIGNS = [...'*.,:=@!()[]{}<>|^$~`_-']

const longerThan = (length: number): Trait => ({
  has: (text) => [...text].length > length,
  said: `are longer than ${length} characters`,
})

const shorterThan = (length: number): Trait => ({
  has: (text) => [...text].length < length,
  said: `are shorter than ${length} characters`,
})

/** The phrase for texts that contain a character. */
export const holding = (sign: string): string => `hold ${SIGNS[sign] ?? sign}`

/** Names such as `constructor`, which every JavaScript object has: a lookup in a plain object finds them. */
const MEMBER: Trait = { has: (text) => text in {}, said: 'are names that every object has' }

const SIGNED: readonly Trait[] = [...Object.keys(SIGNS), ...OTHER_SIGNS].map((sign) => ({
  has: (text) => text.includes(sign),
  said: holding(sign),
}))

export const HOLDING_NOT_ASCII = 'hold a character that is not ASCII'

const OF_SCRIPTS: readonly Trait[] = [
  { has: (text) => /\p{Cc}/u.test(text), said: 'hold a control character' },
  { has: (text) => /[\u{10000}-\u{10ffff}]/u.test(text), said: 'hold a character beyond U+FFFF' },
  { has: (text) => /\p{M}/u.test(text.normalize('NFD')), said: 'hold a letter with a mark' },
  { has: (text) => /[^\x00-\x7f]/.test(text), said: HOLDING_NOT_ASCII },
]

/** Traits that half of all names have: weak evidence for a single input. */
const COMMON: readonly Trait[] = [
  { has: (text) => /\d/.test(text), said: 'hold a digit' },
  { has: (text) => /\p{Lu}/u.test(text), said: 'hold a capital letter' },
  { has: (text) => !/\p{Lu}/u.test(text), said: 'hold no capital letter' },
  ...[255, 127, 63, 31].map(longerThan),
]

/** Traits that say nothing about a single input, which is often the shortest or longest by chance. */
const OF_SEVERAL: readonly Trait[] = [
  { has: (text) => !/[A-Za-z]/.test(text), said: 'hold no letter from A to Z' },
  { has: isPercentEncoded, said: 'are percent-encoded' },
  ...upTo(63).map(longerThan),
  ...upTo(9).map(shorterThan),
]

function upTo(most: number): number[] {
  return Array.from({ length: most }, (_, nth) => nth + 1)
}

function isPercentEncoded(text: string): boolean {
  return encodeURIComponent(text.toWellFormed()) !== text
}

/** The rarest traits first, because they are the most informative. */
const OF_ONE: readonly Trait[] = [MEMBER, ...SIGNED, ...OF_SCRIPTS, ...COMMON]
const TRAITS: readonly Trait[] = [...OF_ONE, ...OF_SEVERAL]

/** Returns the traits that all failing inputs have and no passing input has, the rarest first. */
export function traitsInCommon(broken: readonly string[], kept: readonly string[]): readonly string[] {
  if (broken.length === 0 || kept.length === 0) return []
  const traits = broken.length > 1 ? TRAITS : OF_ONE
  return traits.filter(({ has }) => broken.every(has) && !kept.some(has)).map(({ said }) => said)
}

/**
 * Returns the smallest set of traits that separates failing from passing inputs. It starts with the shortest inputs: a
 * character that fails alone explains the longer inputs that contain it.
 */
export function traitsToBlame(broken: readonly string[], kept: readonly string[]): readonly string[] {
  const isTelling = ({ has }: Trait): boolean => !kept.some(has)
  const ofAll = (traits: readonly Trait[]) =>
    broken.length > 1 ? traits.filter((trait) => isTelling(trait) && broken.every(trait.has)).slice(0, 1) : []
  const [one] = ofAll(OF_ONE)
  if (one) return [one.said]
  const [signs, scripts] = [[MEMBER, ...SIGNED].filter(isTelling), OF_SCRIPTS.filter(isTelling)]
  const blamed: Trait[] = []
  for (const text of broken.toSorted((one, other) => one.length - other.length)) {
    if (blamed.some(({ has }) => has(text))) continue
    // A character that fails alone is at fault, even if passing inputs contain it twice: two may cancel each other out.
    const held = (text.length === 1 ? SIGNED : signs).filter(({ has }) => has(text))
    blamed.push(...(held.length > 0 ? held : scripts.filter(({ has }) => has(text)).slice(0, 1)))
  }
  const others = blamed.length === 1 ? [] : ofAll(OF_SEVERAL)
  return [...blamed, ...others].map(({ said }) => said)
}

/** Returns whether a text has one of the traits. */
export const hasOneOf = (traits: readonly string[], text: string): boolean =>
  TRAITS.some(({ has, said }) => traits.includes(said) && has(text))

/**
 * Describes the trait that the failing inputs have in common and the passing ones lack.
 * @returns a clause; undefined if no trait separates them
 */
export function inCommon(broken: readonly string[], kept: readonly string[]): string | undefined {
  if (broken.length === 0 || broken.length + kept.length < 2) return undefined
  if (kept.length === 0) return `all ${broken.length} that were tested`
  const [trait] = traitsInCommon(broken, kept)
  if (!trait) return undefined
  const [who, said] = broken.length === 1 ? ['the input', singular(trait)] : [`all ${broken.length}`, trait]
  return `${who} ${said}; none of the ${kept.length} others that were tested does`
}

const singular = (said: string): string =>
  said
    .replace(/^hold/, 'holds')
    .replace(/^are names/, 'is a name')
    .replace(/^are/, 'is')

const mediaOf = ({ outcome }: Exchange): string | undefined =>
  outcome.kind === 'response' ? field(outcome, 'content-type') : undefined

const isError = ({ outcome }: Exchange): boolean => outcome.kind === 'response' && outcome.status >= 400

/**
 * Describes an error whose format differs from the service's other errors, as from a gateway.
 * @param others the other exchanges of the run
 */
export function answeredByAnother(accused: Exchange | undefined, others: readonly Exchange[]): string | undefined {
  const media = accused && isError(accused) ? mediaOf(accused) : undefined
  if (media === undefined || /json/i.test(media)) return undefined
  const saysJson = others.some((one) => isError(one) && /json/i.test(mediaOf(one) ?? ''))
  const type = media.split(';', 1)[0]
  return saysJson
    ? `${type}, although the other errors are JSON: a gateway in front of the service may have answered`
    : undefined
}

import { field } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'

/** What inputs may have in common: whether one has it, and how that is said of several. */
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
}

const OTHER_SIGNS = [...'*.,:=@!()[]{}<>|^$~`_-']

const within = (length: number): Trait => ({
  has: (text) => [...text].length > length,
  said: `are longer than ${length} characters`,
})

/** The most telling first: what is rarest among names. */
const TRAITS: readonly Trait[] = [
  ...Object.entries(SIGNS).map(([sign, said]) => ({
    has: (text: string) => text.includes(sign),
    said: `hold ${said}`,
  })),
  ...OTHER_SIGNS.map((sign) => ({ has: (text: string) => text.includes(sign), said: `hold ${sign}` })),
  { has: (text) => /\p{Cc}/u.test(text), said: 'hold a control character' },
  { has: (text) => /[\u{10000}-\u{10ffff}]/u.test(text), said: 'hold a character beyond U+FFFF' },
  { has: (text) => /\p{M}/u.test(text.normalize('NFD')), said: 'hold a letter with a mark' },
  { has: (text) => /[^\x00-\x7f]/.test(text), said: 'hold a character that is not ASCII' },
  { has: (text) => /\d/.test(text), said: 'hold a digit' },
  { has: (text) => /\p{Lu}/u.test(text), said: 'hold a capital letter' },
  { has: (text) => !/\p{Lu}/u.test(text), said: 'hold no capital letter' },
  ...[255, 127, 63, 31].map(within),
]

/** What tells the inputs that broke a promise from those that kept it, the most telling first. */
export function traitsInCommon(broken: readonly string[], kept: readonly string[]): readonly string[] {
  if (broken.length === 0 || kept.length === 0) return []
  return TRAITS.filter(({ has }) => broken.every(has) && !kept.some(has)).map(({ said }) => said)
}

/** The signs that some of the inputs hold that broke a promise, and none of those that kept it. */
export const signsOf = (broken: readonly string[], kept: readonly string[]): readonly string[] =>
  Object.keys(SIGNS).filter(
    (sign) => broken.some((text) => text.includes(sign)) && !kept.some((text) => text.includes(sign)),
  )

/**
 * What the inputs that broke a promise have in common, and those that kept it have not.
 * @returns a sentence; undefined where nothing tells them apart
 */
export function inCommon(broken: readonly string[], kept: readonly string[]): string | undefined {
  if (broken.length === 0 || broken.length + kept.length < 2) return undefined
  if (kept.length === 0) return `all ${broken.length} that were asked`
  const [trait] = traitsInCommon(broken, kept)
  if (!trait) return undefined
  const [who, said] = broken.length === 1 ? ['it', singular(trait)] : [`all ${broken.length}`, trait]
  return `${who} ${said}; none of the ${kept.length} others that were asked does`
}

const singular = (said: string): string => said.replace(/^hold/, 'holds').replace(/^are/, 'is')

const mediaOf = ({ outcome }: Exchange): string | undefined =>
  outcome.kind === 'response' ? field(outcome, 'content-type') : undefined

const isError = ({ outcome }: Exchange): boolean => outcome.kind === 'response' && outcome.status >= 400

/**
 * Errors that are told otherwise than the service tells its own.
 * @param others what else was answered
 */
export function answeredByAnother(accused: Exchange | undefined, others: readonly Exchange[]): string | undefined {
  const media = accused && isError(accused) ? mediaOf(accused) : undefined
  if (media === undefined || /json/i.test(media)) return undefined
  const saysJson = others.some((one) => isError(one) && /json/i.test(mediaOf(one) ?? ''))
  const type = media.split(';', 1)[0]
  return saysJson ? `${type}, where the service’s own errors are JSON: something before it may answer` : undefined
}

import type { Exchange } from '../../engine/http/client/exchange.ts'
import { formatExcerpt, type JsonPlace, toJsonPointer } from '../readings/json.ts'
import type { NameList } from '../readings/list-reading.ts'
import { collectFacts } from './collect-facts.ts'
import { isUriReference, type PageFact, wholeNumberIn } from './page-facts.ts'

/** Statements beside the elements of a list's last response. */
export interface ListMetadata {
  readonly url: string
  /** The operation, to compare a list with others of its kind. */
  readonly operation: string
  /** The numbers of elements read in total and in the last response. */
  readonly size: number
  readonly pageSize: number
  readonly facts: ReadonlyMap<string, PageFact>
}

/** A statement beside a list that makes it a page, under any key (R17.9). */
export interface MorePagesSign {
  /** The sign, as a sentence: `/anzahl is 48, as many as other lists hold`. */
  readonly description: string
  /** Its JSON Pointer, or its header field. */
  readonly place: string
  /** The way in which it can be followed. */
  readonly followedAs: 'as a link' | 'as a token' | 'no'
}

/** @param has returns whether the list holds a name */
export function readListMetadata(
  exchange: Exchange,
  list: JsonPlace | undefined,
  counts: Pick<ListMetadata, 'size' | 'pageSize'>,
  operation: string,
  has: NameList['has'],
): ListMetadata {
  const facts = collectFacts(exchange, list).filter((fact) => !isNameInOtherArray(fact, has))
  const placed = facts.map((fact) => [fact.isField ? fact.place.join(' ') : toJsonPointer(fact.place), fact] as const)
  return { ...counts, url: exchange.url, operation, facts: new Map(placed) }
}

/**
 * Returns whether another array shows a name of the list: `{"items": […], "recommended": [{"name": "Tom"}]}`. A single
 * member with a name may be the cursor of the last element.
 */
const isNameInOtherArray = ({ place, value }: PageFact, has: NameList['has']): boolean =>
  typeof value === 'string' && place.slice(0, -1).includes(value) && has(value)

const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || ['', '0', 0, 'false', false, '-1', -1].some((empty) => empty === value)

/**
 * Returns whether a link has the path of the list and another query; documentation and other lists have other paths.
 */
export function isLinkToOtherPage(value: unknown, url: string): value is string {
  if (!isUriReference(value) || !URL.canParse(value, url)) return false
  const [link, here] = [new URL(value, url), new URL(url)]
  return link.pathname === here.pathname && link.search !== here.search
}

/**
 * The parameters that a link adds to those of its list: a link of every response, e.g. to a sorted list, adds the same
 * ones.
 */
const addedParametersOf = (value: unknown, { url }: ListMetadata): string | undefined => {
  if (!isLinkToOtherPage(value, url)) return undefined
  const own = new URL(url).searchParams
  return JSON.stringify([...new URL(value, url).searchParams].filter(([name, text]) => own.get(name) !== text))
}

/** The numbers in a text, except in dates, versions and identifiers. */
const numbersIn = (text: string): readonly number[] =>
  [...text.slice(0, MAX_TEXT_LENGTH).matchAll(/(?<![\w.:-])\d{1,9}(?![\w:-]|\.\d)/g)].map(([digits]) => Number(digits))

const MAX_TEXT_LENGTH = 200

/** A text without its numbers: `1 of 5`. */
const textWithoutNumbers = (value: unknown): string => String(value).replace(/\d+/g, '0')

/** A smaller number of sizes or values may agree by chance. */
const MIN_AGREEING_LISTS = 2
/** A small number of zeros says little: on a fast machine most requests take 0 ms. */
const MIN_LISTS_WITH_ZERO = 5

const MAX_SHOWN_CHARACTERS = 60

const followedAsOf = (value: unknown): MorePagesSign['followedAs'] =>
  isUriReference(value) ? 'as a link' : ['true', '1'].includes(String(value)) ? 'no' : 'as a token'

/** Compares the facts beside one list with those beside shorter, complete lists. */
class MetadataComparison {
  private readonly metadata: ListMetadata
  private readonly shorterLists: readonly ListMetadata[]
  private readonly totals: readonly number[]

  constructor(own: ListMetadata, all: Iterable<ListMetadata>, totals: readonly number[]) {
    this.metadata = own
    this.totals = totals.filter((total) => total > own.size)
    const shorter = [...all].filter((one) => one.url !== own.url && (one.size < own.size || one.size === 0))
    const alike = shorter.filter(({ operation }) => operation === own.operation)
    this.shorterLists = alike.length >= MIN_AGREEING_LISTS ? alike : shorter
  }

  /** Returns the sign that is most likely to lead on. */
  findSign(): MorePagesSign | undefined {
    const signs = [...this.metadata.facts].flatMap(([place, { value }]) => this.signAt(place, value) ?? [])
    const first = (leads: MorePagesSign['followedAs']) => signs.find((sign) => sign.followedAs === leads)
    return first('as a link') ?? first('as a token') ?? signs[0]
  }

  private signAt(place: string, value: unknown): MorePagesSign | undefined {
    const sign = (says: string, leads: MorePagesSign['followedAs'] = 'no') => ({
      place,
      description: `${place} ${says}`,
      followedAs: leads,
    })
    const shown = formatExcerpt(value, MAX_SHOWN_CHARACTERS)
    const number = wholeNumberIn({ value })
    // {"total": 2} beside two names is their number, even if two are missing.
    if (number === this.metadata.size) return undefined
    if (number !== undefined && this.isTotal(place, number)) return sign(`is ${shown}, as other lists add up to`)
    if (this.isSizeOfOthers(place, value)) return sign(`is ${shown}; beside shorter lists it is their size`)
    if (typeof value === 'string' && this.hasTotal(place, value)) return sign(`is ${shown}`)
    const added = addedParametersOf(value, this.metadata)
    if (added !== undefined)
      return this.isAddedByOthers(place, added)
        ? undefined
        : sign(`is a link to the same path with another query`, 'as a link')
    if (this.isLackedByOthers(place, value)) return sign(`is ${shown}, which shorter lists lack`, followedAsOf(value))
    return this.hasOtherTextInOthers(place, value) ? sign(`is ${shown}, and otherwise beside shorter lists`) : undefined
  }

  /** Returns whether it is the number of all elements, of those left, or of pages. */
  private isTotal(place: string, number: number): boolean {
    const { size, pageSize } = this.metadata
    return this.totals.some(
      (total) =>
        number === total ||
        (this.isAlways(place, isEmptyValue) && number === total - size) ||
        (number > 1 &&
          number === Math.ceil(total / Math.max(1, pageSize)) &&
          this.isAlways(place, (one) => ['0', '1'].includes(String(one)))),
    )
  }

  private isAlways(place: string, test: (value: unknown) => boolean): boolean {
    return this.shorterLists.length > 0 && this.shorterLists.every(({ facts }) => test(facts.get(place)?.value ?? 0))
  }

  /**
   * Returns whether it is the size of other lists: `{"n": 3}` beside three names and `{"n": 7}` beside seven make
   * `{"n": 48}` beside ten a total. So does `1-10 of 48`.
   */
  private isSizeOfOthers(place: string, value: unknown): boolean {
    const others = this.shorterLists.filter(({ size, facts }) => size > 0 && facts.has(place))
    if (new Set(others.map(({ size }) => size)).size < MIN_AGREEING_LISTS) return false
    const isSize = (nth: number) =>
      others.every(({ size, facts }) => numbersIn(String(facts.get(place)?.value))[nth] === size)
    return numbersIn(String(value)).some((number, nth) => number > this.metadata.size && isSize(nth))
  }

  private hasTotal(place: string, text: string): boolean {
    return (
      numbersIn(text).some((one) => this.totals.includes(one)) &&
      this.shorterLists.every(({ facts }) => facts.get(place)?.value !== text)
    )
  }

  private isAddedByOthers(place: string, added: string): boolean {
    return this.shorterLists.some((one) => addedParametersOf(one.facts.get(place)?.value, one) === added)
  }

  /**
   * Returns whether it is a true, a link or a token that complete lists lack. A number where complete lists have 0 may
   * be a duration, so it must equal the number of missing names.
   */
  private isLackedByOthers(place: string, value: unknown): boolean {
    if (isEmptyValue(value) || /\s/.test(String(value))) return false
    const others = this.shorterLists.map(({ facts }) => facts.get(place)?.value)
    if (!others.every(isEmptyValue)) return false
    if (wholeNumberIn({ value }) === undefined || !others.some((one) => one === 0)) return true
    return (
      others.length >= MIN_LISTS_WITH_ZERO &&
      Number(value) + this.metadata.size >= Math.max(...this.totals, this.metadata.size + 1)
    )
  }

  /**
   * Returns whether complete lists of several operations have another text: `{"status": "partial"}` rather than
   * `"complete"`.
   */
  private hasOtherTextInOthers(place: string, value: unknown): boolean {
    if (wholeNumberIn({ value }) !== undefined) return false
    const shorter = this.shorterLists.filter(({ size }) => size > 0)
    const [first, ...others] = shorter.map(({ facts }) => facts.get(place)?.value)
    if (first === undefined || first === value || others.some((one) => one !== first)) return false
    const operations = new Set([...shorter.map(({ operation }) => operation), this.metadata.operation]).size
    return (
      shorter.length >= MIN_AGREEING_LISTS &&
      (textWithoutNumbers(first) === textWithoutNumbers(value) || operations >= this.operationsNeeded)
    )
  }

  /** A difference by operation alone says nothing: `{"type": "cats"}`. */
  private get operationsNeeded(): number {
    return this.shorterLists.every(({ operation }) => operation === this.metadata.operation) ? 1 : 3
  }
}

/**
 * Examines everything (R17.8) beside a list that lacks names which other lists hold.
 * @param others statements of the deployment's other lists beside their elements
 * @param totals the numbers of names that the other lists add up to
 */
export const findMorePagesSign = (
  own: ListMetadata,
  others: Iterable<ListMetadata>,
  totals: readonly number[],
): MorePagesSign | undefined => new MetadataComparison(own, others, totals).findSign()

import type { Exchange } from '../../engine/http/client/exchange.ts'
import { formatExcerpt, type JsonPlace, toJsonPointer } from '../readings/json.ts'
import type { NameList } from '../readings/list-reading.ts'
import { collectFactsBesideList } from './collect-facts.ts'
import { isUriReference, type PageFact, wholeNumberOf } from './page-facts.ts'
import { matchesAnyPattern, pageKeyPatterns } from './page-keys.ts'

/** The statements of a list's last response beside its elements. */
export interface ListMetadata {
  readonly url: string
  /** The operation; lists are compared with others of the same operation. */
  readonly operation: string
  /** The number of elements read in all responses, and in the last one. */
  readonly size: number
  readonly pageSize: number
  readonly facts: ReadonlyMap<string, PageFact>
}

/** A statement beside a list which shows that the list is a page, whatever its key (R17.9). */
export interface MorePagesSign {
  /** The statement as a sentence, e.g. `/anzahl is 48, as many as other lists hold`. */
  readonly description: string
  /** The JSON Pointer of the statement, or its header field. */
  readonly place: string
  /** The way in which the statement leads to the next page. */
  readonly followedAs: 'as a link' | 'as a token' | 'no'
}

/** The status that says that there is more (RFC 9110, section 15.3.7), as a fact. */
const PARTIAL_CONTENT = 'Partial Content (206)'

/**
 * Reads what a response states beside its list.
 * @param has returns whether the list holds a name
 */
export function readListMetadata(
  exchange: Exchange,
  list: JsonPlace | undefined,
  counts: Pick<ListMetadata, 'size' | 'pageSize'>,
  operation: string,
  has: NameList['has'],
): ListMetadata {
  const facts = collectFactsBesideList(exchange, list).filter((fact) => !isNameInOtherArray(fact, has))
  const factsByPlace = facts.map(
    (fact) => [fact.isField ? fact.place.join(' ') : toJsonPointer(fact.place), fact] as const,
  )
  const isPartial = exchange.outcome.kind === 'response' && exchange.outcome.status === 206
  const ofStatus = isPartial ? [[PARTIAL_CONTENT, { place: [], key: '', value: true }] as const] : []
  return { ...counts, url: exchange.url, operation, facts: new Map([...factsByPlace, ...ofStatus]) }
}

/**
 * Returns whether a value is a name in another array of the response, e.g. `{"items": […], "recommended": [{"name":
 * "Tom"}]}`. A name in a single member may be the cursor of the last element.
 */
const isNameInOtherArray = ({ place, value }: PageFact, has: NameList['has']): boolean =>
  typeof value === 'string' && place.slice(0, -1).includes(value) && has(value)

const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || ['', '0', 0, 'false', false, '-1', -1].some((empty) => empty === value)

/**
 * Returns whether a link has the list's path and another query. Links to documentation or other lists have other paths.
 */
export function isLinkToOtherPage(value: unknown, url: string): value is string {
  if (!isUriReference(value) || !URL.canParse(value, url)) return false
  const [link, listUrl] = [new URL(value, url), new URL(url)]
  return link.pathname === listUrl.pathname && link.search !== listUrl.search
}

/**
 * Returns the parameters that a link adds to those of its list. A link that is in every response, e.g. to the sorted
 * list, always adds the same ones.
 */
const addedParametersOf = (value: unknown, { url }: ListMetadata): string | undefined => {
  if (!isLinkToOtherPage(value, url)) return undefined
  const listParameters = new URL(url).searchParams
  return JSON.stringify(
    [...new URL(value, url).searchParams].filter(([name, text]) => listParameters.get(name) !== text),
  )
}

/** Returns the numbers in a text, except those in dates, versions and identifiers. */
const numbersIn = (text: string): readonly number[] =>
  [...text.slice(0, MAX_TEXT_LENGTH).matchAll(/(?<![\w.:-])\d{1,9}(?![\w:-]|\.\d)/g)].map(([digits]) => Number(digits))

const MAX_TEXT_LENGTH = 200

/** Replaces each number, so that `1 of 5` and `2 of 5` are equal. */
const textWithoutNumbers = (value: unknown): string => String(value).replace(/\d+/g, '0')

/** With fewer lists, their sizes or values may agree by chance. */
const MIN_AGREEING_LISTS = 2
/** With fewer lists, a zero in each means little: on a fast machine, most durations are 0 ms. */
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
    const ofSameOperation = shorter.filter(({ operation }) => operation === own.operation)
    this.shorterLists = ofSameOperation.length >= MIN_AGREEING_LISTS ? ofSameOperation : shorter
  }

  /** Returns the sign that is most likely to lead to the next page. */
  findSign(): MorePagesSign | undefined {
    const signs = [...this.metadata.facts].flatMap(([place, fact]) => this.signAt(place, fact) ?? [])
    const first = (followedAs: MorePagesSign['followedAs']) => signs.find((sign) => sign.followedAs === followedAs)
    return first('as a link') ?? first('as a token') ?? signs[0]
  }

  private signAt(place: string, { value, key }: PageFact): MorePagesSign | undefined {
    const sign = (statement: string, followedAs: MorePagesSign['followedAs'] = 'no') => ({
      place,
      description: `${place} ${statement}`,
      followedAs,
    })
    const shown = formatExcerpt(value, MAX_SHOWN_CHARACTERS)
    const number = wholeNumberOf({ value })
    // A number of this size says nothing: `{"total": 2}` beside two names may count these names, even if two more are
    // missing.
    if (number === this.metadata.size) return undefined
    if (number !== undefined && this.isTotal(place, number)) return sign(`is ${shown}, as other lists add up to`)
    if (this.isSizeOfOthers(place, value)) return sign(`is ${shown}; beside shorter lists it is their size`)
    if (typeof value === 'string' && this.hasTotal(place, value)) return sign(`is ${shown}`)
    const added = addedParametersOf(value, this.metadata)
    if (added !== undefined)
      return this.isAddedByOthers(place, added)
        ? undefined
        : sign(`is a link to the same path with another query`, 'as a link')
    const canBeToken = !/\s/.test(String(value)) || matchesAnyPattern(pageKeyPatterns.next, key)
    if (canBeToken && this.isLackedByOthers(place, value))
      return sign(`is ${shown}, which shorter lists lack`, followedAsOf(value))
    return this.hasOtherTextInOthers(place, value) ? sign(`is ${shown}, and otherwise beside shorter lists`) : undefined
  }

  /** Returns whether a number counts all elements, the remaining elements, or the pages. */
  private isTotal(place: string, number: number): boolean {
    const { size, pageSize } = this.metadata
    return this.totals.some(
      (total) =>
        number === total ||
        (this.isTrueOfAll(place, isEmptyValue) && number === total - size) ||
        (number > 1 &&
          number === Math.ceil(total / Math.max(1, pageSize)) &&
          this.isTrueOfAll(place, (one) => ['0', '1'].includes(String(one)))),
    )
  }

  private isTrueOfAll(place: string, test: (value: unknown) => boolean): boolean {
    return this.shorterLists.length > 0 && this.shorterLists.every(({ facts }) => test(facts.get(place)?.value ?? 0))
  }

  /**
   * Returns whether a number equals the size of each other list. If `{"n": 3}` is beside three names and `{"n": 7}`
   * beside seven, `{"n": 48}` beside ten is a total. The same holds for `1-10 of 48`.
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
   * Returns whether a value is `true`, a link or a token that complete lists lack. Where complete lists have 0, a
   * number may be a duration, so it must equal the number of missing names.
   */
  private isLackedByOthers(place: string, value: unknown): boolean {
    if (isEmptyValue(value)) return false
    const others = this.shorterLists.map(({ facts }) => facts.get(place)?.value)
    if (!others.every(isEmptyValue)) return false
    if (wholeNumberOf({ value }) === undefined || !others.some((one) => one === 0)) return true
    return (
      others.length >= MIN_LISTS_WITH_ZERO &&
      Number(value) + this.metadata.size >= Math.max(...this.totals, this.metadata.size + 1)
    )
  }

  /**
   * Returns whether complete lists of several operations have another text, e.g. `{"status": "complete"}` instead of
   * `"partial"`.
   */
  private hasOtherTextInOthers(place: string, value: unknown): boolean {
    if (wholeNumberOf({ value }) !== undefined) return false
    const shorter = this.shorterLists.filter(({ size }) => size > 0)
    const [first, ...others] = shorter.map(({ facts }) => facts.get(place)?.value)
    if (first === undefined || first === value || others.some((one) => one !== first)) return false
    const operations = new Set([...shorter.map(({ operation }) => operation), this.metadata.operation]).size
    return (
      shorter.length >= MIN_AGREEING_LISTS &&
      (textWithoutNumbers(first) === textWithoutNumbers(value) || operations >= this.operationsNeeded)
    )
  }

  /**
   * The number of operations whose lists must have the same text beside them before it is evidence of pages. A text that
   * differs by operation, e.g. `{"type": "cats"}`, says nothing about pages.
   */
  private get operationsNeeded(): number {
    return this.shorterLists.every(({ operation }) => operation === this.metadata.operation) ? 1 : 3
  }
}

/**
 * Finds the statement beside a list which shows that the list is a page. Only for a list that lacks names of other
 * lists (R17.8).
 * @param others the statements beside other lists of the deployment
 * @param totals the numbers of names that the other lists add up to
 */
export const findMorePagesSign = (
  own: ListMetadata,
  others: Iterable<ListMetadata>,
  totals: readonly number[],
): MorePagesSign | undefined => new MetadataComparison(own, others, totals).findSign()

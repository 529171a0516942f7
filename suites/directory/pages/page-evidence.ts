import { formatExcerpt } from '../readings/json.ts'
import { type ListMetadata, PARTIAL_CONTENT } from './list-metadata.ts'
import {
  type FactBesideList,
  isEmptyValue,
  isLinkToOtherPage,
  isNameOfCollection,
  isUnrelatedToPages,
  isUriReference,
  saysThatListEnds,
  wholeNumberOf,
} from './page-facts.ts'
import { matchesAnyPattern, pageKeyPatterns } from './page-keys.ts'
import { isNextToken, statesMoreElements } from './stated-pages.ts'
import { findNumbersInText, textWithoutNumbers } from './text-numbers.ts'

/** A value beside a list which suggests that there are more pages, whatever its key is (R17.9). */
export interface MorePagesSign {
  /** A sentence, e.g. `/anzahl is 48, as other lists add up to`. */
  readonly description: string
  /** The JSON Pointer of the value, or the name of its header field. */
  readonly place: string
  /** The way in which the value leads to the next page; `no` if it only shows that there is one. */
  readonly followedAs: 'as a link' | 'as a token' | 'no'
}

/**
 * Returns the query parameters that a link adds. Links that add the same parameters to shorter lists are not for pages.
 */
const addedParametersOf = (value: unknown, { url }: ListMetadata): string | undefined => {
  if (!isLinkToOtherPage(value, url)) return undefined
  const listParameters = new URL(url).searchParams
  return JSON.stringify(
    [...new URL(value, url).searchParams].filter(([name, text]) => listParameters.get(name) !== text),
  )
}

/** The minimum number of lists that must agree. The sizes or values of fewer lists may agree by chance. */
const MIN_AGREEING_LISTS = 2
/**
 * A number that is 0 beside at least this many shorter lists may count missing elements. With fewer, it may be e.g. a
 * duration, which is often 0 ms.
 */
const MIN_SHORTER_LISTS_WITH_ZERO = 5

const MAX_SHOWN_CHARACTERS = 60

const hasSeveralSizes = (lists: readonly ListMetadata[]): boolean =>
  new Set(lists.map(({ size }) => size)).size >= MIN_AGREEING_LISTS

const numberAt = (place: string, { facts }: ListMetadata): number | undefined => {
  const fact = facts.get(place)
  return fact && wholeNumberOf(fact)
}

const decideHowToFollow = (value: unknown): MorePagesSign['followedAs'] =>
  isUriReference(value) ? 'as a link' : ['true', '1'].includes(String(value)) ? 'no' : 'as a token'

type RepeatedReadings = readonly (readonly ListMetadata[])[]

/** Compares the values beside one list with those beside shorter lists, which are assumed to be complete. */
class MetadataComparison {
  private readonly metadata: ListMetadata
  private readonly otherLists: readonly ListMetadata[]
  private readonly listsOfSameOperation: readonly ListMetadata[]
  private readonly shorterLists: readonly ListMetadata[]
  private readonly totals: readonly number[]
  private readonly lacksNames: boolean
  private readonly repeated: RepeatedReadings

  constructor(
    own: ListMetadata,
    all: Iterable<ListMetadata>,
    totals: readonly number[] | undefined,
    repeated: RepeatedReadings,
  ) {
    this.metadata = own
    this.lacksNames = totals !== undefined
    this.repeated = repeated
    this.totals = (totals ?? []).filter((total) => total > own.size)
    this.otherLists = [...all].filter(({ url }) => url !== own.url)
    this.listsOfSameOperation = this.otherLists.filter(({ operation }) => operation === own.operation)
    const isShorter = ({ size }: ListMetadata) => size < own.size || size === 0
    const shorterOfOperation = this.listsOfSameOperation.filter(isShorter)
    this.shorterLists =
      shorterOfOperation.length >= MIN_AGREEING_LISTS ? shorterOfOperation : this.otherLists.filter(isShorter)
  }

  findSign(): MorePagesSign | undefined {
    if (saysThatListEnds(this.metadata.facts.values())) return undefined
    const signs = [...this.metadata.facts].flatMap(([place, fact]) => this.signAt(place, fact) ?? [])
    const first = (followedAs: MorePagesSign['followedAs']) => signs.find((sign) => sign.followedAs === followedAs)
    return first('as a link') ?? first('as a token') ?? signs[0]
  }

  private signAt(place: string, fact: FactBesideList): MorePagesSign | undefined {
    const { value, key } = fact
    const sign = (statement: string, followedAs: MorePagesSign['followedAs'] = 'no') => ({
      place,
      description:
        place === PARTIAL_CONTENT
          ? `it has ${place}, unlike shorter lists`
          : `${place.startsWith('/') ? '' : 'the header '}${place} ${statement}`,
      followedAs,
    })
    const shown = formatExcerpt(value, MAX_SHOWN_CHARACTERS)
    const number = wholeNumberOf({ value })
    const signIfStated = () => (this.statesMore(place, fact) ? sign(`is ${shown}`) : undefined)
    if (isUnrelatedToPages(value, this.metadata) || this.isInEveryResponse(place, fact)) return undefined
    if (this.comesAndGoes(place, isEmptyValue)) return undefined
    // `{"total": 2}` beside two names may count just these names. But it may also be the position of the next page.
    if (number === this.metadata.size && !(this.lacksNames && this.isAbsentFromOthers(place))) return signIfStated()
    if (number !== undefined && this.isTotal(place, number))
      return sign(
        `is ${shown}, which is probably the total number of elements or pages: it fits the number of names in the other lists`,
      )
    if (this.isSizeOfOthers(place, value))
      return sign(
        `is ${shown}; in other responses, which have fewer names, the number there equals the number of names in the response`,
      )
    if (typeof value === 'string' && this.hasTotal(place, value)) return sign(`is ${shown}`)
    const added = addedParametersOf(value, this.metadata)
    if (added !== undefined)
      return this.isAddedByOthers(place, added)
        ? undefined
        : sign(`is a link to the same path with another query`, 'as a link')
    const canBeToken = !/\s/.test(String(value)) || matchesAnyPattern(pageKeyPatterns.next, key)
    if (canBeToken && this.isLackedByOthers(place, value))
      return sign(
        `is ${shown}; in other responses, which have ${this.metadata.size > 0 ? 'fewer' : 'no'} names, it is missing or empty`,
        decideHowToFollow(value),
      )
    if (this.hasOtherTextInOthers(place, value))
      return sign(`is ${shown}; in other responses, which have fewer names, it has another value`)
    return signIfStated()
  }

  /** Returns whether a number may count all elements, the elements that are left, or the pages. */
  private isTotal(place: string, number: number): boolean {
    const { size, pageSize } = this.metadata
    return this.totals.some(
      (total) =>
        (number === total && !this.isBelowSizes(place)) ||
        (this.isTrueOfAll(place, isEmptyValue) && number === total - size) ||
        (number > 1 &&
          number === Math.ceil(total / Math.max(1, pageSize)) &&
          this.isTrueOfAll(place, (one) => ['0', '1'].includes(String(one)))),
    )
  }

  /**
   * Returns whether every response has this value (R17.10), e.g. `success: true`, a rate limit, or a number of shards.
   * A number may be absent from some responses if another number is the size of the list in each.
   */
  private isInEveryResponse(place: string, { key, value }: FactBesideList): boolean {
    const valueIn = ({ facts }: ListMetadata) =>
      (facts.get(place) ?? [...facts.values()].find((fact) => fact.key === key))?.value
    // An empty list may have no such value, e.g. no best score.
    const lists = this.otherLists.filter((list) => list.size > 0 || !isEmptyValue(valueIn(list)))
    const listsWithValue = lists.filter((list) => valueIn(list) !== undefined)
    return (
      this.haveSeveralOtherSizes(listsWithValue) &&
      listsWithValue.every((list) => valueIn(list) === value) &&
      (lists.every((list) => list.size === 0 || valueIn(list) !== undefined) ||
        (wholeNumberOf({ value }) !== undefined && this.hasOwnSize()))
    )
  }

  /** Returns whether lists have several sizes apart from that of this list. */
  private haveSeveralOtherSizes(lists: readonly ListMetadata[]): boolean {
    return hasSeveralSizes(lists.filter(({ size }) => size !== this.metadata.size))
  }

  /** Returns whether each response has the size of its list at one place, e.g. `{"count": 3}`. */
  private hasOwnSize(): boolean {
    return [...this.metadata.facts.keys()].some((place) => {
      const lists = this.otherLists.filter(({ facts }) => facts.has(place))
      return hasSeveralSizes(lists) && [this.metadata, ...lists].every((list) => numberAt(place, list) === list.size)
    })
  }

  /**
   * Returns whether a value says that there are more pages, by its known key. A token says nothing if complete lists
   * have tokens too (R17.10).
   */
  private statesMore(place: string, fact: FactBesideList): boolean {
    if (this.totals.length === 0) return false
    if (statesMoreElements(fact, this.metadata)) return !this.isCounter(place)
    return isNextToken(fact) && this.shorterLists.every(({ facts }) => isEmptyValue(facts.get(place)?.value))
  }

  /**
   * Returns whether the numbers at this place are always above the sizes of the lists, and all differ, e.g. counted
   * visits.
   */
  private isCounter(place: string): boolean {
    const lists = this.otherLists.filter(({ facts }) => facts.has(place))
    const numbers = lists.map((list) => numberAt(place, list) ?? 0)
    const areAbove = lists.every(({ size }, nth) => (numbers[nth] ?? 0) > size)
    return lists.length >= MIN_AGREEING_LISTS && areAbove && new Set(numbers).size === lists.length
  }

  /**
   * Returns whether the numbers at this place are smaller than several lists, e.g. durations. Such a number is no
   * total.
   */
  private isBelowSizes(place: string): boolean {
    return hasSeveralSizes(this.otherLists.filter((list) => (numberAt(place, list) ?? list.size) < list.size))
  }

  private isTrueOfAll(place: string, test: (value: unknown) => boolean): boolean {
    return this.shorterLists.length > 0 && this.shorterLists.every(({ facts }) => test(facts.get(place)?.value ?? 0))
  }

  /**
   * Returns whether the values at this place are the sizes of other lists. E.g. if `{"n":3}` is beside three names and
   * `{"n":7}` beside seven, then `{"n":48}` beside ten shows that there are more. Texts such as `1-10 of 48` count,
   * too.
   */
  private isSizeOfOthers(place: string, value: unknown): boolean {
    const others = this.shorterLists.filter(({ facts }) => facts.has(place))
    if (!hasSeveralSizes(others)) return false
    const isSize = (nth: number) =>
      others.every(({ size, facts }) => findNumbersInText(String(facts.get(place)?.value))[nth] === size)
    return findNumbersInText(String(value)).some((number, nth) => number > this.metadata.size && isSize(nth))
  }

  private hasTotal(place: string, text: string): boolean {
    return (
      findNumbersInText(text).some((one) => this.totals.includes(one)) &&
      this.shorterLists.every(({ facts }) => facts.get(place)?.value !== text)
    )
  }

  /**
   * Returns whether a shorter list, or lists of several other sizes, have a link at this place that adds the same
   * parameters.
   */
  private isAddedByOthers(place: string, added: string): boolean {
    const isAddedBy = (one: ListMetadata) => addedParametersOf(one.facts.get(place)?.value, one) === added
    return this.shorterLists.some(isAddedBy) || this.haveSeveralOtherSizes(this.listsOfSameOperation.filter(isAddedBy))
  }

  /**
   * Returns whether all shorter lists lack such a value, e.g. `true`, a link or a token. A number that is 0 beside
   * shorter lists may be a duration, so it counts only if it is at least the number of missing names.
   */
  private isLackedByOthers(place: string, value: unknown): boolean {
    if (isEmptyValue(value) || this.isBesideAllWithElements(place)) return false
    const others = this.shorterLists.map(({ facts }) => facts.get(place)?.value)
    if (others.length === 0 ? this.isShorterThanOthers() : !others.every(isEmptyValue)) return false
    if (wholeNumberOf({ value }) === undefined || !others.some((one) => one === 0)) return true
    return (
      others.length >= MIN_SHORTER_LISTS_WITH_ZERO &&
      Number(value) + this.metadata.size >= Math.max(...this.totals, this.metadata.size + 1)
    )
  }

  /**
   * Returns whether all lists of the operation that have elements, of several sizes, have some value at this place
   * (R17.10).
   */
  private isBesideAllWithElements(place: string): boolean {
    const lists = this.listsOfSameOperation.filter(({ size }) => size > 0)
    return this.haveSeveralOtherSizes(lists) && lists.every(({ facts }) => !isEmptyValue(facts.get(place)?.value))
  }

  /**
   * Returns whether shorter lists that are not empty have no value, null or '' at this place. A count would have a
   * value.
   */
  private isAbsentFromOthers(place: string): boolean {
    const lists = this.shorterLists.filter(({ size }) => size > 0)
    return lists.length > 0 && lists.every(({ facts }) => (facts.get(place)?.value ?? '') === '')
  }

  /** Returns whether the list is not cut at a page size: it is empty, or another list of the operation is longer. */
  private isShorterThanOthers(): boolean {
    const { size, operation } = this.metadata
    return size === 0 || this.otherLists.some((list) => list.operation === operation && list.size > size)
  }

  /** Returns whether equal lists were read with and without such a value, e.g. `X-Cache: HIT`. */
  private comesAndGoes(place: string, isSuchValue: (value: unknown) => boolean): boolean {
    const lists = this.repeated.filter((readings) => {
      const withValue = readings.filter(({ facts }) => isSuchValue(facts.get(place)?.value))
      return withValue.length > 0 && withValue.length < readings.length
    })
    return new Set(lists.map(([reading]) => reading?.outerNames)).size >= MIN_AGREEING_LISTS
  }

  /**
   * Returns whether shorter lists have another text at this place, e.g. `{"status": "complete"}` and this one
   * `"partial"`.
   */
  private hasOtherTextInOthers(place: string, value: unknown): boolean {
    if (wholeNumberOf({ value }) !== undefined || isNameOfCollection(value, this.metadata.url)) return false
    const shorter = this.shorterLists.filter(({ size }) => size > 0)
    const [first, ...others] = shorter.map(({ facts }) => facts.get(place)?.value)
    if (first === undefined || first === value || others.some((one) => one !== first)) return false
    if (this.comesAndGoes(place, (one) => one === first)) return false
    const operations = new Set([...shorter.map(({ operation }) => operation), this.metadata.operation]).size
    return (
      shorter.length >= MIN_AGREEING_LISTS &&
      (textWithoutNumbers(first) === textWithoutNumbers(value) || operations >= this.operationsNeeded)
    )
  }

  /** The minimum number of operations: a text that differs by operation, e.g. `{"type": "cats"}`, is no evidence. */
  private get operationsNeeded(): number {
    return this.shorterLists.every(({ operation }) => operation === this.metadata.operation) ? 1 : 3
  }
}

/**
 * Finds a value which suggests more pages, beside a list that lacks names of other lists (R17.8).
 * @param totals the numbers of different names that the other lists contain; undefined if the list lacks no known name
 */
export const findMorePagesSign = (
  own: ListMetadata,
  others: Iterable<ListMetadata>,
  totals: readonly number[] | undefined,
  repeated: RepeatedReadings = [],
): MorePagesSign | undefined => new MetadataComparison(own, others, totals, repeated).findSign()

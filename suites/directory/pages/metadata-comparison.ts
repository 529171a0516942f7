import type { ListMetadata } from './list-metadata.ts'
import {
  isLinkToOtherPage,
  isNameOfCollection,
  type MetadataItem,
  meansNoNextPage,
  wholeNumberOf,
} from './metadata-items.ts'
import { isKnownSignOfMorePages, isNextToken, saysMoreExceptInEmptyLists } from './paging-info.ts'
import { findNumbersInText, replaceNumbers } from './text-numbers.ts'

/**
 * Returns the query parameters that a link adds to the URL of the list, as a text; undefined if it is no link to
 * another page. Links that add the same parameters to shorter lists are not for pages.
 */
export const addedParametersOf = (value: unknown, { url }: ListMetadata): string | undefined => {
  if (!isLinkToOtherPage(value, url)) return undefined
  const listParameters = new URL(url).searchParams
  return JSON.stringify(
    [...new URL(value, url).searchParams].filter(([name, text]) => listParameters.get(name) !== text),
  )
}

/** The minimum number of lists that must agree. The sizes or values of fewer lists may agree by chance. */
const MIN_AGREEING_LISTS = 2
/**
 * A number that is 0 in the responses with at least this many shorter lists may count missing elements. With fewer, it
 * may be e.g. a duration, which is often 0 ms.
 */
const MIN_SHORTER_LISTS_WITH_ZERO = 5

const hasSeveralSizes = (lists: readonly ListMetadata[]): boolean =>
  new Set(lists.map(({ size }) => size)).size >= MIN_AGREEING_LISTS

const numberAt = (place: string, { items }: ListMetadata): number | undefined => {
  const item = items.get(place)
  return item && wholeNumberOf(item)
}

/** The readings of each list: one or more. */
export type RepeatedReadings = readonly (readonly ListMetadata[])[]

/** Compares the metadata items of one list with those of shorter lists, which are assumed to be complete. */
export class MetadataComparison {
  readonly metadata: ListMetadata
  private readonly otherLists: readonly ListMetadata[]
  private readonly listsOfSameOperation: readonly ListMetadata[]
  private readonly shorterLists: readonly ListMetadata[]
  private readonly totals: readonly number[]
  /** True if other lists contain names that the list lacks. */
  readonly lacksNames: boolean
  private readonly repeated: RepeatedReadings

  constructor(
    metadata: ListMetadata,
    all: Iterable<ListMetadata>,
    totals: readonly number[] | undefined,
    repeated: RepeatedReadings,
  ) {
    this.metadata = metadata
    this.lacksNames = totals !== undefined
    this.repeated = repeated
    this.totals = (totals ?? []).filter((total) => total > metadata.size)
    this.otherLists = [...all].filter(({ url }) => url !== metadata.url)
    this.listsOfSameOperation = this.otherLists.filter(({ operation }) => operation === metadata.operation)
    const isShorter = ({ size }: ListMetadata) => size < metadata.size || size === 0
    const shorterOfOperation = this.listsOfSameOperation.filter(isShorter)
    this.shorterLists =
      shorterOfOperation.length >= MIN_AGREEING_LISTS ? shorterOfOperation : this.otherLists.filter(isShorter)
  }

  /** Returns whether a number may count all elements, the elements that are left, or the pages. */
  isTotal(place: string, number: number): boolean {
    const { size, pageSize } = this.metadata
    return this.totals.some(
      (total) =>
        (number === total && !this.isBelowSizes(place)) ||
        (this.isTrueOfAll(place, meansNoNextPage) && number === total - size) ||
        (number > 1 &&
          number === Math.ceil(total / Math.max(1, pageSize)) &&
          this.isTrueOfAll(place, (one) => ['0', '1'].includes(String(one)))),
    )
  }

  /**
   * Returns whether every response has this value (R17.10), e.g. `success: true`, a rate limit, or a number of shards.
   * A number may be absent from some responses if another number is the size of the list in each.
   */
  isInEveryResponse(place: string, { key, value }: MetadataItem): boolean {
    const valueIn = ({ items }: ListMetadata) =>
      (items.get(place) ?? [...items.values()].find((item) => item.key === key))?.value
    // An empty list may have no such value, e.g. no best score.
    const lists = this.otherLists.filter((list) => list.size > 0 || !meansNoNextPage(valueIn(list)))
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
    return [...this.metadata.items.keys()].some((place) => {
      const lists = this.otherLists.filter(({ items }) => items.has(place))
      return hasSeveralSizes(lists) && [this.metadata, ...lists].every((list) => numberAt(place, list) === list.size)
    })
  }

  /**
   * Returns whether a value says that there are more pages, by its known key. A token says nothing if complete lists
   * have tokens too (R17.10).
   */
  statesMore(place: string, item: MetadataItem): boolean {
    if (this.totals.length === 0) return false
    if (isKnownSignOfMorePages(item, this.metadata)) return !this.isCounter(place)
    return isNextToken(item) && this.shorterLists.every(({ items }) => meansNoNextPage(items.get(place)?.value))
  }

  /** Returns whether the list says that there is more, and no empty list says so. */
  statesMoreUnlessEmpty(place: string, item: MetadataItem): boolean {
    return this.metadata.size > 0 && saysMoreExceptInEmptyLists(place, item, this.otherLists)
  }

  /**
   * Returns whether the numbers at this place are always above the sizes of the lists, and all differ, e.g. counted
   * visits.
   */
  private isCounter(place: string): boolean {
    const lists = this.otherLists.filter(({ items }) => items.has(place))
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

  /** Returns whether the value at a place passes a test in all shorter lists. A missing value counts as 0. */
  private isTrueOfAll(place: string, test: (value: unknown) => boolean): boolean {
    return this.shorterLists.length > 0 && this.shorterLists.every(({ items }) => test(items.get(place)?.value ?? 0))
  }

  /**
   * Returns whether the value is above the size of this list, while the values at the same place are the sizes of the
   * shorter lists. E.g. three names have `{"n": 3}`, and seven names `{"n": 7}`. Then ten names with `{"n": 48}` are
   * not all. Numbers in texts count, too, e.g. `1-10 of 48`.
   */
  isSizeOfOthers(place: string, value: unknown): boolean {
    const others = this.shorterLists.filter(({ items }) => items.has(place))
    if (!hasSeveralSizes(others)) return false
    const isSize = (nth: number) =>
      others.every(({ size, items }) => findNumbersInText(String(items.get(place)?.value))[nth] === size)
    return findNumbersInText(String(value)).some((number, nth) => number > this.metadata.size && isSize(nth))
  }

  /**
   * Returns whether a text contains the number of names that other lists have, and no shorter list has the same text.
   */
  hasTotal(place: string, text: string): boolean {
    return (
      findNumbersInText(text).some((one) => this.totals.includes(one)) &&
      this.shorterLists.every(({ items }) => items.get(place)?.value !== text)
    )
  }

  /**
   * Returns whether a shorter list, or lists of several other sizes, have a link at this place that adds the same
   * parameters.
   */
  isAddedByOthers(place: string, added: string): boolean {
    const isAddedBy = (one: ListMetadata) => addedParametersOf(one.items.get(place)?.value, one) === added
    return this.shorterLists.some(isAddedBy) || this.haveSeveralOtherSizes(this.listsOfSameOperation.filter(isAddedBy))
  }

  /**
   * Returns whether all shorter lists lack a value at this place, e.g. `true`, a link or a token. A number that is 0
   * for shorter lists may be a duration, so it counts only if it is at least the number of missing names.
   */
  isOnlyInThisList(place: string, value: unknown): boolean {
    if (meansNoNextPage(value) || this.haveAllListsValueAt(place)) return false
    const others = this.shorterLists.map(({ items }) => items.get(place)?.value)
    if (others.length === 0 ? this.isShorterThanOthers() : !others.every(meansNoNextPage)) return false
    if (wholeNumberOf({ value }) === undefined || !others.some((one) => one === 0)) return true
    return (
      others.length >= MIN_SHORTER_LISTS_WITH_ZERO &&
      Number(value) + this.metadata.size >= Math.max(...this.totals, this.metadata.size + 1)
    )
  }

  /**
   * Returns whether all lists of the operation that have elements have a value at this place (R17.10). False if these
   * lists do not have several sizes.
   */
  private haveAllListsValueAt(place: string): boolean {
    const lists = this.listsOfSameOperation.filter(({ size }) => size > 0)
    return this.haveSeveralOtherSizes(lists) && lists.every(({ items }) => !meansNoNextPage(items.get(place)?.value))
  }

  /**
   * Returns whether all shorter lists that are not empty have no value at this place, or null or `''`. A count would
   * have a value there. False if there is no such list.
   */
  isAbsentFromOthers(place: string): boolean {
    const lists = this.shorterLists.filter(({ size }) => size > 0)
    return lists.length > 0 && lists.every(({ items }) => (items.get(place)?.value ?? '') === '')
  }

  /** Returns whether the list cannot be cut at a page size: it is empty, or another list of the operation is longer. */
  private isShorterThanOthers(): boolean {
    const { size, operation } = this.metadata
    return size === 0 || this.otherLists.some((list) => list.operation === operation && list.size > size)
  }

  /**
   * Returns whether readings of equal lists differ in whether they have a matching value at `place`, e.g.
   * `X-Cache: HIT`. Such a value says nothing about pages.
   */
  isSometimesAbsent(place: string, isMatching: (value: unknown) => boolean): boolean {
    const lists = this.repeated.filter((readings) => {
      const withValue = readings.filter(({ items }) => isMatching(items.get(place)?.value))
      return withValue.length > 0 && withValue.length < readings.length
    })
    return new Set(lists.map(([reading]) => reading?.outerNames)).size >= MIN_AGREEING_LISTS
  }

  /**
   * Returns whether all shorter lists have the same text at this place, and this list another one, e.g. `{"status":
   * "complete"}` and `{"status": "partial"}`.
   */
  hasOtherTextInOthers(place: string, value: unknown): boolean {
    if (wholeNumberOf({ value }) !== undefined || isNameOfCollection(value, this.metadata.url)) return false
    const shorter = this.shorterLists.filter(({ size }) => size > 0)
    const [first, ...others] = shorter.map(({ items }) => items.get(place)?.value)
    if (first === undefined || first === value || others.some((one) => one !== first)) return false
    if (this.isSometimesAbsent(place, (one) => one === first)) return false
    const operations = new Set([...shorter.map(({ operation }) => operation), this.metadata.operation]).size
    return (
      shorter.length >= MIN_AGREEING_LISTS &&
      (replaceNumbers(first) === replaceNumbers(value) || operations >= this.operationsNeeded)
    )
  }

  /** The minimum number of operations: a text that differs by operation, e.g. `{"type": "cats"}`, is no evidence. */
  private get operationsNeeded(): number {
    return this.shorterLists.every(({ operation }) => operation === this.metadata.operation) ? 1 : 3
  }
}

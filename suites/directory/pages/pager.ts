import type { SendRequest } from '../../engine/check/readers.ts'
import type { NameList } from '../readings/list-reading.ts'
import type { NextPageMethod } from './next-page-methods.ts'
import { findMorePagesSign, type ListMetadata, type MorePagesSign } from './page-evidence.ts'

/**
 * After this many lists without a next page, no further methods are tried. The limit is lower if the deployment ignored
 * every parameter.
 */
const MAX_FRUITLESS_LISTS = 6
const MAX_IGNORED_LISTS = 2

/** The maximum number of lists compared: further lists add no evidence. */
const MAX_LISTS_COMPARED = 300

/** The knowledge about pages that all lists of a version share. */
export class SharedPagingState {
  /** The methods that found a next page. */
  readonly workingMethods: NextPageMethod[] = []
  /** The size of the smallest page that was not the last one. Longer lists may be pages too. */
  smallestPageSize = Number.POSITIVE_INFINITY
  /** The number of lists whose statements about pages led to no further page. */
  fruitlessLists = 0
  private readonly metadataByUrl = new Map<string, ListMetadata>()

  addMetadata(metadata: ListMetadata): void {
    if (this.metadataByUrl.size < MAX_LISTS_COMPARED || this.metadataByUrl.has(metadata.url))
      this.metadataByUrl.set(metadata.url, metadata)
  }

  /**
   * Finds the statement beside a list which shows that the list is a page.
   * @param totals the numbers of names that other lists add up to
   */
  findSign(metadata: ListMetadata, totals: readonly number[]): MorePagesSign | undefined {
    return findMorePagesSign(metadata, this.metadataByUrl.values(), totals)
  }
}

/** Returns whether other lists have names that a list of this operation lacks. */
export type MissingNamesTest = (list: Pick<NameList, 'names' | 'has'>) => Promise<boolean>

/** Finds the next pages of one operation. A method that worked for one list is tried first for the others. */
export class Pager {
  readonly operation: string
  /** Sends each request once. Used while looking for a method. */
  readonly sendOnce: SendRequest
  readonly sharedState: SharedPagingState
  private lastAttempt: Promise<unknown> = Promise.resolve()
  private fruitlessLists = 0
  private largestCompleteSize = -1
  private lastComparison: Promise<unknown> = Promise.resolve()

  constructor(operation: string, send: SendRequest, version: SharedPagingState = new SharedPagingState()) {
    this.operation = operation
    this.sendOnce = send
    this.sharedState = version
  }

  /** Handles one list at a time, so that each can use the methods found before. */
  async runInTurn<T>(attempt: () => Promise<T>): Promise<T> {
    const result = this.lastAttempt.then(attempt, attempt)
    this.lastAttempt = result.catch(() => {})
    return result
  }

  /**
   * Returns whether no further methods are tried.
   * @param kind `lacking` if the list is known to lack names; `named` if it only has statements about pages
   */
  hasGivenUp(kind: 'named' | 'lacking'): boolean {
    return (kind === 'named' ? this.sharedState.fruitlessLists : this.fruitlessLists) >= MAX_FRUITLESS_LISTS
  }

  /**
   * Counts a list for which no method was found.
   * @param isUnderstood false if the deployment ignored every parameter that was tried; it will ignore the same
   * parameters again
   */
  noteFailedAttempts(kind: 'named' | 'lacking', isUnderstood: boolean): void {
    const weight = isUnderstood ? 1 : MAX_FRUITLESS_LISTS / MAX_IGNORED_LISTS
    if (kind === 'named') this.sharedState.fruitlessLists += weight
    else this.fruitlessLists += weight
  }

  /**
   * Returns whether a list lacks names that other lists have. A list that is no longer than a complete one is not
   * compared.
   */
  async isMissingNames(list: NameList, lacksNames: MissingNamesTest): Promise<boolean> {
    const compare = async (): Promise<boolean> => {
      if (list.size <= this.largestCompleteSize || this.hasGivenUp('lacking')) return false
      if (await lacksNames(list)) return true
      this.largestCompleteSize = list.size
      return false
    }
    const compared = this.lastComparison.then(compare, compare)
    this.lastComparison = compared.catch(() => {})
    return compared
  }
}

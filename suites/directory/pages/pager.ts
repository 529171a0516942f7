import type { SendRequest } from '../../engine/check/readers.ts'
import type { NameList } from '../readings/list-reading.ts'
import type { NextPageMethod } from './next-page-methods.ts'
import { findMorePagesSign, type ListMetadata, type MorePagesSign } from './page-evidence.ts'

/** The number of lists for which ways are tried in vain; less if everything tried is ignored. */
const MAX_FRUITLESS_LISTS = 6
const MAX_IGNORED_LISTS = 2

/** The limit of lists compared: further shorter lists say the same. */
const MAX_LISTS_COMPARED = 300

/** State that all lists of a version share. */
export class VersionPaging {
  /** Ways that led on. */
  readonly workingMethods: NextPageMethod[] = []
  /** The size of the smallest page that was not the last: longer lists may be pages too. */
  smallestPageSize = Number.POSITIVE_INFINITY
  /** The number of lists whose statements about pages led nowhere. */
  fruitlessLists = 0
  private readonly metadataByUrl = new Map<string, ListMetadata>()

  addMetadata(remarks: ListMetadata): void {
    if (this.metadataByUrl.size < MAX_LISTS_COMPARED || this.metadataByUrl.has(remarks.url))
      this.metadataByUrl.set(remarks.url, remarks)
  }

  /** Something beside a list that makes it a page, if it lacks names of lists that add up to one of the totals. */
  findSign(remarks: ListMetadata, totals: readonly number[]): MorePagesSign | undefined {
    return findMorePagesSign(remarks, this.metadataByUrl.values(), totals)
  }
}

/** Returns whether other lists have names that a list of this operation lacks. */
export type LacksNames = (list: Pick<NameList, 'names' | 'has'>) => Promise<boolean>

/** Finds the next pages of one operation: a way that led on before is tried first for every list. */
export class Pager {
  readonly operation: string
  /** Sends each request once: for requests that look for a way. */
  readonly sendOnce: SendRequest
  readonly versionPaging: VersionPaging
  private lastAttempt: Promise<unknown> = Promise.resolve()
  private fruitlessLists = 0
  private largestCompleteSize = -1
  private lastComparison: Promise<unknown> = Promise.resolve()

  constructor(operation: string, recall: SendRequest, version: VersionPaging = new VersionPaging()) {
    this.operation = operation
    this.sendOnce = recall
    this.versionPaging = version
  }

  /** Handles one list after the other, so that each profits from the ways found before. */
  async runInTurn<T>(attempt: () => Promise<T>): Promise<T> {
    const turn = this.lastAttempt.then(attempt, attempt)
    this.lastAttempt = turn.catch(() => {})
    return turn
  }

  /** @param kind `lacking` if the list is known to lack names; `named` if it only has statements about pages */
  hasGivenUp(kind: 'named' | 'lacking'): boolean {
    return (kind === 'named' ? this.versionPaging.fruitlessLists : this.fruitlessLists) >= MAX_FRUITLESS_LISTS
  }

  /**
   * @param isUnderstood whether a tried request was refused or found nothing: parameters that are ignored will be
   * ignored again
   */
  noteFailedAttempts(kind: 'named' | 'lacking', isUnderstood: boolean): void {
    const weight = isUnderstood ? 1 : MAX_FRUITLESS_LISTS / MAX_IGNORED_LISTS
    if (kind === 'named') this.versionPaging.fruitlessLists += weight
    else this.fruitlessLists += weight
  }

  /** Returns whether a list lacks names; a list no longer than a complete one is not compared. */
  async isMissingNames(list: NameList, lacksNames: LacksNames): Promise<boolean> {
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

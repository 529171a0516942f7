import type { Asker } from '../../engine/check/readers.ts'
import type { Named } from '../readings/list-reading.ts'
import type { Way } from './next-page.ts'
import { type ListRemarks, type PageSign, signOfPage } from './page-evidence.ts'

/** The number of lists for which ways are tried in vain; less if everything tried is ignored. */
const MOST_TRIED = 6
const MOST_IGNORED = 2

/** The limit of lists compared: further shorter lists say the same. */
const MOST_REMARKS = 300

/** State that all lists of a version share. */
export class VersionPages {
  /** Ways that led on. */
  readonly ways: Way[] = []
  /** The size of the smallest page that was not the last: longer lists may be pages too. */
  pageSize = Number.POSITIVE_INFINITY
  /** The number of lists whose statements about pages led nowhere. */
  fruitless = 0
  private readonly remarks = new Map<string, ListRemarks>()

  add(remarks: ListRemarks): void {
    if (this.remarks.size < MOST_REMARKS || this.remarks.has(remarks.url)) this.remarks.set(remarks.url, remarks)
  }

  /** Something beside a list that makes it a page, if it lacks names of lists that add up to one of the totals. */
  signOf(remarks: ListRemarks, totals: readonly number[]): PageSign | undefined {
    return signOfPage(remarks, this.remarks.values(), totals)
  }
}

/** Returns whether other lists have names that a list of this operation lacks. */
export type LacksNames = (list: Pick<Named, 'names' | 'has'>) => Promise<boolean>

/** Finds the next pages of one operation: a way that led on before is tried first for every list. */
export class Pager {
  readonly operation: string
  /** Sends each request once: for requests that look for a way. */
  readonly recall: Asker
  readonly version: VersionPages
  private last: Promise<unknown> = Promise.resolve()
  private fruitless = 0
  private wholeUpTo = -1
  private comparing: Promise<unknown> = Promise.resolve()

  constructor(operation: string, recall: Asker, version: VersionPages = new VersionPages()) {
    this.operation = operation
    this.recall = recall
    this.version = version
  }

  /** Handles one list after the other, so that each profits from the ways found before. */
  async inTurn<T>(attempt: () => Promise<T>): Promise<T> {
    const turn = this.last.then(attempt, attempt)
    this.last = turn.catch(() => {})
    return turn
  }

  /** @param kind `lacking` if the list is known to lack names; `named` if it only has statements about pages */
  isHopeless(kind: 'named' | 'lacking'): boolean {
    return (kind === 'named' ? this.version.fruitless : this.fruitless) >= MOST_TRIED
  }

  /**
   * @param isUnderstood whether a tried request was refused or found nothing: parameters that are ignored will be
   * ignored again
   */
  nothingLedOn(kind: 'named' | 'lacking', isUnderstood: boolean): void {
    const weight = isUnderstood ? 1 : MOST_TRIED / MOST_IGNORED
    if (kind === 'named') this.version.fruitless += weight
    else this.fruitless += weight
  }

  /** Returns whether a list lacks names; a list no longer than a complete one is not compared. */
  async lacks(list: Named, lacksNames: LacksNames): Promise<boolean> {
    const compare = async (): Promise<boolean> => {
      if (list.size <= this.wholeUpTo || this.isHopeless('lacking')) return false
      if (await lacksNames(list)) return true
      this.wholeUpTo = list.size
      return false
    }
    const compared = this.comparing.then(compare, compare)
    this.comparing = compared.catch(() => {})
    return compared
  }
}

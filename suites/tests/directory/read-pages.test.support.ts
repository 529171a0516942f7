import { type MissingNamesTest, Pager } from '../../directory/pages/pager.ts'
import type { PinnedPaging } from '../../directory/pages/pinned-pages.ts'
import { readAllPages } from '../../directory/pages/read-pages.ts'
import type { JsonPlace } from '../../directory/readings/json.ts'
import { type ListReading, readList } from '../../directory/readings/list-reading.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { createExchange } from '../layout/tables.test.support.ts'

export type PageHeaderFields = Readonly<Record<string, string>>

export interface PageResponseContent {
  readonly value: unknown
  readonly fields?: PageHeaderFields
  /** The status of the response. If undefined, it is 200. */
  readonly status?: number
}

/**
 * Reads all pages of `/v2/search?q=a`. On each page the list is at `/cats`; `respondTo` maps a request target to a page.
 * @returns the names, separated by blanks; `…` follows if further requests found no next page
 */
export async function readNames(
  respondTo: (target: string) => PageResponseContent,
  lacksNames?: MissingNamesTest,
): Promise<unknown> {
  try {
    const { reading, requests } = await readListInPages(respondTo, lacksNames)
    if (reading.kind !== 'list') return reading.kind
    return reading.names.join(' ') + (reading.pages === 1 && requests > 1 ? ' …' : '')
  } catch (error) {
    if (error instanceof Inconclusive) return error.kind
    throw error
  }
}

/**
 * Reads the same list as `readNames`, and counts the requests.
 * @throws {Inconclusive} if the list cannot be read to its end
 */
export async function readListInPages(
  respondTo: (target: string) => PageResponseContent,
  lacksNames?: MissingNamesTest,
  pinned?: PinnedPaging,
): Promise<{ readonly reading: ListReading; readonly requests: number }> {
  let requests = 0
  const ask = async ({ target }: Pick<Request, 'target'>): Promise<Exchange> => {
    if (++requests > 700) throw new Error('more than 700 requests for one list')
    const { value, fields, status = 200 } = respondTo(decodeURIComponent(target))
    const exchange = { ...createExchange(value, fields), url: `http://cats.test${target}` }
    const { outcome } = exchange
    return outcome.kind === 'response' ? { ...exchange, outcome: { ...outcome, status } } : exchange
  }
  const shape = { list: ['cats'], name: [], breed: undefined }
  const readPage = (page: Exchange, list: JsonPlace = shape.list) => readList(page, 'cat', { ...shape, list })
  const pager = new Pager('searchCats', { sendOnce: ask, send: ask })
  const first = await ask({ target: '/v2/search?q=a' })
  const reading = await readAllPages(first, { send: ask, readPage, list: shape.list, lacksNames, pinned }, pager)
  return { reading, requests }
}

/** The result of `readNames` for a first page with Tom and Tim if further requests were sent but found no next page. */
export const FIRST_PAGE_NAMES_NEXT_NOT_FOUND = 'Tom Tim …'
export const FIRST_PAGE_NAMES = 'Tom Tim'

const spelled = (keys: string) => keys.trim().split(/\s+/)

/**
 * Reads a list whose first page has Tom and Tim. A request with the right parameter gets Kit; all others get the first
 * page again.
 */
export const readTwoPages = ([members, parameter, fields]: readonly [
  members: object,
  parameter?: string | undefined,
  fields?: PageHeaderFields,
]) =>
  readNames((target) =>
    parameter !== undefined && target.includes(parameter)
      ? { value: { cats: ['Kit'] } }
      : { value: { ...members, cats: ['Tom', 'Tim'] }, ...(fields && { fields }) },
  )

export const ALL_NAMES_OF_TWO_PAGES = 'Tom Tim Kit'
/** Creates a test case for each key in `keys`, which are separated by blanks. */
export const createCasePerKey = (
  keys: string,
  members: (key: string) => object,
  parameter: (key: string) => string | undefined,
  is = ALL_NAMES_OF_TWO_PAGES,
) => spelled(keys).map((key) => [[members(key), parameter(key)], is] as const)

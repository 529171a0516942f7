import type { SendRequest } from '../../engine/check/readers.ts'
import { Pager, SharedPagingState, type WorkingMethods } from './pager.ts'

export type ListKind = 'cats' | 'breeds' | 'catsOf' | 'search'

export type PagersByList = Readonly<Record<ListKind, Pager>>

export const operationIdByList = {
  cats: 'listCats',
  breeds: 'listBreeds',
  catsOf: 'listCatsOfBreed',
  search: 'searchCats',
} as const satisfies Record<ListKind, string>

/** Creates a pager for each operation of a version. A method that works for one pager is also tried by the others. */
export function createPagers(send: SendRequest, working: WorkingMethods): PagersByList {
  const version = new SharedPagingState(working)
  const pager = (list: ListKind) => new Pager(operationIdByList[list], send, version)
  return { cats: pager('cats'), breeds: pager('breeds'), catsOf: pager('catsOf'), search: pager('search') }
}

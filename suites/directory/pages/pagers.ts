import type { SendRequest } from '../../engine/check/readers.ts'
import { Pager, VersionPaging } from './pager.ts'

export type ListName = 'cats' | 'breeds' | 'catsOf' | 'search'

export type Pagers = Readonly<Record<ListName, Pager>>

/** The operation that returns each list. */
export const operationIdByList = {
  cats: 'listCats',
  breeds: 'listBreeds',
  catsOf: 'listCatsOfBreed',
  search: 'searchCats',
} as const satisfies Record<ListName, string>

/** Creates a pager for each list of a version. They share the methods that work. */
export function createPagers(send: SendRequest): Pagers {
  const version = new VersionPaging()
  const pager = (list: ListName) => new Pager(operationIdByList[list], send, version)
  return { cats: pager('cats'), breeds: pager('breeds'), catsOf: pager('catsOf'), search: pager('search') }
}

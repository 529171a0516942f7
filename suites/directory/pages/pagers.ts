import type { Asker } from '../../engine/check/readers.ts'
import { Pager, VersionPages } from './pager.ts'

export type ListName = 'cats' | 'breeds' | 'catsOf' | 'search'

export type Pagers = Readonly<Record<ListName, Pager>>

/** The operations, by their names in a profile. */
export const operationsOfLists = {
  cats: 'listCats',
  breeds: 'listBreeds',
  catsOf: 'listCatsOfBreed',
  search: 'searchCats',
} as const satisfies Record<ListName, string>

/** All lists of a version share the ways that lead on. */
export function createPagers(recall: Asker): Pagers {
  const version = new VersionPages()
  const pager = (list: ListName) => new Pager(operationsOfLists[list], recall, version)
  return { cats: pager('cats'), breeds: pager('breeds'), catsOf: pager('catsOf'), search: pager('search') }
}

import type { PageHeaderFields } from './read-pages.test.support.ts'

/** The members beside a list. */
export type ListMembers = object

export type List = readonly [
  members: ListMembers,
  size: number,
  operation?: string,
  fields?: PageHeaderFields | undefined,
]

export const LONGER_LISTS_WITH_SHARDS: readonly List[] = [12, 13].map((size) => [{ shards: 15 }, size])

/** Lists of other sizes, each with a link to its own first page. */
export const LONGER_LISTS_WITH_LINKS: readonly List[] = [12, 13].map((size, nth) => [
  { current: `/v2/breeds/${nth + 1}/cats?page=1` },
  size,
  'listCats',
])

/** Lists with texts at one place, which empty lists and lists of another operation lack. */
export const LISTS_WITH_TEXT: readonly List[] = [
  [{ included: { type: 'breeds' } }, 12, 'listCats'],
  [{ included: { type: 'people' } }, 13, 'listCats'],
  [{}, 0, 'listCats'],
  [{}, 0, 'listCats'],
  [{}, 4, 'listBreeds'],
]

export const namesOf = (size: number): readonly string[] => Array.from({ length: size }, (_, nth) => `Cat ${nth}`)

/** Creates two responses with lists of two and of three cats. Both have the members `said` beside the list. */
export const createTwoLists = (members: ListMembers, fields?: PageHeaderFields): readonly List[] =>
  [2, 3].map((size) => [members, size, 'listCatsOfBreed', fields] as const)

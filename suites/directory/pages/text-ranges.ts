import type { MetadataItem } from './metadata-items.ts'

/** Longer texts are not read as a range or as a page number. */
const MAX_RANGE_LENGTH = 60
/** Matches a range of elements and their total, e.g. `0-7/42` or `1 to 8 of 42`. */
const RANGE = /^\D{0,20}(\d+) ?(?:-|–|to) ?\d+ ?(?:\/|of) ?(\d+)\D{0,20}$/i
/** Matches a page number and the number of pages, e.g. `1 of 6`. */
const PAGE_OF = /^\D{0,10}(\d+) ?(?:\/|of) ?(\d+)$/i

/**
 * Reads the numbers in a text about elements or about pages, as items with usual keys. E.g. `0-7/42` at the key `range`
 * gives the items `offset` (0) and `total` (42), and `1 of 6` at the key `page` gives `page` (1) and `pages` (6).
 */
export function readNumbersInText({ key, value }: MetadataItem): readonly MetadataItem[] {
  if (typeof value !== 'string' || value.length > MAX_RANGE_LENGTH) return []
  const createItem = (name: string, text: string | undefined) => ({ place: [name], value: text, key: name })
  const range = /range|show|display|result|item|record|position/.test(key) && RANGE.exec(value)
  if (range) return [createItem('offset', range[1]), createItem('total', range[2])]
  const page = /page/.test(key) && PAGE_OF.exec(value)
  return page ? [createItem('page', page[1]), createItem('pages', page[2])] : []
}

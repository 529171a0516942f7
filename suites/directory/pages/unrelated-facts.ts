import { decodeOrUndefined } from '../shared/encodings.ts'
import type { ListMetadata } from './list-metadata.ts'
import { type FactBesideList, isLinkToSelf, wholeNumberOf } from './page-facts.ts'

const decodeOrKeep = (text: string): string => decodeOrUndefined(text) ?? text

/** Returns whether a text is part of the URL of the list, e.g. `{"breed": "Manx"}` beside the cats of this breed. */
function isPartOfUrl(value: unknown, url: string): boolean {
  const { pathname, searchParams } = new URL(url)
  return [...pathname.split('/').slice(1).map(decodeOrKeep), ...searchParams.values()].some((part) => part === value)
}

/** Returns whether a text contains the last part of the path, e.g. `https://api.example/$metadata#Breeds` at `/v2/breeds`. */
export function isNameOfCollection(value: unknown, url: string): boolean {
  const collection = decodeOrKeep(new URL(url).pathname.split('/').at(-1) ?? '').toLowerCase()
  return collection !== '' && String(value).toLowerCase().includes(collection)
}

/** Matches a text with three numbers, the last of which is a total, e.g. `0-4/5` or `1 to 5 of 5`. */
const RANGE_WITH_TOTAL = /^\D{0,40}\d{1,9}\D{1,9}\d{1,9}\D{1,9}(\d{1,9})\D{0,40}$/

/** Matches a date and time, e.g. of the response (ISO 8601 or RFC 9110, section 5.6.7). */
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/

/** Returns whether a value is the size of the list, a link to it, a part of its URL, or a date. */
export function isUnrelatedToPages(value: unknown, { url, size }: Pick<ListMetadata, 'url' | 'size'>): boolean {
  // `{"total": 2}` beside two names may count just these names, so it is no evidence of more.
  if (wholeNumberOf({ value }) === size || isLinkToSelf(value, url) || isPartOfUrl(value, url)) return true
  return typeof value === 'string' && (DATE_TIME.test(value) || Number(RANGE_WITH_TOTAL.exec(value)?.[1]) === size)
}

/** Matches the keys of flags that are false on the last page, in lower case and without punctuation. */
const MORE_FLAG = /^has(more|next)(page|pages|items|results)?$|^more$/

/** Returns whether a response says that its list ends, e.g. by `{"hasNextPage": false}`. A cursor then means nothing. */
export const saysThatListEnds = (facts: Iterable<FactBesideList>): boolean =>
  [...facts].some(({ key, value }) => value === false && MORE_FLAG.test(key))

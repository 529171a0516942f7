/**
 * Patterns of keys that describe pages. The keys are in lower case and without punctuation. Each pattern has its own
 * test.
 */
export const knownPagingKeys = {
  /** Keys of a link to the next page, of a token for it, or of an object with its parameters. */
  next: [/next/, /continu/, /^loadmore/, /^more.*ur[il]$/, /^lastevaluatedkey$/],
  /** Keys of a token. It may belong to the last element of this page, so it proves no next page. */
  cursors: [/cursor$/, /^after$/, /marker$/, /bookmark$/, /^scrollid$/, /^(page)?token$/],
  /** Keys of links to an earlier page or to the current one. */
  back: [/prev/, /before/, /first/, /current/, /^start/, /self/],
  /** Keys of flags that are true if there is a next page, and false if there is none. */
  more: [/^(has|is|load)?(more|next)/, /truncated$/],
  /** Keys of flags that are true if the response lacks something. False says nothing: Google Drive sends it always. */
  incomplete: [/^(is)?(incomplete|partial)/],
  /** Keys of flags that are false if there is a next page. */
  ended: [/^(is)?last(page)?$/, /^(is)?(done|complete|finished|end)$/, /^endof/],
  /** Keys that may count the remaining elements, or what remains of something else, e.g. of a rate limit. */
  left: [/^(remaining|left)/, /(remaining|left)$/],
  page: [/^(current|this)?page(number|num|no|index)?$/, /^number$/],
  pageCounts: [/^(total|num|nb|max|last|numberof)pages?(count)?$/, /^pages?(count|total|s)$/],
  offset: [/^(offset|skip(count|ped)?|from)$/, /^start(at|index|row|position)?$/],
  /** Keys of an offset, whose value may instead be a token, as in the API of Airtable. */
  offsetOrToken: [/^offset$/],
  limit: [/limit$/, /perpage$/, /pagesize$/, /^(size|take|rows)$/, /^max(results|items|keys)$/],
  totals: [
    /total/,
    /^(odata|full|item|result|record|row|hit|element|object|document)?s?count$/,
    /^(num|nb|number)(found|hits|results|matched)$/,
    /^found$/,
  ],
  /** Keys of totals that count something other than elements. */
  otherTotals: [/page|shard|time|took|(?<!ite)ms$/, /quota|ratelimit|throttl/, /lives|weight|bytes/],
} as const satisfies Readonly<Record<string, readonly RegExp[]>>

export const matchesAnyPattern = (patterns: readonly RegExp[], key: string): boolean =>
  patterns.some((pattern) => pattern.test(key))

const splitWords = (text: string): readonly string[] => text.split(' ')

export const isKnownPagingKey = (key: string): boolean =>
  Object.values(knownPagingKeys).some((patterns) => matchesAnyPattern(patterns, key))

/** Query parameters of well-known APIs. They are tried if the response suggests no parameter. */
export const commonPagingParameters = {
  token: splitWords(
    'cursor after start_cursor starting_after page_token pagination_token token start from marker page[cursor] page[after] ExclusiveStartKey',
  ),
  last: splitWords('starting_after after_id after since_id last_id'),
  page: splitWords('page pageNumber page_number page[number] pageIndex pageNo p _page'),
  offset: splitWords('offset skip start skipCount from startIndex $skip page[offset] _start resultOffset'),
} as const

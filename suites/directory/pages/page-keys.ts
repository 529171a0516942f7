/**
 * Keys that describe pages, as patterns. Keys are compared in lower case and without punctuation. The tests have a row
 * for each pattern.
 */
export const pageKeyPatterns = {
  /** Keys of a link to the next page, a token for it, or an object with its parameters. */
  next: [/next/, /continu/, /^loadmore/, /^more.*ur[il]$/, /^lastevaluatedkey$/],
  /** Keys of a token. It may be that of the last element shown, so it leads to a next page only if there is one. */
  cursors: [/cursor$/, /^after$/, /marker$/, /bookmark$/, /^scrollid$/, /^(page)?token$/],
  /** Keys of links to an earlier page or to this one. */
  back: [/prev/, /before/, /first/, /current/, /^start/, /self/],
  /** Keys of flags that are true if there is a further page. */
  more: [/^(has|is|load)?(more|next)/, /truncated$/, /^(is)?(incomplete|partial)/],
  /** Keys of flags that are false if there is a further page. */
  ended: [/^(is)?last(page)?$/, /^(is)?(done|complete|finished|end)$/, /^endof/],
  /** Keys of counts of remaining elements, of this list or of something else. */
  left: [/^(remaining|left)/, /(remaining|left)$/],
  page: [/^(current|this)?page(number|num|no|index)?$/, /^number$/],
  pageCounts: [/^(total|num|nb|max|last|numberof)pages?(count)?$/, /^pages?(count|total|s)$/],
  offset: [/^(offset|skip(count|ped)?|from)$/, /^start(at|index|row|position)?$/],
  /** Keys whose value may also be a token, like Airtable's `offset`. */
  offsetOrToken: [/^offset$/],
  limit: [/limit$/, /perpage$/, /pagesize$/, /^(size|take|rows)$/, /^max(results|items|keys)$/],
  totals: [
    /total/,
    /^(odata|full|item|result|record|row|hit|element|object|document)?s?count$/,
    /^(num|nb|number)(found|hits|results|matched)$/,
    /^found$/,
  ],
  /** Keys of totals that do not count elements. */
  otherTotals: [/page|shard|time|took|(?<!ite)ms$/, /quota|ratelimit|throttl/, /lives|weight|bytes/],
} as const satisfies Readonly<Record<string, readonly RegExp[]>>

export const matchesAnyPattern = (patterns: readonly RegExp[], key: string): boolean =>
  patterns.some((pattern) => pattern.test(key))

const splitWords = (text: string): readonly string[] => text.split(' ')

/** Parameters to try for a token, a page or an offset if the response suggests none. */
export const commonPagingParameters = {
  token: splitWords(
    'cursor after start_cursor starting_after page_token pagination_token token start from marker page[cursor] page[after] ExclusiveStartKey',
  ),
  last: splitWords('starting_after after_id after since_id last_id'),
  page: splitWords('page pageNumber page_number page[number] pageIndex pageNo p _page'),
  offset: splitWords('offset skip start skipCount from startIndex $skip page[offset] _start'),
} as const

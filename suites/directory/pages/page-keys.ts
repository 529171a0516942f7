/** Keys that describe pages: patterns of plain keys, each of which has a row in the tests. */
export const pageKeys = {
  /** Contain a link, a token, or parameters. */
  next: [/next/, /continu/, /^loadmore/, /^more.*ur[il]$/, /^lastevaluatedkey$/],
  /** Contain a token that may be that of the last element shown: it leads on if there is more. */
  cursors: [/cursor$/, /^after$/, /marker$/, /bookmark$/, /^scrollid$/, /^(page)?token$/],
  /** Lead back, or nowhere. */
  back: [/prev/, /before/, /first/, /current/, /^start/, /self/],
  /** Mean that there is more if `true`, and that there is not if `false`. */
  more: [/^(has|is|load)?(more|next)/, /truncated$/, /^(is)?(incomplete|partial)/],
  /** The reverse. */
  ended: [/^(is)?last(page)?$/, /^(is)?(done|complete|finished|end)$/, /^endof/],
  /** The number of elements left, of this list or anything else. */
  left: [/^(remaining|left)/, /(remaining|left)$/],
  /** The number of this page. */
  page: [/^(current|this)?page(number|num|no|index)?$/, /^number$/],
  pageCounts: [/^(total|num|nb|max|last|numberof)pages?(count)?$/, /^pages?(count|total|s)$/],
  /** The number of elements before this page. */
  offset: [/^(offset|skip(count|ped)?|from)$/, /^start(at|index|row|position)?$/],
  /** Airtable: not a number but a token for the next page. */
  offsetOrToken: [/^offset$/],
  limit: [/limit$/, /perpage$/, /pagesize$/, /^(size|take|rows)$/, /^max(results|items|keys)$/],
  totals: [
    /total/,
    /^(odata|full|item|result|record|row|hit|element|object|document)?s?count$/,
    /^(num|nb|number)(found|hits|results|matched)$/,
    /^found$/,
  ],
  /** Totals of other things. */
  otherTotals: [/page|shard|time|took|(?<!ite)ms$/, /quota|ratelimit|throttl/, /lives|weight|bytes/],
} as const satisfies Readonly<Record<string, readonly RegExp[]>>

export const matchesAnyPattern = (patterns: readonly RegExp[], key: string): boolean =>
  patterns.some((pattern) => pattern.test(key))

const splitWords = (text: string): readonly string[] => text.split(' ')

/** Parameters to guess for a token, a page or an offset, if the response suggests none. */
export const guessedParameters = {
  token: splitWords(
    'cursor after start_cursor starting_after page_token pagination_token token start from marker page[cursor] page[after] ExclusiveStartKey',
  ),
  last: splitWords('starting_after after_id after since_id last_id'),
  page: splitWords('page pageNumber page_number page[number] pageIndex pageNo p _page'),
  offset: splitWords('offset skip start skipCount from startIndex $skip page[offset] _start'),
} as const

import type { Observation } from '../../engine/check/verdict.ts'

/**
 * Open points whose value has several parts, e.g. `blanks: no; punctuation: yes`. A part is missing if the directory
 * has no names with which it can be observed.
 */
const OPEN_POINTS_WITH_PARTS: readonly string[] = ['O-NAME-MATCH', 'O-SEARCH-QUERY-SYNTAX', 'O-SEARCH-BLANK']

/**
 * Open points that describe the environment of a deployment. Their values may differ between deployments of the same
 * release.
 */
export const ENVIRONMENT_OPEN_POINTS: readonly string[] = ['O-TRANSPORT', 'O-RATE', 'O-AUTH']

/**
 * The result of comparing two values of an open point. `undecided` means that the data of one side cannot show the
 * difference, e.g. because no breed has an accent.
 */
type ValueComparison = 'same' | 'different' | { readonly undecided: string }

/**
 * Removes the parts of an observed value that vary from run to run: how often the run waited because of a rate limit,
 * and which matching rule is closest to an unexplained search.
 */
export function removeVaryingParts({ id, value }: Pick<Observation, 'id' | 'value'>): string {
  if (id === 'O-RATE') return value.replace(/, waited for \d+ times?/g, '')
  return id === 'O-SEARCH-RULE' ? value.replace(/^unexplained \(.*\)$/, 'unexplained') : value
}

/** Returns the topic of one part of an observed value, e.g. `blanks` for `blanks: no`, or `q` for `first q`. */
const topicOf = (part: string): string =>
  /^(\+|unknown parameter|.*\bq\b|[^:]+)/.exec(part)?.[1]?.replace(/^.*\bq$/, 'q') ?? part

/** Splits an observed value into its parts, by topic. */
const splitByTopic = (value: string): ReadonlyMap<string, string> =>
  new Map(value.split('; ').map((part) => [topicOf(part), part]))

/** Returns whether the responses of a run do not show a part of a choice. */
const isUndecidable = (part: string | undefined): boolean => part === undefined || part.includes('cannot be told')

function compareParts(parts: ReadonlyMap<string, string>, others: typeof parts, topics: string[]): ValueComparison {
  const undecided = topics.filter((topic) => isUndecidable(parts.get(topic)) || isUndecidable(others.get(topic)))
  const decided = topics.filter((topic) => !undecided.includes(topic))
  if (decided.some((topic) => parts.get(topic) !== others.get(topic))) return 'different'
  return undecided.length === 0 ? 'same' : { undecided: `no response shows "${undecided.join('", "')}"` }
}

/** An observed or pinned paging of a list. */
interface ObservedPages {
  /** The source of the next page, e.g. `Link rel=next`; undefined if a pin allows any. */
  readonly source: string | undefined
  /** The number of elements per page. */
  readonly size: number | undefined
  /**
   * The length of the longest list, if every list had only one page: with pages of this length or a greater one, the
   * responses would look the same.
   */
  readonly minSize: number | undefined
}

/**
 * Parses an observed paging, e.g. `Link rel=next; pages of 50`. If every list had only one page (`none`), `alsoFits`
 * contains e.g. `pages of 37 or more`: with such pages the lists would look the same.
 */
function parsePages({ value, alsoFits = [] }: ObservedValue): ObservedPages {
  const [source, size] = value.split('; pages of ')
  const [minSize] = [value, ...alsoFits].flatMap((text) => /^pages of (\d+) or more$/.exec(text)?.[1] ?? [])
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  return { source: value.startsWith('pages of') ? undefined : source, size: numberOf(size), minSize: numberOf(minSize) }
}

/** Returns whether every list had only one page, or may have had. */
const hasOnePage = ({ source }: ObservedPages): boolean => source === undefined || source === 'none'

function comparePages(one: ObservedPages, other: ObservedPages, isPinned: boolean): ValueComparison {
  if (hasOnePage(one) && hasOnePage(other)) return 'same'
  if (hasOnePage(one)) return compareOnePageWithPages(one, other)
  if (hasOnePage(other)) return compareOnePageWithPages(other, one)
  if (one.source !== other.source) return 'different'
  if (one.size === other.size || (isPinned && one.size === undefined)) return 'same'
  return one.size === undefined || other.size === undefined
    ? { undecided: 'the number of elements per page varies' }
    : 'different'
}

/** Compares a list with one page with a list whose pages have been observed. */
function compareOnePageWithPages({ source, minSize }: ObservedPages, { size }: ObservedPages): ValueComparison {
  if (minSize === undefined || (size !== undefined && size < minSize)) return 'different'
  if (source === undefined && size !== undefined) return 'same'
  return { undecided: `a list of ${minSize} elements may fit into one page` }
}

type ObservedValue = Pick<Observation, 'value' | 'alsoFits'>

/**
 * Compares two values of an open point.
 * @param isPinned true if the first value is from a profile: parts that it lacks are then not compared
 */
export function compareOpenPointValues(
  id: string,
  one: ObservedValue,
  other: ObservedValue,
  isPinned = false,
): ValueComparison {
  const [first, second] = [one, other].map(({ value }) => removeVaryingParts({ id, value }))
  if (first === undefined || second === undefined || first === second) return 'same'
  if (OPEN_POINTS_WITH_PARTS.includes(id)) {
    const [parts, others] = [splitByTopic(first), splitByTopic(second)]
    const pinned = [...parts].filter(([, part]) => !isUndecidable(part)).map(([topic]) => topic)
    return compareParts(parts, others, isPinned ? pinned : [...new Set([...parts.keys(), ...others.keys()])])
  }
  if (id === 'O-PAGINATION') return comparePages(parsePages(one), parsePages(other), isPinned)
  if (isUndecidable(first) || isUndecidable(second)) return { undecided: 'no response shows the choice' }
  const mayBeSame = other.alsoFits?.includes(first) || one.alsoFits?.includes(second)
  return mayBeSame ? { undecided: `no listed name distinguishes "${first}" from "${second}"` } : 'different'
}

/**
 * Compares an observed value with each value that a pin allows. Returns `same` if one of them is the same, else the first
 * undecided comparison, else `different`.
 */
export function compareWithPinnedValues(id: string, allowed: readonly string[], seen: ObservedValue): ValueComparison {
  const all = allowed.map((value) => compareOpenPointValues(id, { value }, seen, true))
  if (all.length === 0 || all.includes('same')) return 'same'
  return all.find((one) => typeof one === 'object') ?? 'different'
}

/**
 * Returns whether an open point describes all lists at once. A list that fits into one page shows no page size, so the
 * same change of the page size looks different in a long list and in a short one.
 */
export const concernsAllLists = (id: string): boolean => id === 'O-PAGINATION'

/**
 * Returns the parts of two values that differ, e.g. `array at /items` and `array at /cats`; both whole values if one of
 * them only lacks parts. The same change in several operations gives equal texts, although other parts of their values
 * differ.
 */
export function findChangedParts(before: string, now: string): readonly [before: string, now: string] {
  const [parts, others] = [before.split(/[,;] /), now.split(/[,;] /)]
  const removed = parts.filter((part) => !others.includes(part)).join(', ')
  const added = others.filter((part) => !parts.includes(part)).join(', ')
  return removed === '' || added === '' ? [before, now] : [removed, added]
}

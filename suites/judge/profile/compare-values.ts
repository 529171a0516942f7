import type { Observation } from '../../engine/check/verdict.ts'

/** Open points whose value has parts, each shown only if the directory has names for it. */
const POINTS_WITH_PARTS: readonly string[] = ['O-NAME-MATCH', 'O-SEARCH-QUERY-SYNTAX', 'O-SEARCH-BLANK']

/**
 * The result of comparing two values of an open point:
 * - `untold`: they may be one choice; the data of one side cannot show it, e.g. no breed has an accent
 */
export type ValueComparison = 'same' | 'different' | { readonly undecided: string }

/** Leaves out what differs each time: how often a limit was met, which rule an unexplained search is most like. */
export function removeVaryingParts({ id, value }: Pick<Observation, 'id' | 'value'>): string {
  if (id === 'O-RATE') return value.replace(/, waited for \d+ times?/g, '')
  return id === 'O-SEARCH-RULE' ? value.replace(/^unexplained \(.*\)$/, 'unexplained') : value
}

/** The part that a value is about, e.g. `blanks` in `blanks: no`, or `q` in `first q`. */
const topicOf = (part: string): string =>
  /^(\+|unknown parameter|.*\bq\b|[^:]+)/.exec(part)?.[1]?.replace(/^.*\bq$/, 'q') ?? part

const splitByTopic = (value: string): ReadonlyMap<string, string> =>
  new Map(value.split('; ').map((part) => [topicOf(part), part]))

const isUndecidable = (part: string | undefined): boolean => part === undefined || part.includes('cannot be told')

function compareParts(one: string, other: string): ValueComparison {
  const [parts, others] = [splitByTopic(one), splitByTopic(other)]
  const heads = [...new Set([...parts.keys(), ...others.keys()])]
  const undecidedHeads = heads.filter((head) => isUndecidable(parts.get(head)) || isUndecidable(others.get(head)))
  const decidedHeads = heads.filter((head) => !undecidedHeads.includes(head))
  if (decidedHeads.some((head) => parts.get(head) !== others.get(head))) return 'different'
  return undecidedHeads.length === 0 ? 'same' : { undecided: undecidedHeads.join(', ') }
}

type ObservedValue = Pick<Observation, 'value' | 'alsoFits'>

/** Compares two values of one open point; a pin has the value alone. */
export function compareValues(id: string, one: ObservedValue, other: ObservedValue): ValueComparison {
  const [first, second] = [one, other].map(({ value }) => removeVaryingParts({ id, value }))
  if (first === undefined || second === undefined || first === second) return 'same'
  if (POINTS_WITH_PARTS.includes(id)) return compareParts(first, second)
  const mayBeOne = other.alsoFits?.includes(first) || one.alsoFits?.includes(second)
  return mayBeOne ? { undecided: `${first}, or ${second}` } : 'different'
}

/**
 * Compares what is observed with the values that a pin allows: the best of them counts.
 * A part that only the pin lacks is not pinned, so its value does not matter.
 */
export function compareWithPinned(id: string, allowed: readonly string[], seen: ObservedValue): ValueComparison {
  const all = allowed.map((value): ValueComparison => {
    const comparison = compareValues(id, { value }, seen)
    if (typeof comparison === 'string' || !POINTS_WITH_PARTS.includes(id)) return comparison
    const own = splitByTopic(seen.value)
    const gaps = [...splitByTopic(value)].filter(([head, part]) => !isUndecidable(part) && isUndecidable(own.get(head)))
    return gaps.length === 0 ? 'same' : { undecided: gaps.map(([head]) => head).join(', ') }
  })
  if (all.length === 0 || all.includes('same')) return 'same'
  return all.find((one) => typeof one === 'object') ?? 'different'
}

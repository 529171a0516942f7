import type { Observation } from '../engine/check/verdict.ts'

/** A label to put before the choice, and sentences that replace label and choice for certain choices. */
type ChoiceDescription = readonly [label: string, sentences?: Readonly<Record<string, string>>]

/** The descriptions of choices, by open point of the contract. Open points that are not in this object have none. */
const descriptionsByOpenPoint: Readonly<Record<string, ChoiceDescription>> = {
  'O-LIST-SHAPE': ['lists'],
  'O-LIVES-SHAPE': ['lives'],
  'O-MEDIA': ['media type'],
  'O-SEARCH-CASE': ['search is case-sensitive', { yes: 'search is case-sensitive', no: 'search ignores case' }],
  'O-SEARCH-RULE': ['search matches by'],
  'O-SEARCH-WILDCARDS': ['query syntax', { no: 'search treats *, ?, quotes and operators as literal characters' }],
  'O-SEARCH-BLANK': [
    'a query is treated as empty if it has only',
    { nothing: 'a query of only blanks or punctuation is not treated as empty' },
  ],
  'O-SEARCH-NO-Q': ['a search without q'],
  'O-SEARCH-EMPTY-Q': ['an empty query'],
  'O-SEARCH-NO-MATCH': ['a query without a match'],
  'O-UNKNOWN-BREED': ['unknown breed'],
  'O-UNKNOWN-CAT': ['unknown cat'],
  'O-V2-LIVES': ['lives_left in v2'],
  'O-UNKNOWN-ROUTE': ['unknown path'],
  'O-ERROR-BODY': ['error format'],
  'O-NAME-MATCH': [
    'a breed name in the path also matches in this form',
    { nothing: 'a breed name in the path matches only exactly as listed' },
  ],
  'O-SIZE': ['longest input served'],
  'O-ORDER': ['order of cats'],
  'O-PAGINATION': ['lists are paginated', { none: 'lists are not paginated' }],
  'O-RATE': ['rate limit', { none: 'no rate limit was reached' }],
  'O-AUTH': ['without credentials', { 'not configured': 'no credentials were configured for the run' }],
  'O-SLASH': ['slashes'],
  'O-CACHE': ['caching', { absent: 'no caching headers' }],
  'O-V2-DEPRECATION': ['v2 is deprecated', { absent: 'v2 has no deprecation headers' }],
  'O-TRANSPORT': ['protocol'],
}

/**
 * Shortens a choice such as `blanks: no; punctuation: yes` to the parts that are `yes`, or to `nothing`. Returns any
 * other choice unchanged.
 */
function listPartsWithYes(value: string): string {
  const parts = value.split('; ').map((part) => /^(.+): (yes|no)$/.exec(part))
  if (parts.includes(null)) return value
  return parts.flatMap((part) => (part?.[2] === 'yes' ? [part[1]] : [])).join(', ') || 'nothing'
}

/**
 * Describes a choice at an open point as a sentence, e.g. "search ignores case" for the value `no` of `O-SEARCH-CASE`.
 * Returns undefined for an open point without a description, e.g. one that a user defined.
 */
export function describeChoice({ id, value }: Pick<Observation, 'id' | 'value'>): string | undefined {
  const [label, sentences] = descriptionsByOpenPoint[id] ?? []
  const choice = listPartsWithYes(value)
  return label === undefined ? undefined : (sentences?.[choice] ?? `${label}: ${choice}`)
}

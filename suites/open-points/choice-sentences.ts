import type { Observation } from '../engine/check/verdict.ts'

type ChoiceDescriber = (value: string) => string

/** Creates a function that describes the choice at an open point that is either `yes` or `no`. */
const describeYesOrNo =
  (yes: string, no: string): ChoiceDescriber =>
  (value) =>
    value === 'yes' ? yes : value === 'no' ? no : `${yes}: ${value}`

const describeUnless =
  (value: string, sentence: string, describeOther: ChoiceDescriber): ChoiceDescriber =>
  (other) =>
    other === value ? sentence : describeOther(other)

const describeWithLabel =
  (label: string): ChoiceDescriber =>
  (value) =>
    `${label}: ${value}`

/**
 * Creates a function that describes a choice such as `blanks: no; punctuation: yes` by listing the parts that are
 * `yes`.
 */
const describeYesParts =
  (none: string, some: string): ChoiceDescriber =>
  (value) => {
    const parts = value.split('; ').map((part) => /^(.+): (yes|no)$/.exec(part))
    if (parts.includes(null)) return `${some}: ${value}`
    const affirmed = parts.flatMap((part) => (part?.[2] === 'yes' ? [part[1] ?? ''] : []))
    return affirmed.length === 0 ? none : `${some}: ${affirmed.join(', ')}`
  }

/**
 * Functions that describe the choice at an open point of the contract as a sentence. Open points that are not in this
 * object have no sentences.
 */
const describerByOpenPoint: Readonly<Record<string, ChoiceDescriber>> = {
  'O-LIST-SHAPE': describeWithLabel('lists'),
  'O-LIVES-SHAPE': describeWithLabel('lives'),
  'O-MEDIA': describeWithLabel('media type'),
  'O-SEARCH-CASE': describeYesOrNo('search is case-sensitive', 'search ignores case'),
  'O-SEARCH-RULE': describeWithLabel('search matches by'),
  'O-SEARCH-WILDCARDS': describeUnless(
    'no',
    'search treats *, ?, quotes and operators as literal characters',
    describeWithLabel('query syntax'),
  ),
  'O-SEARCH-BLANK': describeYesParts(
    'a query of only blanks or punctuation is not treated as empty',
    'a query is treated as empty if it has only',
  ),
  'O-SEARCH-NO-Q': describeWithLabel('a search without q'),
  'O-SEARCH-EMPTY-Q': describeWithLabel('an empty query'),
  'O-SEARCH-NO-MATCH': describeWithLabel('a query without a match'),
  'O-UNKNOWN-BREED': describeWithLabel('unknown breed'),
  'O-UNKNOWN-CAT': describeWithLabel('unknown cat'),
  'O-V2-LIVES': describeWithLabel('lives_left in v2'),
  'O-UNKNOWN-ROUTE': describeWithLabel('unknown path'),
  'O-ERROR-BODY': describeWithLabel('error format'),
  'O-NAME-MATCH': describeYesParts(
    'a breed name in the path matches only exactly as listed',
    'a breed name in the path also matches in this form',
  ),
  'O-SIZE': describeWithLabel('longest input served'),
  'O-ORDER': describeWithLabel('order of cats'),
  'O-PAGINATION': describeUnless('none', 'lists are not paginated', describeWithLabel('lists are paginated')),
  'O-RATE': describeUnless('none', 'no rate limit was reached', describeWithLabel('rate limit')),
  'O-AUTH': describeUnless(
    'not configured',
    'no credentials were configured for the run',
    describeWithLabel('without credentials'),
  ),
  'O-SLASH': describeWithLabel('slashes'),
  'O-CACHE': describeUnless('absent', 'no caching headers', describeWithLabel('caching')),
  'O-V2-DEPRECATION': describeUnless('absent', 'v2 has no deprecation headers', describeWithLabel('v2 is deprecated')),
  'O-TRANSPORT': describeWithLabel('protocol'),
}

/**
 * Describes a choice at an open point as a sentence, e.g. "search ignores case" for the value `no` of `O-SEARCH-CASE`.
 */
export const describeChoice = ({ id, value }: Pick<Observation, 'id' | 'value'>): string | undefined =>
  describerByOpenPoint[id]?.(value)

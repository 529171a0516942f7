import type { Observation } from '../engine/check/verdict.ts'

type Say = (value: string) => string

/** For points with the values yes and no. */
const either =
  (yes: string, no: string): Say =>
  (value) =>
    value === 'yes' ? yes : value === 'no' ? no : `${yes}: ${value}`

const unless =
  (value: string, said: string, otherwise: Say): Say =>
  (other) =>
    other === value ? said : otherwise(other)

const about =
  (what: string): Say =>
  (value) =>
    `${what}: ${value}`

/** For values such as `blanks: no; punctuation: yes`: names the parts with yes. */
const whatever =
  (none: string, some: string): Say =>
  (value) => {
    const answers = value.split('; ').map((part) => /^(.+): (yes|no)$/.exec(part))
    if (answers.includes(null)) return `${some}: ${value}`
    const affirmed = answers.flatMap((answer) => (answer?.[2] === 'yes' ? [answer[1] ?? ''] : []))
    return affirmed.length === 0 ? none : `${some}: ${affirmed.join(', ')}`
  }

/** The sentence for each value at an open point; other points are shown by value. */
const sentences: Readonly<Record<string, Say>> = {
  'O-LIST-SHAPE': about('lists'),
  'O-LIVES-SHAPE': about('lives'),
  'O-MEDIA': about('media type'),
  'O-SEARCH-CASE': either('search tells upper from lower case', 'search ignores case'),
  'O-SEARCH-RULE': about('search matches by'),
  'O-SEARCH-WILDCARDS': unless(
    'no',
    '* ? quotes and operators are plain characters',
    about('what * ? quotes and operators mean'),
  ),
  'O-SEARCH-BLANK': whatever('no query but the empty one is read as empty', 'read as an empty query'),
  'O-SEARCH-NO-Q': about('a search without q'),
  'O-SEARCH-EMPTY-Q': about('an empty query'),
  'O-SEARCH-NO-MATCH': about('nothing matches'),
  'O-UNKNOWN-BREED': about('unknown breed'),
  'O-UNKNOWN-CAT': about('unknown cat'),
  'O-V2-LIVES': about('lives_left in v2'),
  'O-UNKNOWN-ROUTE': about('unknown path'),
  'O-ERROR-BODY': about('errors are told as'),
  'O-NAME-MATCH': whatever('a breed name in the path matches only as it is written', 'a breed name also matches in'),
  'O-SIZE': about('longest that is served'),
  'O-ORDER': about('order of cats'),
  'O-PAGINATION': unless('none', 'lists are not paginated', about('lists are paginated')),
  'O-RATE': unless('none', 'no rate limit was met', about('limits were met')),
  'O-AUTH': unless('not configured', 'no credentials were configured', about('without credentials')),
  'O-SLASH': about('slashes'),
  'O-CACHE': unless('absent', 'no field says how to cache', about('caching')),
  'O-V2-DEPRECATION': unless('absent', 'v2 is not said to be deprecated', about('v2 is deprecated')),
  'O-TRANSPORT': about('spoken'),
}

/** A choice as a sentence: `O-SEARCH-CASE no` is "search ignores case". */
export const sayChoice = ({ id, value }: Pick<Observation, 'id' | 'value'>): string | undefined =>
  sentences[id]?.(value)

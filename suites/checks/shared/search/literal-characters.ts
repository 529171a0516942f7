import type { OneVersion } from '../../../directory/deployment.ts'
import { injections, specials, unremarkable } from '../../../directory/inputs/trouble-strings.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { check, forEach } from '../check.ts'
import { anyString } from './any-query.ts'
import { findsNotAllByInjection } from './finds-every-cat.ts'
import { anchorQueries, isLiteral, type SpecialQuery, specialQueries } from './special-characters.ts'

const common = {
  operation: 'searchCats',
  statements: ['S-SEARCH', 'S-HTTP'],
  requires: ['search/have-names'],
} as const

const shownAsQuery = {
  textOf: ({ query }: SpecialQuery) => quoted(query),
  stringOf: ({ query }: SpecialQuery) => query,
}

const alsoUnsound = [
  'search/hits-share-a-character',
  'search/finds-only-listed-cats',
  'search/finds-every-cat-by-name',
  'search/finds-every-cat-of-a-breed',
  'search/survives-every-string',
] as const

const data = specials.filter((character) => !'^$'.includes(character))

/** The injection strings that this run sends anyway. */
async function injectionsSent(target: OneVersion, read: Read): Promise<readonly string[]> {
  const sent = new Set((await anyString(target, read)).examples)
  return injections.filter((query) => sent.has(query))
}

/** Characters that are special to SQL LIKE, SQL or regular expressions are data (R8.9). */
export const specialCharactersAreLiteral = check({
  ...common,
  id: 'search/special-characters-are-literal',
  title: 'special characters in a query are matched literally',
  clauses: ['R8.9', 'R8.7', 'R8.8', 'R8.11'],
  level: 'must',
  explainedBy: alsoUnsound,
  why: 'Clients find cats without the characters of the query, and an unescaped query lets attackers in (SQL injection).',
  how: `1. Search for each of ${data.join(' ')}, alone and in place of a character of a listed name, and for a name with & or # after it. 2. Search for the same with ${unremarkable.join(' ')} in that place, and without the character. 3. The first search may find only cats with the character in them, or cats of the other searches. 4. Injection strings do not find every cat, unless commas in place of their special characters do.`,
  fix: 'Pass the query as a bound parameter and escape it: `LIKE ? ESCAPE` in SQL, `RegExp.escape` in JavaScript, `re.escape` in Python, `Regexp.escape` in Ruby, `preg_quote` in PHP. Split the query string at & before decoding it.',
  tries: [
    forEach(specialQueries, isLiteral, shownAsQuery),
    forEach(injectionsSent, findsNotAllByInjection, { areUnlisted: true }),
  ],
})

/** Some search tools offer `^` and `$` as anchors (fzf, Fuse.js), so a finding that rests on them is advice (R8.10). */
export const anchorsAreLiteral = check({
  ...common,
  id: 'search/anchors-are-literal',
  title: '^ and $ in a query are matched literally',
  clauses: ['R8.10'],
  level: 'should',
  explainedBy: ['search/special-characters-are-literal', ...alsoUnsound],
  why: 'Anchors are query syntax in a few search tools; elsewhere they show that the query is used as a regular expression.',
  how: '1. Search for ^ and $, alone, before and after a listed name. 2. Search for the same with ordinary punctuation in that place. 3. The first search should find only cats with the character in them, or cats of the other searches.',
  fix: 'If ^ and $ are not meant as query syntax, escape the query for the regular expression that it becomes part of.',
  tries: [forEach(anchorQueries, isLiteral, shownAsQuery)],
})

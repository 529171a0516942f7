import type { VersionTarget } from '../../../directory/deployment.ts'
import { injectionStrings, ordinaryPunctuation, specialCharacters } from '../../../directory/inputs/trouble-strings.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { defineCheck, forEach } from '../check.ts'
import { assertInjectionDoesNotFindAll } from './finds-every-cat.ts'
import { createSearchStrings } from './search-strings.ts'
import {
  assertMatchedLiterally,
  type SpecialQuery,
  selectQueriesWithAnchors,
  selectQueriesWithoutAnchors,
} from './special-characters.ts'

const commonFacts = {
  operation: 'searchCats',
  statements: ['S-SEARCH', 'S-HTTP'],
  requires: ['search/have-names'],
} as const

/** The functions that show a query in reports. */
const QUERY_DISPLAY = {
  textOf: ({ query }: SpecialQuery) => quoted(query),
  stringOf: ({ query }: SpecialQuery) => query,
}

const EXPLAINING_CHECKS = [
  'search/hits-share-a-character',
  'search/finds-only-listed-cats',
  'search/finds-every-cat-by-name',
  'search/finds-every-cat-of-a-breed',
  'search/survives-every-string',
] as const

const formatInBackticks = (characters: readonly string[]): string => characters.map((one) => `\`${one}\``).join(' ')

const literalCharacters = specialCharacters.filter((character) => !'^$'.includes(character))

/** Selects the injection strings that other checks send in this run too, so that they cost no additional requests. */
async function selectSentInjections(target: VersionTarget, read: Read): Promise<readonly string[]> {
  const sent = new Set((await createSearchStrings(target, read)).examples)
  return injectionStrings.filter((query) => sent.has(query))
}

/**
 * Checks that characters with a special meaning in SQL or regular expressions, e.g. `%`, are treated as data (R8.9).
 */
export const searchSpecialCharactersCheck = defineCheck({
  ...commonFacts,
  id: 'search/special-characters-are-literal',
  title: 'special characters in a query are matched literally',
  clauses: ['R8.9', 'R8.7', 'R8.8', 'R8.11'],
  level: 'must',
  explainedBy: EXPLAINING_CHECKS,
  why: 'A search returns cats that do not contain the characters of the query. If the query is not escaped, attackers may read or change other data (SQL injection).',
  how: `1. Search for each of the special characters ${formatInBackticks(literalCharacters)}, alone and in place of a character of a listed name, and for a listed name followed by \`&\` or \`#\`. 2. Repeat each search with each of the characters ${formatInBackticks(ordinaryPunctuation)} in place of the special character, and without the character. 3. Each cat that step 1 finds must have the special character in its name or breed, or must be found by step 2 too. 4. Search for strings with which attackers change database queries, such as \`' OR 1=1 --\`. The check fails if such a string finds every cat, but the same string with commas in place of its special characters finds none.`,
  fix: 'Pass the query as a bound parameter and escape it: `LIKE ? ESCAPE` in SQL, `RegExp.escape` in JavaScript, `re.escape` in Python, `Regexp.escape` in Ruby, `preg_quote` in PHP. Split the query string at & before decoding it.',
  probes: [
    forEach(selectQueriesWithoutAnchors, assertMatchedLiterally, QUERY_DISPLAY),
    forEach(selectSentInjections, assertInjectionDoesNotFindAll, { areUnlisted: true }),
  ],
})

/**
 * Checks that `^` and `$` are treated as data. It only gives advice, because some search tools, e.g. fzf and Fuse.js,
 * offer them as anchors (R8.10).
 */
export const searchAnchorsCheck = defineCheck({
  ...commonFacts,
  id: 'search/anchors-are-literal',
  title: '^ and $ in a query are matched literally',
  clauses: ['R8.10'],
  level: 'should',
  explainedBy: ['search/special-characters-are-literal', ...EXPLAINING_CHECKS],
  why: 'A client that searches for a text with ^ or $ gets cats whose names do not contain these characters. The query is probably used as a regular expression. In a few search tools ^ and $ are query syntax.',
  how: '1. Search for ^ and $ alone, and before and after a listed name. 2. Repeat each search with ordinary punctuation in place of ^ and $. 3. Each cat that step 1 finds should have the character in its name or breed, or should be found by step 2 too.',
  fix: 'If ^ and $ are not meant as query syntax, escape the query before you use it in a regular expression (JavaScript: `RegExp.escape`; Python: `re.escape`).',
  probes: [forEach(selectQueriesWithAnchors, assertMatchedLiterally, QUERY_DISPLAY)],
})

import type { OneVersion } from '../directory/deployment.ts'
import { allotment } from '../directory/inputs/input-budget.ts'
import { encodedNameText, misreadEverywhere, someEncodedNames } from '../directory/inputs/own-names.ts'
import { specials, unremarkable } from '../directory/inputs/trouble-strings.ts'
import { searchedNames, searchedOf } from '../directory/inputs.ts'
import { foundBy } from '../directory/readings/names.ts'
import { asQueryValue } from '../directory/shared/encodings.ts'
import { quoted } from '../directory/shared/text.ts'
import type { Read } from '../engine/check/readers.ts'
import { anyString } from './shared/any-string.ts'
import { check, forAll, forEach, once, type Try } from './shared/check.ts'
import { followsARule } from './shared/follows-a-rule.ts'
import { listPromises } from './shared/list-promises.ts'
import { refusedAsItMay } from './shared/refused.ts'
import { sameNames } from './shared/same-names.ts'
import {
  answered,
  findsAllOfTheBreed,
  findsNoWholeScript,
  findsOnlyListed,
  findsTheCat,
  isOfManyLetters,
  searchIsThere,
  sharesACharacter,
} from './shared/search-assertions.ts'
import { isLiteral, specialQueries } from './shared/special-characters.ts'
import { survivesEveryString } from './shared/survives-every-string.ts'
import { searchesForCats } from './shared/time/lives-cost.ts'
import { findsNewcomers } from './shared/time/newcomers.ts'
import { readingAListChangesNothing } from './shared/time/read-only.ts'
import { isFoundToTheEnd } from './shared/time/stays-served.ts'
import { searchStaysWholeInPages } from './shared/time/torn-pages.ts'

const common = { operation: 'searchCats', level: 'must', requires: ['search/have-names'] } as const

/** Tries a promise on what nobody chose, and on every listed name. */
const onAnyQuery = (assert: (query: string, target: OneVersion, read: Read) => Promise<void>): [Try, Try] => [
  forAll(anyString, (query, { directory }) => [directory.search(query)], assert),
  forEach(searchedNames, assert),
]

/** S-SEARCH. "the list of cats that match the query; the query, a string, is matched against cat names or breeds." */
export const search = [
  ...listPromises({
    prefix: 'search',
    operation: 'searchCats',
    shown: 'S-SEARCH',
    named: 'S-CAT-NAME',
    list: 'what a search for a listed name finds',
    element: 'cat',
    requires: ['cats/is-a-list', 'breeds/is-a-list'],
    inputs: searchedNames,
    listing: (name, { directory }) => ({
      of: `the result of a search for ${quoted(name)} (${directory.version})`,
      subject: directory.search(name),
      about: [name],
    }),
    ofAny: { strings: anyString, subject: (query, { directory }) => directory.search(query) },
    isServed: check({
      ...common,
      id: 'search/is-served',
      title: 'a search for a listed name is served',
      statements: ['S-SEARCH', 'S-GET'],
      clauses: ['R1.1', 'R1.2', 'R1.3', 'R13.10'],
      requires: ['cats/is-a-list', 'breeds/is-a-list'],
      why: 'A search that answers no query at all is not there.',
      how: 'GET a search for listed names of cats and breeds: at least one must be answered with 2xx. Single refusals are judged by the other checks of search.',
      fix: 'Route the path under both prefixes, take the query from the parameter q, and answer with 2xx.',
      tries: [
        once(async (target, read) => {
          await searchIsThere(await searchedNames(target, read), target, read)
        }),
      ],
    }),
  }),
  check({
    ...common,
    id: 'search/finds-every-cat-by-name',
    title: 'a search for a cat’s name finds that cat',
    statements: ['S-SEARCH', 'S-CAT-NAME'],
    clauses: ['R7.1', 'R16.1', 'R7.3', 'R7.4', 'R7.5', 'R13.4'],
    explainedBy: [
      'search/survives-every-string',
      'membership/every-cat-has-a-breed',
      'membership/breed-cats-are-listed',
      'parity/cats',
    ],
    why: 'Whatever the matching rule, the exact name of a cat matches that cat.',
    how: 'Every listed name is searched for, exactly as listed. One that is refused for its length or for control characters is not tried.',
    fix: 'Decode the query once, as UTF-8; match all of its characters literally; do not cut the result short.',
    tries: [forEach((target, read) => searchedOf('cats', target, read), findsTheCat)],
  }),
  check({
    ...common,
    id: 'search/finds-every-cat-of-a-breed',
    title: 'a search for a breed’s name finds all cats of the breed',
    statements: ['S-SEARCH', 'S-CAT-BREED'],
    clauses: ['R7.2', 'R7.3', 'R7.4', 'R7.5', 'R17.5', 'R17.6', 'R17.8', 'R17.9', 'R17.10', 'R17.11', 'R17.12'],
    requires: [...common.requires, 'breed-cats/have-names'],
    explainedBy: [
      'search/survives-every-string',
      'membership/every-cat-has-a-breed',
      'membership/one-breed-only',
      'membership/breed-cats-are-listed',
      'breed-cats/names-stand-once',
      'parity/breed-cats',
      'search/finds-every-cat-by-name',
    ],
    why: 'The query is matched against cat names or breeds: the exact name of a breed matches every cat in it.',
    how: 'Every listed breed is searched for; all cats of its own list must be among the hits. Where these come in pages, one search is read from its first page to its last several times in a row.',
    fix: 'Match the query against the breed as well as the name, and do not cut the result short.',
    tries: [forEach((target, read) => searchedOf('breeds', target, read), findsAllOfTheBreed), searchStaysWholeInPages],
  }),
  check({
    ...common,
    id: 'search/equivalent-encodings',
    title: 'a query is the same query however it is percent-encoded',
    statements: ['S-HTTP', 'S-SEARCH'],
    clauses: ['R14.1'],
    explainedBy: ['search/finds-every-cat-by-name'],
    why: 'Clients encode differently; percent-encoded octets are data, and an equivalent encoding of a string is the same string.',
    how: 'Listed names are searched for with every octet encoded, with lower-case hex and minimally encoded, and the hits compared.',
    fix: 'Decode every percent-encoded octet of the value once, in either case of hex.',
    tries: [
      forEach(
        async (target, read) => {
          const { directory } = target
          const { takes } = await allotment(target, directory, read)
          const names = await searchedNames(target, read)
          return someEncodedNames(names, asQueryValue, target, (encoding) =>
            takes('encodedQuery', encoding, directory.version),
          )
        },
        async ({ name, encoding }, { directory, excuses }, read) => {
          const plain = directory.search(name)
          const encoded = directory.search(name, encoding)
          const [plainly, reading] = await Promise.all([read(plain), read(encoded)])
          if (excuses.refusedQuery(plainly, name)) refusedAsItMay(name, plainly)
          const [found, foundEncoded] = [foundBy(plainly), foundBy(reading)]
          if (!found) return
          answered(`a search for ${quoted(name)} (${encoding} encoded)`, reading, encoded)
          if (!foundEncoded) return
          sameNames(
            { of: 'the usual encoding', list: found, subject: plain },
            { of: 'this encoding', list: foundEncoded, subject: encoded },
            `a search for ${quoted(name)} (${encoding} encoded)`,
            { mentions: [name], ...misreadEverywhere(encoding) },
          )
        },
        { textOf: encodedNameText, stringOf: ({ name, encoding }) => asQueryValue(name, encoding) },
      ),
    ],
  }),
  check({
    ...common,
    id: 'search/finds-only-listed-cats',
    title: 'a search finds only cats that are listed',
    statements: ['S-SEARCH', 'S-LIST-CATS'],
    clauses: ['R8.1'],
    requires: ['search/have-names', 'cats/have-names'],
    explainedBy: [
      'membership/every-cat-has-a-breed',
      'membership/breed-cats-are-listed',
      'search/finds-every-cat-by-name',
    ],
    why: 'A hit that is not in the list of all cats is a cat that is not there.',
    how: 'Every hit of every query, listed names and generated strings alike, is looked for in the list of all cats.',
    fix: 'Search the rows that the list is made of; a stale index is the usual cause.',
    tries: onAnyQuery(findsOnlyListed),
  }),
  check({
    ...common,
    id: 'search/hits-share-a-character',
    title: 'a hit shares a character with the query',
    statements: ['S-SEARCH'],
    clauses: ['R8.3', 'R8.4', 'R8.5', 'R8.6', 'R8.7', 'R8.8', 'R8.12', 'R8.13'],
    explainedBy: ['search/finds-only-listed-cats', 'membership/shown-breed'],
    why: 'The query is matched against names and breeds; what shares nothing with it matches by no rule: the query was not looked at.',
    how: 'For listed names and generated queries of ASCII letters and digits: every hit’s name or breed has at least one character of the query, or one that sounds alike, case and accents set aside. Letters that are like no listed name do not find every cat of another script.',
    fix: 'Match the query; an ignored or misnamed parameter, or a query emptied on its way, is the usual cause.',
    tries: [
      ...onAnyQuery(sharesACharacter),
      forEach<string>(
        async (target, read) => (await anyString(target, read)).examples.filter(isOfManyLetters),
        findsNoWholeScript,
        { areUnlisted: true },
      ),
    ],
  }),
  check({
    ...common,
    id: 'search/special-characters-are-literal',
    title: 'characters special to SQL, regular expressions and URLs are characters',
    statements: ['S-SEARCH', 'S-HTTP'],
    clauses: ['R8.9', 'R8.7', 'R8.8', 'R8.10', 'R8.11'],
    explainedBy: [
      'search/hits-share-a-character',
      'search/finds-only-listed-cats',
      'search/finds-every-cat-by-name',
      'search/finds-every-cat-of-a-breed',
      'search/survives-every-string',
    ],
    why: 'A query that reaches a database or a regular expression unescaped finds what nobody asked for, and is a way in.',
    how: `Each of ${specials.join(' ')}, alone and in place of a character of a listed name, and & and # after one, may find only cats that contain it or that ${unremarkable.join(' ')} find in the same place.`,
    fix: 'Pass the query as a parameter and escape it for LIKE or the regular expression that it becomes part of; split the query string before it is decoded.',
    tries: [
      forEach(specialQueries, isLiteral, { textOf: ({ query }) => quoted(query), stringOf: ({ query }) => query }),
    ],
  }),
  survivesEveryString({
    id: 'search/survives-every-string',
    title: 'no query makes the service fail',
    operation: 'searchCats',
    requires: ['cats/is-a-list', 'breeds/is-a-list'],
    explainedBy: ['search/is-served'],
    strings: anyString,
    subject: (directory) => directory.search,
    raw: ({ raw }) => raw.search,
    names: searchedNames,
    asQuery: ({ raw }) => raw.query,
  }),
  check({
    ...common,
    id: 'search/follows-a-rule',
    title: 'one rule of matching explains what is found',
    level: 'should',
    statements: ['S-SEARCH'],
    clauses: ['R8.15', 'R8.14'],
    requires: [...common.requires, 'breed-cats/have-names'],
    when: 'last',
    explainedBy: [
      'search/hits-share-a-character',
      'search/finds-only-listed-cats',
      'search/finds-every-cat-by-name',
      'search/finds-every-cat-of-a-breed',
      'search/equivalent-encodings',
      'search/special-characters-are-literal',
      'membership/every-cat-has-a-breed',
      'membership/one-breed-only',
      'membership/breed-cats-are-listed',
      'parity/search',
      'parity/search-of-any-string',
    ],
    why: 'How a search matches is its own choice; but people must be able to foresee what they find.',
    how: 'All queries of the run are held against exact, prefix, word, substring and fuzzy matching, with case and accents or without.',
    fix: 'If no rule was meant to be left, look at the answer shown: it is the shortest that the best-fitting rule does not explain.',
    tries: [followsARule],
  }),
  readingAListChangesNothing({
    id: 'search/reading-changes-nothing',
    operation: 'searchCats',
    requires: ['search/is-served'],
    named: ({ cats }) => cats,
    subject: (directory) => directory.search,
    touching: searchesForCats,
    alsoTries: [findsNewcomers, isFoundToTheEnd],
  }),
]

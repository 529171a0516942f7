import type { VersionTarget } from '../directory/deployment.ts'
import { createInputSelector } from '../directory/inputs/input-selector.ts'
import { createCauseOfEncodingDefect, describeEncodedName, drawEncodedNames } from '../directory/inputs/listed-names.ts'
import { selectSearchedNames, selectSearchedNamesOfList } from '../directory/inputs.ts'
import { requireListOrEmpty } from '../directory/readings/names.ts'
import { describeEncoding, describeEncodingPair, encodeQueryValue } from '../directory/shared/encodings.ts'
import { quoted } from '../directory/shared/text.ts'
import type { Read } from '../engine/check/readers.ts'
import { type CheckProbe, defineCheck, forAll, forEach, probeOnce, reportIfNoCats } from './shared/check.ts'
import { createListChecks } from './shared/list-checks.ts'
import { createRobustnessCheck, unknownParametersCheck } from './shared/robustness.ts'
import { assertSameNames } from './shared/same-names.ts'
import { assertCommonCharacter } from './shared/search/common-character.ts'
import { assertDoesNotFindWholeScript, isEightOrMoreAsciiLetters } from './shared/search/finds-every-cat.ts'
import { searchAnchorsCheck, searchSpecialCharactersCheck } from './shared/search/literal-characters.ts'
import { probeMatchingRule } from './shared/search/matching-rule.ts'
import {
  assertFindsCat,
  assertFindsCatsOfBreed,
  assertOnlyListedHits,
  assertSearchServed,
  assertUsableResponse,
} from './shared/search/search-assertions.ts'
import { createSearchStrings } from './shared/search/search-strings.ts'
import { probeJsonForUnusualQueryStrings } from './shared/search/unusual-query-strings.ts'
import { createListedAndUnlistedNameRequests } from './shared/side-effects/experiment-requests.ts'
import { probeWhetherSearchesRemoveCats } from './shared/side-effects/first-searches.ts'
import { ALL_WATCHED_LISTS, createReadOnlyCheck } from './shared/side-effects/read-only-checks.ts'
import { skipRefusedName } from './shared/skip-refused.ts'
import { probeRequestDependenceOfSearches } from './shared/time/dependence-probes.ts'
import { probeNewCatsInSearch } from './shared/time/new-cats-in-search.ts'
import { probePagedSearch } from './shared/time/shifting-pages.ts'
import { probeStableSearches } from './shared/time/stable-responses.ts'
import { probeCatsStillFound } from './shared/time/still-served.ts'

const commonFacts = { operation: 'searchCats', level: 'must', requires: ['search/have-names'] } as const

/** Creates two probes of a requirement: one sends generated queries, the other searches for listed names. */
const createProbesWithQueriesAndNames = (
  assert: (query: string, target: VersionTarget, read: Read) => Promise<void>,
): [CheckProbe, CheckProbe] => [
  forAll(createSearchStrings, (query, { directory }) => [directory.search(query)], assert),
  forEach(selectSearchedNames, assert),
]

/** Checks of S-SEARCH: `GET /v2/search?q=`, same in v3. */
export const searchChecks = [
  ...createListChecks({
    prefix: 'search',
    operation: 'searchCats',
    listStatement: 'S-SEARCH',
    nameStatement: 'S-CAT-NAME',
    listDescription: 'searches for listed names',
    element: 'cat',
    requires: ['cats/is-a-list'],
    inputs: selectSearchedNames,
    createTestedList: (name, { directory }) => ({
      description: `the result of a search for ${quoted(name)} (${directory.version})`,
      resource: directory.search(name),
      namesAtFault: [name],
    }),
    strings: createSearchStrings,
    furtherJsonProbes: [probeJsonForUnusualQueryStrings],
    servedCheck: defineCheck({
      ...commonFacts,
      id: 'search/is-served',
      title: 'search responds to listed names',
      statements: ['S-SEARCH', 'S-GET'],
      clauses: ['R1.1', 'R1.2', 'R1.3', 'R13.10'],
      requires: ['cats/is-a-list'],
      why: 'Clients cannot search at all.',
      how: '1. GET a search for each listed name of a cat or breed. 2. At least one search must get a 2xx whose body arrives completely. Other checks test whether each single search is answered.',
      fix: 'Route `/v2/search` and `/v3/search`, read the query from the parameter `q`, and answer with a 2xx.',
      probes: [
        probeOnce(async (target, read) => {
          await assertSearchServed(await selectSearchedNames(target, read), target, read)
        }),
      ],
    }),
  }),
  defineCheck({
    ...commonFacts,
    id: 'search/finds-every-cat-by-name',
    title: "a search for a cat's name finds the cat",
    statements: ['S-SEARCH', 'S-CAT-NAME'],
    clauses: ['R7.1', 'R16.1', 'R7.3', 'R7.4', 'R7.5', 'R13.4'],
    explainedBy: [
      'search/survives-every-string',
      'membership/every-cat-has-a-breed',
      'membership/breed-cats-are-listed',
      'parity/cats',
    ],
    why: 'A client cannot find a cat by its own name.',
    how: '1. Search for each listed name of a cat, exactly as listed. 2. The cat must be among the hits. 3. If the service refuses a name because of its length or its control characters, the check ignores this name.',
    fix: 'Decode the query exactly once, as UTF-8, match all of its characters literally, and do not cut the result short. Express: `req.query.q` is already decoded; MySQL: a `FULLTEXT` index skips short words and stop words; Elasticsearch: query a `keyword` field too.',
    probes: [forEach((target, read) => selectSearchedNamesOfList('cats', target, read), assertFindsCat)],
  }),
  defineCheck({
    ...commonFacts,
    id: 'search/finds-every-cat-of-a-breed',
    title: "a search for a breed's name finds all its cats",
    statements: ['S-SEARCH', 'S-CAT-BREED'],
    clauses: ['R7.2', 'R7.3', 'R7.4', 'R7.5', 'R17.5', 'R17.6', 'R17.8', 'R17.9', 'R17.10', 'R17.11', 'R17.12'],
    requires: [...commonFacts.requires, 'breed-cats/have-names'],
    explainedBy: [
      'search/survives-every-string',
      'membership/every-cat-has-a-breed',
      'membership/one-breed-only',
      'membership/breed-cats-are-listed',
      'breed-cats/names-stand-once',
      'parity/breed-cats',
      'search/finds-every-cat-by-name',
    ],
    why: 'A client that searches for a breed misses some of its cats.',
    how: '1. For each listed breed, GET the list of its cats. 2. Search for the name of the breed. 3. All cats of this list must be among the hits. 4. If search results are paginated, read all pages of one search several times. Each time, the pages together must contain every cat of the breed.',
    fix: 'Match the query against the breed as well as the name, and do not cut the result short. Elasticsearch: the default `size` is 10; SQL: `ORDER BY` a unique column if there is a `LIMIT`.',
    probes: [
      forEach((target, read) => selectSearchedNamesOfList('breeds', target, read), assertFindsCatsOfBreed),
      probePagedSearch,
    ],
    describe: reportIfNoCats,
  }),
  defineCheck({
    ...commonFacts,
    id: 'search/equivalent-encodings',
    title: 'equivalent percent-encodings of a query find the same cats',
    statements: ['S-HTTP', 'S-SEARCH'],
    statementsIfIntermittent: ['S-SEARCH'],
    clauses: ['R14.1'],
    explainedBy: ['search/finds-every-cat-by-name'],
    why: 'HTTP clients encode queries in different ways, and some of them get other cats or an error.',
    how: '1. Search for listed names, encoded as `encodeURIComponent` does it. 2. Search for the same names, encoded in three other ways: every octet percent-encoded; hex digits in lower case; only those octets encoded that must be. 3. The searches must find the same cats.',
    fix: 'Decode each percent-encoded octet of the value exactly once, whether its hex digits are in upper or lower case. Use the URL parser of your framework, not a regular expression of your own.',
    probes: [
      forEach(
        async (target, read) => {
          const { directory } = target
          const { includes } = await createInputSelector(target, directory, read)
          const names = await selectSearchedNames(target, read)
          return drawEncodedNames(names, encodeQueryValue, target, (encoding) =>
            includes('encodedQuery', encoding, directory.version),
          )
        },
        async ({ name, encoding }, { directory, allowances }, read) => {
          const plain = directory.search(name)
          const encoded = directory.search(name, encoding)
          const [plainReading, reading] = await Promise.all([read(plain), read(encoded)])
          if (allowances.refusedQuery(plainReading, name)) skipRefusedName(name, plainReading)
          const [found, foundEncoded] = [requireListOrEmpty(plainReading), requireListOrEmpty(reading)]
          if (!found) return
          assertUsableResponse(`a search for ${quoted(name)} (${describeEncoding(encoding)})`, reading, encoded)
          if (!foundEncoded) return
          assertSameNames(
            { description: 'the first result', list: found, resource: plain },
            { description: 'the second result', list: foundEncoded, resource: encoded },
            `two searches for ${quoted(name)} (${describeEncodingPair(encoding)})`,
            { otherNames: [name], ...createCauseOfEncodingDefect(encoding) },
          )
        },
        { textOf: describeEncodedName, stringOf: ({ name, encoding }) => encodeQueryValue(name, encoding) },
      ),
    ],
  }),
  defineCheck({
    ...commonFacts,
    id: 'search/finds-only-listed-cats',
    title: 'a search finds only listed cats',
    statements: ['S-SEARCH', 'S-LIST-CATS'],
    clauses: ['R8.1'],
    requires: ['search/have-names', 'cats/have-names'],
    explainedBy: [
      'membership/every-cat-has-a-breed',
      'membership/breed-cats-are-listed',
      'search/finds-every-cat-by-name',
    ],
    why: 'A client shows a cat that no longer exists, or never did.',
    how: '1. Search for listed names and for generated strings. 2. Each cat found must be in the list of all cats.',
    fix: 'Search the same rows as the list. Elasticsearch and other indexes: delete removed cats from the index too.',
    probes: createProbesWithQueriesAndNames(assertOnlyListedHits),
  }),
  defineCheck({
    ...commonFacts,
    id: 'search/hits-share-a-character',
    title: 'every hit shares a character with the query',
    statements: ['S-SEARCH'],
    clauses: ['R8.3', 'R8.4', 'R8.5', 'R8.6', 'R8.7', 'R8.8', 'R8.12', 'R8.13'],
    explainedBy: ['search/finds-only-listed-cats', 'membership/shown-breed'],
    why: 'A client gets cats that have nothing to do with the query: the query is ignored.',
    how: '1. Search for listed names and for generated strings of ASCII letters and digits. 2. The name or breed of each cat found must contain a character of the query, or one of the same Soundex class (similar sound, e.g. b, f, p and v). Case and accents are ignored. A cat whose name is in another script, such as Cyrillic, may be found too, because the service may transliterate names. 3. A query of eight or more ASCII letters that is not a part of any listed name must not find all cats whose names are in another script.',
    fix: 'Return only cats that match the query. Usual causes are a misnamed parameter (`query` instead of `q`), a query that is empty after it was trimmed or cleaned, and names that are empty after transliteration.',
    probes: [
      ...createProbesWithQueriesAndNames(assertCommonCharacter),
      forEach<string>(
        async (target, read) => (await createSearchStrings(target, read)).examples.filter(isEightOrMoreAsciiLetters),
        assertDoesNotFindWholeScript,
        { areUnlisted: true },
      ),
    ],
  }),
  searchSpecialCharactersCheck,
  searchAnchorsCheck,
  createRobustnessCheck({
    id: 'search/survives-every-string',
    title: 'no query causes a 5xx or a dropped connection',
    operation: 'searchCats',
    requires: ['cats/is-a-list'],
    explainedBy: ['search/is-served'],
    strings: createSearchStrings,
    resource: (directory) => directory.search,
    rawResource: ({ raw }) => raw.search,
    names: selectSearchedNames,
    queryStringResource: ({ raw }) => raw.query,
  }),
  unknownParametersCheck,
  defineCheck({
    ...commonFacts,
    id: 'search/follows-a-rule',
    title: 'one matching rule explains all search results',
    level: 'should',
    statements: ['S-SEARCH'],
    clauses: ['R8.15', 'R8.14'],
    requires: [...commonFacts.requires, 'breed-cats/have-names'],
    when: 'last',
    explainedBy: [
      'search/hits-share-a-character',
      'search/finds-only-listed-cats',
      'search/finds-every-cat-by-name',
      'search/finds-every-cat-of-a-breed',
      'search/equivalent-encodings',
      'search/special-characters-are-literal',
      'search/anchors-are-literal',
      'membership/every-cat-has-a-breed',
      'membership/one-breed-only',
      'membership/breed-cats-are-listed',
      'parity/search',
      'parity/search-of-any-string',
    ],
    why: 'Users cannot predict which cats a search finds.',
    how: '1. Collect all searches of the run with their results. 2. Find the rule that explains most of them: exact, prefix, word, substring or fuzzy matching, with or without case and accents. 3. If no rule explains all results, show the shortest query that the closest rule does not explain.',
    fix: 'A service is free to choose how it matches queries. One matching rule explains most of its results, but not the result of the query shown. If your search is meant to follow one rule, find out why this result differs. Usual causes are a limit on results, stop words, and an analyser that differs between index and query.',
    probes: [probeMatchingRule],
  }),
  createReadOnlyCheck({
    id: 'search/reading-changes-nothing',
    explainedBy: [
      'search/finds-every-cat-by-name',
      'search/finds-every-cat-of-a-breed',
      'search/equivalent-encodings',
      'search/finds-only-listed-cats',
      'search/hits-share-a-character',
      'search/special-characters-are-literal',
      'parity/search',
      'parity/search-of-any-string',
    ],
    lastStep:
      '6. If the same search found different cats although no list changed, send this search many times, several requests at once, and do so again a few seconds later. The check fails if a cat appears and disappears in both of these series.',
    operation: 'searchCats',
    requires: ['search/is-served'],
    requests: createListedAndUnlistedNameRequests([({ cats }) => cats, ({ breeds }) => breeds], ({ search }) => search),
    observedLists: [ALL_WATCHED_LISTS],
    probesFirst: [probeWhetherSearchesRemoveCats],
    livesRequests: {
      resources: ({ search }, cats) => cats.map((cat) => search(cat)),
      unlistedResource: ({ search }) => search,
    },
    furtherProbes: [probeNewCatsInSearch, probeCatsStillFound, probeStableSearches, probeRequestDependenceOfSearches],
  }),
]

import type { VersionPairTarget } from '../directory/deployment.ts'
import { createOperatorQueries } from '../directory/inputs/operator-queries.ts'
import { createTestBreedNames } from '../directory/inputs.ts'
import { defineComparison, forAll, forEach, probeOnce } from './shared/check.ts'
import type { CheckId } from './shared/ids.ts'
import {
  assertSameList,
  assertSameResults,
  assertSameResultsForQueryString,
  assertSameShape,
  assertServedInBothOrNeither,
  createSameCatsAssertion,
  createSameHitsAssertion,
  DIFFERENT_CATS_CAUSE,
  findCatsOfMissingBreeds,
  type OperationWithComparedShapes,
  operationsWithComparedShapes,
} from './shared/parity-assertions.ts'
import {
  selectBreedsOfBothVersions,
  selectEmptyQueryStrings,
  selectNamesSearchedInBoth,
  selectPlusEncodedBreeds,
  selectQueryStrings,
} from './shared/parity-inputs.ts'
import { createSearchStringsForBothVersions } from './shared/search/search-strings.ts'

/*
 * The checks whose violations explain a violation of a check of this file. A check belongs in a list if a service that
 * violates it in only one version gives other names in this version than in the other. E.g. if v2 does not serve the
 * breed "Manx", its cats are missing from v2 only.
 */
const CAUSES_IN_LISTS: readonly CheckId[] = [
  'breed-cats/is-served',
  'cats/names-stand-once',
  'breeds/names-stand-once',
  'breed-cats/names-stand-once',
  'membership/every-cat-has-a-breed',
  'membership/one-breed-only',
  'membership/breed-cats-are-listed',
  'membership/shown-breed',
]
const CAUSES_IN_BREEDS: readonly CheckId[] = [
  'parity/cats',
  'parity/breeds',
  ...CAUSES_IN_LISTS,
  'breed-cats/is-json',
  'breed-cats/equivalent-encodings',
  'breed-cats/unknown-breeds-have-none',
  'breed-cats/survives-every-string',
]
const CAUSES_IN_SEARCH: readonly CheckId[] = [
  'search/is-json',
  'parity/cats',
  'parity/breeds',
  'parity/breed-cats',
  ...CAUSES_IN_LISTS,
  'search/names-stand-once',
  'search/finds-every-cat-by-name',
  'search/finds-every-cat-of-a-breed',
  'search/finds-only-listed-cats',
  'search/hits-share-a-character',
  'search/special-characters-are-literal',
  'search/equivalent-encodings',
  'search/survives-every-string',
]

const commonFacts = {
  level: 'must',
  statements: ['S-PARITY'],
  why: 'A client that moves from v2 to v3 finds other cats or breeds than before.',
  fix: 'Serve both prefixes with the same code from the same data. The usual cause is a stale copy, or a fix that only one version got.',
} as const

/**
 * The advice for searches. Differences of cats and breeds are left to other checks, so both versions are assumed to
 * have the same ones.
 */
const FIX_OF_SEARCH =
  'Use the same code and the same index for searches in both versions. Usually, one version ignores letter case, white space, accents or special characters, or finds parts of names, and the other version does not.'
const FIX_OF_BREED_NAMES =
  'Look up breeds in both versions with the same code. Usually, one version ignores letter case, white space, accents or special characters in names, and the other version does not.'

/** Checks of ruling 11 of the contract: each operation gives the same names in both versions. */
export const parityChecks = [
  defineComparison({
    ...commonFacts,
    id: 'parity/cats',
    title: 'both versions list the same cats',
    clauses: ['R11.1', 'R11.6'],
    operation: 'listCats',
    requires: ['cats/have-names'],
    explainedBy: ['cats/do-not-come-and-go', ...CAUSES_IN_LISTS],
    how: '1. Read the list of all cats in both versions. 2. Both lists must contain the same names. Their order and the shape of the JSON may differ.',
    probesAfterChange: 'all',
    probes: [probeOnce((target, read) => assertSameList(({ cats }) => cats, target, 'the list of all cats', read))],
  }),
  defineComparison({
    ...commonFacts,
    id: 'parity/breeds',
    title: 'both versions list the same breeds',
    clauses: ['R11.1', 'R11.6'],
    operation: 'listBreeds',
    requires: ['breeds/have-names'],
    explainedBy: CAUSES_IN_LISTS,
    how: '1. Read the list of all breeds in both versions. 2. Both lists must contain the same names. Their order and the shape of the JSON may differ.',
    probesAfterChange: 'all',
    probes: [
      probeOnce(async (target, read) =>
        assertSameList(
          ({ breeds }) => breeds,
          target,
          'the list of all breeds',
          read,
          await findCatsOfMissingBreeds(target, read),
        ),
      ),
    ],
  }),
  defineComparison({
    ...commonFacts,
    id: 'parity/breed-cats',
    title: 'both versions list the same cats for a breed',
    clauses: ['R11.1', 'R11.3', 'R11.6'],
    operation: 'listCatsOfBreed',
    requires: ['breed-cats/have-names'],
    explainedBy: ['parity/cats', 'parity/breeds', 'breed-cats/is-json', ...CAUSES_IN_LISTS],
    how: '1. GET the cats of each listed breed in both versions. 2. Both lists must contain the same names.',
    probesAfterChange: 'all',
    probes: [forEach(selectBreedsOfBothVersions, createSameCatsAssertion('the list without the name'))],
  }),
  defineComparison({
    ...commonFacts,
    id: 'parity/search',
    title: 'both versions find the same cats for listed names',
    clauses: ['R11.1', 'R11.3', 'R11.6'],
    operation: 'searchCats',
    requires: ['search/have-names'],
    explainedBy: CAUSES_IN_SEARCH,
    how: '1. Search for each listed name of a cat or breed in both versions. 2. Both searches must return the same cats.',
    fix: FIX_OF_SEARCH,
    probes: [forEach(selectNamesSearchedInBoth, createSameHitsAssertion('the list without the name'))],
  }),
  defineComparison({
    ...commonFacts,
    id: 'parity/breed-cats-of-any-string',
    title: 'both versions list the same cats for unlisted breeds',
    clauses: ['R11.1', 'R11.2', 'R11.3'],
    operation: 'listCatsOfBreed',
    requires: ['breed-cats/have-names'],
    explainedBy: ['breed-cats/have-names', 'parity/breed-cats', ...CAUSES_IN_BREEDS],
    how: '1. In both versions, request the cats of breeds that do not exist. Their names are similar to listed names, contain special characters, or are generated. 2. Both lists must contain the same names. A refusal (4xx) counts as an empty list.',
    fix: FIX_OF_BREED_NAMES,
    probes: [
      forAll(
        (target: VersionPairTarget, read) => createTestBreedNames(target.newer, target, read),
        (name, { older, newer }) => [older.catsOf(name), newer.catsOf(name)],
        async (name, target, read) => {
          if (!target.allowances.dotsAlone(name))
            await createSameCatsAssertion('the list with the name')(name, target, read)
        },
      ),
      forEach(
        selectPlusEncodedBreeds,
        (sent: string, target: VersionPairTarget, read) =>
          assertSameResults(
            ({ raw }) => raw.catsOf(sent),
            `the cats of ${sent} (each space sent as a plus sign)`,
            target,
            read,
            { cause: DIFFERENT_CATS_CAUSE },
          ),
        { areUnlisted: true },
      ),
    ],
  }),
  defineComparison({
    ...commonFacts,
    id: 'parity/search-of-any-string',
    title: 'both versions find the same cats for any query',
    clauses: ['R11.1', 'R11.2', 'R11.3', 'R11.4', 'R11.5'],
    operation: 'searchCats',
    requires: ['search/have-names'],
    explainedBy: ['search/have-names', 'parity/search', ...CAUSES_IN_SEARCH],
    how: '1. In both versions, search for strings with special characters and for generated strings, with an empty `q`, and without `q`. 2. Both versions must return the same cats. A refusal (4xx) counts as an empty list. But if a version refuses the search with an empty `q` or without `q`, this search is not compared.',
    fix: FIX_OF_SEARCH,
    probes: [
      forAll(
        createSearchStringsForBothVersions,
        (query, { older, newer }) => [older.search(query), newer.search(query)],
        createSameHitsAssertion('the list with the name'),
      ),
      forEach(
        // Like the observation of O-SEARCH-WILDCARDS, these queries are too many for quick effort.
        async ({ newer, effort }: VersionPairTarget, read) =>
          effort.openPoints === 'all' ? createOperatorQueries(newer, read) : [],
        createSameHitsAssertion('the list with the name'),
        { areUnlisted: true },
      ),
      forEach(selectQueryStrings, assertSameResultsForQueryString, { areUnlisted: true }),
    ],
  }),
  defineComparison({
    ...commonFacts,
    id: 'parity/empty-query',
    title: 'both versions serve an empty query, or neither does',
    operation: 'searchCats',
    level: 'should',
    clauses: ['R11.5'],
    requires: ['search/have-names'],
    why: 'A client that lists all cats with an empty search fails when it moves to the other version.',
    how: '1. In both versions, search without `q` and with an empty `q`. 2. Both versions should answer with a list, or both should refuse the search (4xx).',
    fix: 'Handle an empty and an absent `q` in code that both versions share.',
    probes: [forEach(selectEmptyQueryStrings, assertServedInBothOrNeither, { areUnlisted: true })],
  }),
  defineComparison({
    ...commonFacts,
    id: 'parity/shapes',
    title: 'both versions use the same JSON shapes',
    clauses: ['R11.7'],
    operation: 'all',
    level: 'should',
    requires: ['cats/have-names', 'breeds/have-names'],
    why: 'A client that moves from v2 to v3 has to change how it reads responses.',
    how: '1. For each operation and version, find the JSON Pointers of the list and of the names in it. 2. The JSON Pointers should be the same in both versions.',
    fix: 'Serialise both versions with the same code, if you can. Different shapes are permitted, so no run fails because of them.',
    probes: [
      forEach<OperationWithComparedShapes, VersionPairTarget>(() => operationsWithComparedShapes, assertSameShape, {
        textOf: ({ operation }) => operation,
      }),
    ],
  }),
]

import type { TwoVersions } from '../directory/deployment.ts'
import { allotment } from '../directory/inputs/input-budget.ts'
import { type Drawn, pathNames, plussed, plussedQueries, thatCanBeSearched } from '../directory/inputs/own-names.ts'
import { queriesWithSigns } from '../directory/inputs/search-signs.ts'
import { anyBreedName } from '../directory/inputs.ts'
import { isSameList } from '../directory/readings/index-of-names.ts'
import { distinctNames } from '../directory/readings/names.ts'
import { canStandInPath } from '../directory/shared/encodings.ts'
import type { Read } from '../engine/check/readers.ts'
import { comparison, forAll, forEach, once } from './shared/check.ts'
import type { CheckId } from './shared/ids.ts'
import {
  listShapes,
  missedTogether,
  NO_QUERIES,
  OTHER_CATS,
  type SubjectOf,
  sameCatsOfBreed,
  sameFound,
  sameFoundBy,
  sameHits,
  sameList,
  sameShape,
  servedInBoth,
} from './shared/same-in-versions.ts'
import { anyStringOfBoth } from './shared/search/any-query.ts'

const OF_LISTS: readonly CheckId[] = [
  'breed-cats/is-served',
  'cats/names-stand-once',
  'breeds/names-stand-once',
  'breed-cats/names-stand-once',
  'membership/every-cat-has-a-breed',
  'membership/one-breed-only',
  'membership/breed-cats-are-listed',
  'membership/shown-breed',
]
const OF_BREEDS: readonly CheckId[] = [
  'parity/cats',
  'parity/breeds',
  ...OF_LISTS,
  'breed-cats/equivalent-encodings',
  'breed-cats/unknown-breeds-have-none',
  'breed-cats/survives-every-string',
]
const OF_SEARCH: readonly CheckId[] = [
  'parity/cats',
  'parity/breeds',
  'parity/breed-cats',
  ...OF_LISTS,
  'search/names-stand-once',
  'search/finds-every-cat-by-name',
  'search/finds-every-cat-of-a-breed',
  'search/finds-only-listed-cats',
  'search/hits-share-a-character',
  'search/special-characters-are-literal',
  'search/equivalent-encodings',
  'search/survives-every-string',
]

const common = {
  level: 'must',
  statements: ['S-PARITY'],
  why: 'A client that moves from v2 to v3 finds other cats or breeds than before.',
  fix: 'Serve both prefixes with the same code from the same data. A stale copy, or a fix in one version only, is the usual cause.',
} as const

/** The names that at least one version lists. */
async function namesOfBoth(of: SubjectOf, { older, newer }: TwoVersions, read: Read): Promise<readonly string[]> {
  const [one, another] = await Promise.all([distinctNames(of(older), read), distinctNames(of(newer), read)])
  return isSameList(one, another) ? one : [...new Set([...one, ...another])]
}

/** The names of both versions that the checks of either list test. */
async function searchedInBoth(target: TwoVersions, read: Read): Promise<Drawn<string>> {
  const { drawn } = await allotment(target, target.newer, read)
  const named = async (of: SubjectOf) => thatCanBeSearched(await namesOfBoth(of, target, read))
  const [cats, breeds] = await Promise.all([named((one) => one.cats), named((one) => one.breeds)])
  return { inputs: [...drawn('cats', cats), ...drawn('breeds', breeds)], from: cats.length + breeds.length }
}

/** Checks of ruling 11: each operation gives the same names in both versions. */
export const parity = [
  comparison({
    ...common,
    id: 'parity/cats',
    title: 'both versions list the same cats',
    clauses: ['R11.1', 'R11.6'],
    operation: 'listCats',
    requires: ['cats/have-names'],
    explainedBy: ['cats/do-not-come-and-go', ...OF_LISTS],
    how: '1. Read the list of all cats in both versions. 2. Compare the names; order and shape may differ.',
    triesAgain: 'all',
    tries: [once((target, read) => sameList(({ cats }) => cats, target, 'the list of all cats', read))],
  }),
  comparison({
    ...common,
    id: 'parity/breeds',
    title: 'both versions list the same breeds',
    clauses: ['R11.1', 'R11.6'],
    operation: 'listBreeds',
    requires: ['breeds/have-names'],
    explainedBy: OF_LISTS,
    how: '1. Read the list of all breeds in both versions. 2. Compare the names; order and shape may differ.',
    triesAgain: 'all',
    tries: [
      once(async (target, read) =>
        sameList(({ breeds }) => breeds, target, 'the list of all breeds', read, await missedTogether(target, read)),
      ),
    ],
  }),
  comparison({
    ...common,
    id: 'parity/breed-cats',
    title: 'both versions list the same cats for a breed',
    clauses: ['R11.1', 'R11.3', 'R11.6'],
    operation: 'listCatsOfBreed',
    requires: ['breed-cats/have-names'],
    explainedBy: ['parity/cats', 'parity/breeds', ...OF_LISTS],
    how: '1. GET the cats of each listed breed in both versions. 2. Compare the names.',
    triesAgain: 'all',
    tries: [
      forEach(
        async (target: TwoVersions, read) =>
          (await namesOfBoth(({ breeds }) => breeds, target, read)).filter(canStandInPath),
        sameCatsOfBreed('what lacks it'),
      ),
    ],
  }),
  comparison({
    ...common,
    id: 'parity/search',
    title: 'both versions find the same cats for listed names',
    clauses: ['R11.1', 'R11.3', 'R11.6'],
    operation: 'searchCats',
    requires: ['search/have-names'],
    explainedBy: OF_SEARCH,
    how: '1. Search for each listed name of a cat or breed in both versions. 2. Compare the hits.',
    tries: [forEach(searchedInBoth, sameHits('what lacks it'))],
  }),
  comparison({
    ...common,
    id: 'parity/breed-cats-of-any-string',
    title: 'both versions list the same cats for unlisted breeds',
    clauses: ['R11.1', 'R11.2', 'R11.3'],
    operation: 'listCatsOfBreed',
    requires: ['breed-cats/have-names'],
    explainedBy: ['breed-cats/have-names', 'parity/breed-cats', ...OF_BREEDS],
    how: '1. GET the cats of names near listed breeds, of strings that cause trouble and of generated strings in both versions. 2. Compare the names; a refusal counts as an empty list.',
    tries: [
      forAll(
        (target: TwoVersions, read) => anyBreedName(target.newer, target, read),
        (name, { older, newer }) => [older.catsOf(name), newer.catsOf(name)],
        async (name, target, read) => {
          if (!target.excuses.dotsAlone(name)) await sameCatsOfBreed('what has it')(name, target, read)
        },
      ),
      forEach(
        async (target: TwoVersions, read) => {
          const sent = plussed(await pathNames(target.newer.breeds, read))
          const { takes } = await allotment(target, target.newer, read)
          return { inputs: takes('plussed', 'breed') ? sent : [], from: sent.length }
        },
        (sent: string, target: TwoVersions, read) =>
          sameFound(({ raw }) => raw.catsOf(sent), `the cats of ${sent}, a plus sign for each blank`, target, read, {
            cause: OTHER_CATS,
          }),
        { areUnlisted: true },
      ),
    ],
  }),
  comparison({
    ...common,
    id: 'parity/search-of-any-string',
    title: 'both versions find the same cats for any query',
    clauses: ['R11.1', 'R11.2', 'R11.3', 'R11.4', 'R11.5'],
    operation: 'searchCats',
    requires: ['search/have-names'],
    explainedBy: ['search/have-names', 'parity/search', ...OF_SEARCH],
    how: '1. Search for strings that cause trouble, for generated strings, for the empty and for the absent q in both versions. 2. Compare the hits; a refusal counts as an empty list.',
    tries: [
      forAll(
        anyStringOfBoth,
        (query, { older, newer }) => [older.search(query), newer.search(query)],
        sameHits('what has it'),
      ),
      forEach(
        async ({ newer, effort }: TwoVersions, read) =>
          effort.openPoints === 'all' ? queriesWithSigns(newer, read) : [],
        sameHits('what has it'),
        { areUnlisted: true },
      ),
      forEach(
        async (target: TwoVersions, read) => {
          const pluses = await plussedQueries(target.newer, read)
          const { takes } = await allotment(target, target.newer, read)
          const none = NO_QUERIES.filter((sent) => takes('queryString', sent))
          return {
            inputs: [...none, ...(takes('plussed', 'query') ? pluses : [])],
            from: NO_QUERIES.length + pluses.length,
          }
        },
        sameFoundBy,
        { areUnlisted: true },
      ),
    ],
  }),
  comparison({
    ...common,
    id: 'parity/empty-query',
    title: 'both versions serve an empty query, or neither does',
    operation: 'searchCats',
    level: 'should',
    clauses: ['R11.5'],
    requires: ['search/have-names'],
    why: 'A client that lists all cats by an empty search fails after it moves to the other version.',
    how: '1. Search without q and with an empty q in both versions. 2. Both versions should answer with a list, or both should refuse.',
    fix: 'Handle an empty and an absent q in one place for both versions.',
    tries: [
      forEach(
        async (target: TwoVersions, read) => {
          const { takes } = await allotment(target, target.newer, read)
          return { inputs: NO_QUERIES.filter((sent) => takes('queryString', sent)), from: NO_QUERIES.length }
        },
        servedInBoth,
        { areUnlisted: true },
      ),
    ],
  }),
  comparison({
    ...common,
    id: 'parity/shapes',
    title: 'both versions use the same shapes',
    clauses: ['R11.7'],
    operation: 'all',
    level: 'should',
    requires: ['cats/have-names', 'breeds/have-names'],
    why: 'A client that moves from v2 to v3 has to change how it reads responses.',
    how: '1. Find the JSON Pointers of list, name and breed for each operation and version. 2. Compare them.',
    fix: 'Serialise both versions with the same code, if you can. Different shapes are permitted.',
    tries: [
      forEach(
        () => listShapes,
        (shape: (typeof listShapes)[number], target: TwoVersions) => sameShape(shape, target),
        { textOf: ({ operation }) => operation },
      ),
    ],
  }),
]

import type { Read, Subject } from '../engine/reading.ts'
import { broken } from '../engine/throwables.ts'
import { all, check, each, once } from '../vocabulary/check.ts'
import type { Directories } from '../vocabulary/directory.ts'
import { foundBy, listed, listIn, mayRefuse, sameNames } from '../vocabulary/found.ts'
import { anyBreedName, anyQuery } from '../vocabulary/inputs.ts'
import { pointer } from '../vocabulary/json.ts'
import type { ListReading } from '../vocabulary/list.ts'
import { canBeSearched, canStandInPath } from '../vocabulary/listed.ts'
import { quoted } from '../vocabulary/text.ts'

const common = { versions: 'both', level: 'must', statements: ['S-PARITY'] } as const
const why = 'A client that moves from v2 to v3 must find what it found before.'
const fix =
  'Serve both prefixes from the same code and the same data; a stale copy or a fix made in one version only is the usual cause.'

const listRooms = ['cats', 'breeds', 'breed-cats'].map((room) => `${room}/names-stand-once`)
const memberships = ['every-cat-has-a-breed', 'one-breed-only', 'breed-cats-are-listed', 'shown-breed'].map(
  (name) => `membership/${name}`,
)
const searches = [
  'names-stand-once',
  'finds-every-cat-by-name',
  'finds-every-cat-of-a-breed',
  'finds-only-listed-cats',
  'hits-share-a-character',
  'special-characters-are-literal',
  'equivalent-encodings',
  'survives-every-string',
].map((name) => `search/${name}`)
const OF_LISTS = ['breed-cats/is-served', ...listRooms, ...memberships]
const OF_BREEDS = [
  'parity/cats',
  'parity/breeds',
  ...OF_LISTS,
  'breed-cats/equivalent-encodings',
  'breed-cats/unknown-breeds-have-none',
  'breed-cats/survives-every-string',
]
const OF_SEARCH = ['parity/cats', 'parity/breeds', 'parity/breed-cats', ...OF_LISTS, ...searches]

/** What an input finds in both versions is the same, unless one of them refuses to take so odd a text at all. */
export async function sameFound(
  of: (version: 'v2' | 'v3') => Subject<ListReading>,
  text: string,
  asked: string,
  read: Read,
): Promise<void> {
  const [two, three] = await Promise.all([read(of('v2')), read(of('v3'))])
  if (mayRefuse(two, text) || mayRefuse(three, text)) return
  const [inV2, inV3] = [foundBy(two), foundBy(three)]
  if (inV2 && inV3)
    sameNames({ of: 'v2', list: inV2, subject: of('v2') }, { of: 'v3', list: inV3, subject: of('v3') }, asked)
}

const ofBoth = async (subjectOf: (version: 'v2' | 'v3') => Subject<ListReading>, read: Read) => {
  const [two, three] = await Promise.all([listed(subjectOf('v2'), read), listed(subjectOf('v3'), read)])
  return [...new Set([...two, ...three])]
}

/** Ruling 11. "same names in both versions for every operation on the same input". */
export const parity = [
  check({
    ...common,
    id: 'parity/cats',
    title: 'both versions list the same cats',
    operation: 'listCats',
    requires: ['cats/have-names'],
    explainedBy: OF_LISTS,
    why,
    fix,
    how: 'The names of both lists are compared as sets; order and shape may differ.',
    tries: once(async ({ v2, v3 }, read) => {
      const [two, three] = await Promise.all([read(v2.cats), read(v3.cats)])
      sameNames(
        { of: 'v2', list: listIn(two), subject: v2.cats },
        { of: 'v3', list: listIn(three), subject: v3.cats },
        'the list of all cats',
      )
    }),
  }),
  check({
    ...common,
    id: 'parity/breeds',
    title: 'both versions list the same breeds',
    operation: 'listBreeds',
    requires: ['breeds/have-names'],
    explainedBy: OF_LISTS,
    why,
    fix,
    how: 'The names of both lists are compared as sets; order and shape may differ.',
    tries: once(async ({ v2, v3 }, read) => {
      const [two, three] = await Promise.all([read(v2.breeds), read(v3.breeds)])
      sameNames(
        { of: 'v2', list: listIn(two), subject: v2.breeds },
        { of: 'v3', list: listIn(three), subject: v3.breeds },
        'the list of all breeds',
      )
    }),
  }),
  check({
    ...common,
    id: 'parity/breed-cats',
    title: 'both versions list the same cats of a breed',
    operation: 'listCatsOfBreed',
    requires: ['breed-cats/have-names'],
    explainedBy: ['parity/cats', 'parity/breeds', ...OF_LISTS],
    why,
    fix,
    how: 'The cats of every listed breed are compared.',
    tries: each(
      async (directories: Directories, read) =>
        (await ofBoth((version) => directories[version].breeds, read)).filter(canStandInPath),
      (breed, directories, read) =>
        sameFound((version) => directories[version].catsOf(breed), breed, `the cats of ${quoted(breed)}`, read),
    ),
  }),
  check({
    ...common,
    id: 'parity/search',
    title: 'both versions find the same cats for a listed name',
    operation: 'searchCats',
    requires: ['search/have-names'],
    explainedBy: OF_SEARCH,
    why,
    fix,
    how: 'Every listed name of a cat or breed is searched for in both versions.',
    tries: each(
      async (directories: Directories, read) =>
        [
          ...(await ofBoth((version) => directories[version].cats, read)),
          ...(await ofBoth((version) => directories[version].breeds, read)),
        ].filter(canBeSearched),
      (name, directories, read) =>
        sameFound((version) => directories[version].search(name), name, `a search for ${quoted(name)}`, read),
    ),
  }),
  check({
    ...common,
    id: 'parity/breed-cats-of-any-string',
    title: 'both versions list the same cats for any breed name',
    operation: 'listCatsOfBreed',
    requires: ['breed-cats/have-names'],
    explainedBy: ['parity/breed-cats', ...OF_BREEDS],
    why,
    fix,
    how: 'The cats of near-misses, trouble-makers and generated names are compared; a refusal counts as finding nothing.',
    tries: all(
      anyBreedName,
      (name, { v2, v3 }) => [v2.catsOf(name), v3.catsOf(name)],
      (name, directories, read) =>
        sameFound((version) => directories[version].catsOf(name), name, `the cats of ${quoted(name)}`, read),
    ),
  }),
  check({
    ...common,
    id: 'parity/search-of-any-string',
    title: 'both versions find the same cats for any query',
    operation: 'searchCats',
    requires: ['search/have-names'],
    explainedBy: ['parity/search', ...OF_SEARCH],
    why,
    fix,
    how: 'Trouble-makers and generated queries are searched for in both versions; a refusal counts as finding nothing.',
    tries: all(
      anyQuery,
      (query, { v2, v3 }) => [v2.search(query), v3.search(query)],
      (query, directories, read) =>
        sameFound((version) => directories[version].search(query), query, `a search for ${quoted(query)}`, read),
    ),
  }),
  check({
    id: 'parity/shapes',
    title: 'both versions answer in the same shape',
    operation: 'all',
    versions: 'both',
    level: 'should',
    statements: ['S-PARITY'],
    requires: ['cats/have-names', 'breeds/have-names'],
    why: 'Shapes are nowhere shown, so they may differ; but a client that moves from v2 to v3 has to be rewritten where they do.',
    how: 'The places of list, name and breed are compared operation by operation.',
    fix: 'Serialise both versions alike, if you can.',
    tries: each(
      () => ['cats', 'breeds', 'catsOf', 'search'] as const,
      async (of, { v2, v3 }) => {
        const [two, three] = await Promise.all([v2.shapes[of](), v3.shapes[of]()])
        const isDifferent =
          two &&
          three &&
          !('unreadable' in two) &&
          !('unreadable' in three) &&
          (pointer(two.list) !== pointer(three.list) || pointer(two.name) !== pointer(three.name))
        if (isDifferent)
          broken({
            expected: 'list and name stand at the same places in both versions',
            actual: `the list at ${pointer(two.list) || 'the top'} with the name at ${pointer(two.name) || 'the element itself'} in v2, ${pointer(three.list) || 'the top'} and ${pointer(three.name) || 'the element itself'} in v3`,
            shownBy: of === 'breeds' ? [v2.breeds, v3.breeds] : [v2.cats, v3.cats],
          })
      },
    ),
  }),
]

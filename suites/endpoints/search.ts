import type { Read, Subject } from '../engine/reading.ts'
import { broken } from '../engine/throwables.ts'
import { check, each, once } from '../vocabulary/check.ts'
import type { Directories } from '../vocabulary/directory.ts'
import { asQueryValue } from '../vocabulary/encoding.ts'
import { firstMissing, foundBy, listed, listIn, mayRefuse, sameNames } from '../vocabulary/found.ts'
import { anyQuery } from '../vocabulary/inputs.ts'
import { type ListReading, whyNoList } from '../vocabulary/list.ts'
import { canBeSearched, listedNames, writings, writingText } from '../vocabulary/listed.ts'
import { quoted } from '../vocabulary/text.ts'
import { listPromises } from './lists.ts'

const catNames = async ({ here }: Directories, read: Read) => (await listed(here.cats, read)).filter(canBeSearched)
const breedNames = async ({ here }: Directories, read: Read) => (await listed(here.breeds, read)).filter(canBeSearched)

const SURVIVES = 'search/survives-every-string'
const MEMBERSHIP = [
  'membership/every-cat-has-a-breed',
  'membership/one-breed-only',
  'membership/breed-cats-are-listed',
  'breed-cats/names-stand-once',
]

/** Ruling 1. A redirect that leads nowhere, a coding that cannot be undone, a failure: no client gets an answer. */
function answered(of: string, reading: ListReading, subject: Subject<ListReading>): void {
  if (reading.kind === 'failed')
    broken({ expected: `${of} is answered with 2xx, or refused`, actual: whyNoList(reading), shownBy: [subject] })
}

/** S-SEARCH. "the list of cats that match the query; the query, a string, is matched against cat names or breeds." */
export const search = [
  ...listPromises({
    room: 'search',
    operation: 'searchCats',
    shown: 'S-SEARCH',
    named: 'S-CAT-NAME',
    list: 'what a search for a listed name finds',
    element: 'cat',
    requires: ['cats/have-names', 'breeds/have-names'],
    inputs: listedNames,
    listing: (name, { here }) => ({
      of: `what a search for ${quoted(name)} finds (${here.version})`,
      subject: here.search(name),
    }),
    ofAny: { inputs: anyQuery, subject: (query, { here }) => here.search(query) },
    isServed: check({
      id: 'search/is-served',
      title: 'a search for a listed name is served',
      operation: 'searchCats',
      versions: 'each',
      level: 'must',
      statements: ['S-SEARCH', 'S-GET'],
      requires: ['cats/have-names', 'breeds/have-names'],
      why: 'A search that answers no query at all is not there.',
      how: 'GET a search for listed names of cats and breeds: at least one must be answered with 2xx. Single refusals are judged by the other checks of search.',
      fix: 'Route the path under both prefixes, take the query from the parameter q, and answer with 2xx.',
      tries: once(async (directories, read) => {
        const names = (await listedNames(directories, read)).slice(0, 12)
        const subjects = names.map((name) => directories.here.search(name))
        const readings = await Promise.all(subjects.map(read))
        const first = readings[0]
        if (!first || readings.some(({ kind }) => kind !== 'refused' && kind !== 'failed')) return
        broken({
          expected: 'a search for a listed name is answered with 2xx',
          actual: `none of ${names.length} is; for ${quoted(names[0] ?? '')}: ${whyNoList(first)}`,
          shownBy: subjects.slice(0, 2),
        })
      }),
    }),
  }),
  check({
    id: 'search/finds-every-cat-by-name',
    title: 'a search for a cat’s name finds that cat',
    operation: 'searchCats',
    versions: 'each',
    level: 'must',
    statements: ['S-SEARCH', 'S-CAT-NAME'],
    requires: ['search/have-names'],
    explainedBy: [SURVIVES, 'membership/breed-cats-are-listed'],
    why: 'Whatever the matching rule, the exact name of a cat matches that cat.',
    how: 'Every listed name is searched for, exactly as listed. A refusal of an odd name (its length, its characters) is no violation.',
    fix: 'Decode the query once, as UTF-8; match all of its characters literally; do not cut the result short.',
    tries: each(catNames, async (name, { here }, read) => {
      const hits = here.search(name)
      const [cats, reading] = await Promise.all([read(here.cats), read(hits)])
      if (!listIn(cats).has(name) || mayRefuse(reading, name)) return
      answered(`a search for ${quoted(name)}, a listed cat,`, reading, hits)
      const found = foundBy(reading)
      if (!found) return
      if (!found.has(name))
        broken({
          expected: `a search for ${quoted(name)} finds the cat of that name`,
          actual: reading.kind === 'list' ? `${found.names.length} found, not that one` : whyNoList(reading),
          shownBy: [here.cats, hits],
        })
    }),
  }),
  check({
    id: 'search/finds-every-cat-of-a-breed',
    title: 'a search for a breed’s name finds all cats of the breed',
    operation: 'searchCats',
    versions: 'each',
    level: 'must',
    statements: ['S-SEARCH', 'S-CAT-BREED'],
    requires: ['search/have-names', 'breed-cats/have-names'],
    explainedBy: [SURVIVES, ...MEMBERSHIP, 'parity/breed-cats', 'search/finds-every-cat-by-name'],
    why: 'The query is matched against cat names or breeds: the exact name of a breed matches every cat in it.',
    how: 'Every listed breed is searched for; all cats of its own list must be among the hits.',
    fix: 'Match the query against the breed as well as the name, and do not cut the result short.',
    tries: each(breedNames, async (breed, { here }, read) => {
      const members = here.catsOf(breed)
      const hits = here.search(breed)
      const [cats, reading] = await Promise.all([read(members), read(hits)])
      if (mayRefuse(reading, breed)) return
      answered(`a search for ${quoted(breed)}, a listed breed,`, reading, hits)
      const { names } = listIn(cats)
      const found = foundBy(reading)
      const missing = found && firstMissing(names, found)
      if (!found || missing === undefined) return
      broken({
        expected: `a search for the breed ${quoted(breed)} finds all ${names.length} cats of it`,
        actual:
          reading.kind === 'list'
            ? `${quoted(missing)} is not among the ${found.names.length} found`
            : whyNoList(reading),
        shownBy: [members, hits],
      })
    }),
  }),
  check({
    id: 'search/equivalent-encodings',
    title: 'a query is the same query however it is percent-encoded',
    operation: 'searchCats',
    versions: 'each',
    level: 'must',
    statements: ['S-HTTP', 'S-SEARCH'],
    requires: ['search/have-names'],
    explainedBy: ['search/finds-every-cat-by-name'],
    why: 'Clients encode differently; percent-encoded octets are data, and an equivalent encoding of a string is the same string.',
    how: 'Listed names are searched for with every octet encoded, with lower-case hex and minimally encoded, and the hits compared.',
    fix: 'Decode every percent-encoded octet of the value once, in either case of hex.',
    tries: each(
      async (directories, read) => writings(await listedNames(directories, read), asQueryValue),
      async ({ name, encoding }, { here }, read) => {
        const plain = here.search(name)
        const written = here.search(name, encoding)
        const [reading, readingWritten] = await Promise.all([read(plain), read(written)])
        const [found, foundWritten] = [foundBy(reading), foundBy(readingWritten)]
        if (!found) return
        answered(`a search for ${quoted(name)} (${encoding} encoded)`, readingWritten, written)
        if (!foundWritten) return
        sameNames(
          { of: 'the plain encoding', list: found, subject: plain },
          { of: 'this encoding', list: foundWritten, subject: written },
          `a search for ${quoted(name)} (${encoding} encoded)`,
        )
      },
      { textOf: writingText },
    ),
  }),
]

import { broken } from '../engine/throwables.ts'
import { check, each } from '../vocabulary/check.ts'
import { asSegment } from '../vocabulary/encoding.ts'
import { listIn, mayBeTooLong, sameNames } from '../vocabulary/found.ts'
import { anyBreedName } from '../vocabulary/inputs.ts'
import { whyNoList } from '../vocabulary/list.ts'
import { pathNames, writings, writingText } from '../vocabulary/listed.ts'
import { quoted } from '../vocabulary/text.ts'
import { listPromises, served } from './lists.ts'

/** S-CATS-OF-BREED. "`GET /v2/breeds/<breed_name>/cats`, v3 likewise: the list of all cats of the breed so named." */
export const breedCats = [
  ...listPromises({
    room: 'breed-cats',
    operation: 'listCatsOfBreed',
    shown: 'S-CATS-OF-BREED',
    named: 'S-CAT-NAME',
    list: 'the list of cats of a listed breed',
    element: 'cat',
    requires: ['breeds/have-names'],
    inputs: ({ here }, read) => pathNames(here.breeds, read),
    listing: (breed, { here }) => ({
      of: `the list of cats of ${quoted(breed)} (${here.version})`,
      subject: here.catsOf(breed),
    }),
    ofAny: { inputs: anyBreedName, subject: (name, { here }) => here.catsOf(name) },
    isServed: check({
      id: 'breed-cats/is-served',
      title: 'every listed breed can be asked for its cats',
      operation: 'listCatsOfBreed',
      versions: 'each',
      level: 'must',
      statements: ['S-CATS-OF-BREED', 'S-BREED-NAME', 'S-GET'],
      requires: ['breeds/have-names'],
      why: 'A breed that is listed and cannot be asked for leads every client that follows the list into an error.',
      how: 'GET the cats of every listed breed by its exact name, percent-encoded; an empty list is fine.',
      fix: 'Look the segment up after percent-decoding it once, as UTF-8, and answer a breed without cats with an empty list.',
      tries: each(
        ({ here }, read) => pathNames(here.breeds, read),
        async (breed, { here }, read) => {
          const isListed = listIn(await read(here.breeds)).has(breed)
          if (isListed && !mayBeTooLong(await read(here.catsOf(breed)), breed))
            await served({ of: `the list of cats of ${quoted(breed)}`, subject: here.catsOf(breed) }, read)
        },
      ),
    }),
  }),
  check({
    id: 'breed-cats/equivalent-encodings',
    title: 'a breed name is the same name however it is percent-encoded',
    operation: 'listCatsOfBreed',
    versions: 'each',
    level: 'must',
    statements: ['S-HTTP', 'S-CATS-OF-BREED'],
    requires: ['breed-cats/have-names'],
    why: 'Clients encode differently; percent-encoded octets are data, and an equivalent encoding of a string is the same string.',
    how: 'GET the cats of listed breeds with every octet encoded, with lower-case hex and minimally encoded (a plus sign in a segment is a plus sign), and compare.',
    fix: 'Decode every percent-encoded octet of the segment once, in either case of hex, and nothing else: no plus sign becomes a blank.',
    tries: each(
      async ({ here }, read) => writings(await pathNames(here.breeds, read), asSegment),
      async ({ name, encoding }, { here }, read) => {
        const plain = here.catsOf(name)
        const written = here.catsOf(name, encoding)
        const reading = await read(written)
        const asked = `the cats of ${quoted(name)} (${encoding} encoded)`
        if (mayBeTooLong(reading, name)) return
        const isPlainServed = (await read(plain)).kind === 'list'
        if (isPlainServed && reading.kind !== 'list')
          broken({
            expected: `${asked} are those of the same name plainly encoded`,
            actual: whyNoList(reading),
            shownBy: [plain, written],
          })
        sameNames(
          { of: 'the plain encoding', list: listIn(await read(plain)), subject: plain },
          { of: 'this encoding', list: listIn(reading), subject: written },
          asked,
        )
      },
      { textOf: writingText },
    ),
  }),
]

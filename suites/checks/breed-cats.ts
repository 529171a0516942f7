import type { OneVersion } from '../directory/deployment.ts'
import type { Directory } from '../directory/facts/directory.ts'
import { allotment } from '../directory/inputs/input-budget.ts'
import { encodedNameText, misreadEverywhere, pathNames, someEncodedNames } from '../directory/inputs/own-names.ts'
import { anyBreedName, type Strings } from '../directory/inputs.ts'
import type { Named } from '../directory/readings/list-reading.ts'
import { distinctNames, foundBy, requireList } from '../directory/readings/names.ts'
import { returned, whyNoList } from '../directory/readings/why-no-list.ts'
import { asSegment } from '../directory/shared/encodings.ts'
import { meant, quoted } from '../directory/shared/text.ts'
import type { Read } from '../engine/check/readers.ts'
import { broken } from '../engine/check/violations.ts'
import { asksNearFirst } from './shared/asks-near-first.ts'
import { breedsToTry } from './shared/breeds-to-try.ts'
import { check, forAll, forEach } from './shared/check.ts'
import { served } from './shared/list-assertions.ts'
import { listPromises } from './shared/list-promises.ts'
import { refusedAsItMay, unlessThere } from './shared/refused.ts'
import { sameNames } from './shared/same-names.ts'
import { survivesEveryString, survivesMalformedPaths } from './shared/survives-every-string.ts'
import { canBeReadAgain } from './shared/time/asked-again.ts'
import { membersDoNotComeAndGo } from './shared/time/come-and-go.ts'
import { breedsAndTheirCats } from './shared/time/lives-cost.ts'
import { readingAListChangesNothing } from './shared/time/read-only.ts'
import { membersStayServed } from './shared/time/stays-served.ts'
import { breedsKeepTheirCatsUnderLoad } from './shared/time/under-load.ts'

/** O-NAME-MATCH leaves open whether a name is found in another case; what is found is "the list of all cats of the breed so named". */
async function leadsToItsBreed(
  name: string,
  found: Named,
  breed: string | undefined,
  { catsOf }: Directory,
  read: Read,
): Promise<void> {
  if (breed === undefined) return
  const reading = await read(catsOf(breed))
  const own = foundBy(reading)
  // A listed breed that is refused is no matter of what leads to it.
  if (!own || reading.kind === 'refused') return
  sameNames(
    { of: quoted(breed), list: own, subject: catsOf(breed) },
    { of: quoted(name), list: found, subject: catsOf(name) },
    `the cats of ${quoted(name)}, which is read as ${quoted(breed)}`,
    { mentions: [name] },
  )
}

/** Ruling 12. "A non-empty list for a name that no breed has … is a violation" */
async function hasNoCats(name: string, { directory, excuses }: OneVersion, read: Read): Promise<void> {
  const subject = directory.catsOf(name)
  const [breeds, reading] = await Promise.all([read(directory.breeds), read(subject)])
  if (reading.kind !== 'list' || reading.names.length === 0) return
  const listed = requireList(breeds)
  const { names } = listed
  if (names.includes(name) || excuses.dotsAlone(name)) return
  if (excuses.shownAlias(name, listed)) return
  if (excuses.aliasOf(name, names)) return leadsToItsBreed(name, reading, meant(name, names), directory, read)
  broken({
    expected: 'a 4xx, null or an empty list',
    actual: `the list of cats of ${quoted(name)} contains ${quoted(reading.names[0] ?? '')}${reading.names.length > 1 ? ` and ${reading.names.length - 1} more` : ''}, although no breed has that name`,
    manner: `a list of ${reading.names.length}, with ${quoted(reading.names[0] ?? '')}`,
    shownBy: [directory.breeds, subject],
    about: reading.names,
  })
}

const anyBreed = (target: OneVersion, read: Read): Promise<Strings> =>
  anyBreedName(target.directory, target, read, target.directory.version)

const listedNames = (
  { directory: { cats, breeds } }: OneVersion,
  read: Read,
): Promise<readonly (readonly string[])[]> => Promise.all([distinctNames(cats, read), distinctNames(breeds, read)])

/** S-CATS-OF-BREED. "`GET /v2/breeds/<breed_name>/cats`, v3 likewise: the list of all cats of the breed so named." */
export const breedCats = [
  ...listPromises({
    prefix: 'breed-cats',
    operation: 'listCatsOfBreed',
    shown: 'S-CATS-OF-BREED',
    named: 'S-CAT-NAME',
    list: 'the list of cats of a listed breed',
    element: 'cat',
    requires: ['breeds/is-a-list'],
    inputs: breedsToTry,
    listing: (breed, { directory }) => ({
      of: `the list of cats of ${quoted(breed)} (${directory.version})`,
      subject: directory.catsOf(breed),
      about: [breed],
    }),
    ofAny: {
      strings: anyBreed,
      subject: (name, { directory }) => directory.catsOf(name),
    },
    isServed: check({
      id: 'breed-cats/is-served',
      title: 'every listed breed can be asked for its cats',
      operation: 'listCatsOfBreed',
      level: 'must',
      statements: ['S-CATS-OF-BREED', 'S-BREED-NAME', 'S-GET'],
      clauses: ['R6.3', 'R6.4', 'R1.1', 'R1.2', 'R1.3', 'R7.3', 'R7.4', 'R7.5', 'R13.4', 'R13.10'],
      requires: ['breeds/is-a-list'],
      why: 'A breed that is listed and cannot be asked for leads every client that follows the list into an error.',
      how: 'GET the cats of every listed breed by its exact name, percent-encoded; an empty list is fine.',
      fix: 'Look the segment up after percent-decoding it once, as UTF-8, and answer a breed without cats with an empty list.',
      triesFirst: [
        asksNearFirst(
          ({ breeds }) => breeds,
          ({ catsOf }) => catsOf,
        ),
      ],
      tries: [
        forEach(breedsToTry, async (breed, { directory, excuses }, read) => {
          const list = {
            of: `the list of cats of ${quoted(breed)}`,
            subject: directory.catsOf(breed),
            about: [breed],
            listedBy: directory.breeds,
          }
          const isListed = requireList(await read(directory.breeds)).has(breed)
          if (!isListed) return
          const reading = await read(list.subject)
          if (excuses.refusedName(reading, breed)) refusedAsItMay(breed, reading)
          await served(list, read)
        }),
      ],
    }),
  }),
  check({
    id: 'breed-cats/equivalent-encodings',
    title: 'a breed name is the same name however it is percent-encoded',
    operation: 'listCatsOfBreed',
    level: 'must',
    statements: ['S-HTTP', 'S-CATS-OF-BREED'],
    clauses: ['R14.1', 'R14.2', 'R14.3'],
    requires: ['breed-cats/have-names'],
    why: 'Clients encode differently; percent-encoded octets are data, and an equivalent encoding of a string is the same string.',
    how: 'GET the cats of listed breeds with every octet encoded, with lower-case hex and minimally encoded (a plus sign in a segment is a plus sign), and compare.',
    fix: 'Decode every percent-encoded octet of the segment once, in either case of hex, and nothing else: no plus sign becomes a blank.',
    tries: [
      forEach(
        async (target, read) => {
          const { directory } = target
          const { takes } = await allotment(target, directory, read)
          const names = await pathNames(directory.breeds, read)
          return someEncodedNames(names, asSegment, target, (encoding) =>
            takes('encodedBreed', encoding, directory.version),
          )
        },
        async ({ name, encoding }, { directory, excuses }, read) => {
          const plain = directory.catsOf(name)
          const encoded = directory.catsOf(name, encoding)
          const [plainly, reading] = await Promise.all([read(plain), read(encoded)])
          const asked = `the cats of ${quoted(name)} (${encoding} encoded)`
          if (excuses.refusedName(reading, name)) refusedAsItMay(name, reading)
          unlessThere(name, plainly, excuses)
          if (plainly.kind === 'list' && reading.kind !== 'list')
            broken({
              expected: 'the same cats as for the usual encoding of the name',
              actual: returned(`the list of ${asked}`, reading, whyNoList(reading)),
              manner: whyNoList(reading),
              shownBy: [plain, encoded],
              ...misreadEverywhere(encoding),
            })
          sameNames(
            { of: 'the usual encoding', list: requireList(plainly), subject: plain },
            { of: 'this encoding', list: requireList(reading), subject: encoded },
            asked,
            { mentions: [name], ...misreadEverywhere(encoding) },
          )
        },
        { textOf: encodedNameText, stringOf: ({ name, encoding }) => asSegment(name, encoding) },
      ),
    ],
  }),
  check({
    id: 'breed-cats/unknown-breeds-have-none',
    title: 'a name that no breed has leads to no cats',
    operation: 'listCatsOfBreed',
    level: 'must',
    statements: ['S-CATS-OF-BREED', 'S-HTTP'],
    clauses: ['R12.2', 'R12.1', 'R12.3', 'R12.4', 'R12.6', 'R14.4'],
    requires: ['breeds/have-names', 'breed-cats/have-names'],
    explainedBy: ['breed-cats/survives-every-string'],
    why: 'The list of the breed so named holds no cat when no breed is so named; cats of another breed are a wrong answer.',
    how: 'GET the cats of near-misses of listed breeds, of strings that trouble paths and of generated ones: any 4xx, null or an empty list is fine.',
    fix: 'Compare whole names, decoded once; an encoded slash or dot is data, never a step in the path.',
    tries: [
      forAll(
        anyBreed,
        (name, { directory }) => [directory.catsOf(name)],
        async (name, target, read) => {
          if (target.excuses.stepsInPath(name, ...(await listedNames(target, read)))) return
          await hasNoCats(name, target, read)
        },
      ),
    ],
  }),
  check({
    id: 'breed-cats/slashes-are-data',
    title: 'an encoded slash in a breed name is no step in the path',
    operation: 'listCatsOfBreed',
    level: 'should',
    statements: ['S-CATS-OF-BREED', 'S-HTTP'],
    clauses: ['R12.5'],
    requires: ['breed-cats/have-names'],
    explainedBy: ['breed-cats/unknown-breeds-have-none'],
    why: 'Something before the service decodes the path and resolves it anew: what is asked there is not what is asked here, and a name with a slash can never be served.',
    how: 'GET the cats of names that hold an encoded slash and lead, were it a step in the path, to a listed breed: any 4xx, null or an empty list is fine.',
    fix: 'Pass the path on as it came: nginx does with a proxy_pass that has no URI part; others call it raw, unescaped or encoded slashes allowed.',
    tries: [
      forEach<string>(
        async (target, read) => (await anyBreed(target, read)).examples.filter((name) => name.includes('/')),
        async (name, target, read) => {
          if (target.excuses.stepsInPath(name, ...(await listedNames(target, read))))
            await hasNoCats(name, target, read)
        },
      ),
    ],
  }),
  survivesEveryString({
    id: 'breed-cats/survives-every-string',
    title: 'no breed name makes the service fail',
    operation: 'listCatsOfBreed',
    requires: ['breeds/is-a-list'],
    explainedBy: ['breed-cats/is-served'],
    strings: anyBreed,
    subject: (directory) => directory.catsOf,
    raw: ({ raw }) => raw.catsOf,
  }),
  survivesMalformedPaths({
    id: 'breed-cats/survives-malformed-paths',
    operation: 'listCatsOfBreed',
    requires: ['breeds/is-a-list'],
    explainedBy: ['breed-cats/is-served', 'breed-cats/survives-every-string'],
    raw: ({ raw }) => raw.catsOf,
  }),
  membersDoNotComeAndGo,
  readingAListChangesNothing({
    id: 'breed-cats/reading-changes-nothing',
    operation: 'listCatsOfBreed',
    requires: ['breed-cats/have-names'],
    named: ({ breeds }) => breeds,
    subject: (directory) => directory.catsOf,
    touching: breedsAndTheirCats,
    alsoTries: [
      breedsKeepTheirCatsUnderLoad,
      canBeReadAgain(async ({ directory }, read) =>
        (await pathNames(directory.breeds, read)).map((breed) => directory.catsOf(breed)),
      ),
      membersStayServed,
    ],
  }),
]

import type { OneVersion } from '../directory/deployment.ts'
import { encodedNameText, misreadEverywhere, someOf } from '../directory/inputs/own-names.ts'
import { anyCatName, type Strings } from '../directory/inputs.ts'
import { whyNoCount } from '../directory/lives/lives-reading.ts'
import { requireList } from '../directory/readings/names.ts'
import { returned } from '../directory/readings/why-no-list.ts'
import { asSegment } from '../directory/shared/encodings.ts'
import { quoted } from '../directory/shared/text.ts'
import type { Read } from '../engine/check/readers.ts'
import { broken } from '../engine/check/violations.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import { withUnheardOf } from './shared/any-string.ts'
import { asksNearFirst } from './shared/asks-near-first.ts'
import { check, checkOfAbsence, forAll, forEach } from './shared/check.ts'
import { answersInJson, habitOf, saysJson } from './shared/list-assertions.ts'
import { catsEncoded } from './shared/lives/cats-encoded.ts'
import { catsToTry, catsWithoutLives } from './shared/lives/cats-to-try.ts'
import { livesAreACount, livesStandAtTheUsualPlace, ofListed, unknownInJson } from './shared/lives/lives-assertions.ts'
import { livesAreOfThatCat } from './shared/lives/lives-of-another.ts'
import { asksBothVersionsAtOnce, hasNoLives } from './shared/lives/lives-where-none-are.ts'
import { refusedAsItMay } from './shared/refused.ts'
import { survivesEveryString, survivesMalformedPaths } from './shared/survives-every-string.ts'
import { readingLivesChangesNothing } from './shared/time/read-only.ts'

const common = { operation: 'getLivesLeft', level: 'must' } as const

const anyCat = (target: OneVersion, read: Read): Promise<Strings> =>
  anyCatName(target.directory, target, read, target.directory.version)

/** S-LIVES. "`GET /v3/cat/<name>/lives_left`: how many lives the cat of that name still has left." */
export const lives = [
  check({
    ...common,
    id: 'lives/is-served',
    title: 'every listed cat can be asked for its lives',
    statements: ['S-LIVES', 'S-CAT-NAME', 'S-GET'],
    clauses: ['R1.1', 'R1.2', 'R1.3', 'R7.3', 'R7.4', 'R7.5', 'R13.4', 'R13.10'],
    requires: ['cats/is-a-list'],
    explainedBy: ['membership/every-cat-has-a-breed', 'parity/cats'],
    why: 'The name that the list shows is what identifies the cat in the path.',
    how: 'GET lives_left of every listed cat by its exact name, percent-encoded.',
    fix: 'Look the segment up after percent-decoding it once, as UTF-8.',
    triesFirst: [
      asksNearFirst(
        (directory) => directory.cats,
        (directory) => directory.lives,
      ),
    ],
    tries: [
      forEach(catsToTry, (cat: string, target, read) =>
        ofListed(cat, target, read, (reading, subject) => {
          if (target.excuses.refusedName(reading, cat)) refusedAsItMay(cat, reading)
          if (reading.kind !== 'refused' && reading.kind !== 'failed') return
          broken({
            expected: 'a 2xx response for every listed cat',
            actual: returned(`the request for the lives of ${quoted(cat)}`, reading, whyNoCount(reading)),
            manner: whyNoCount(reading),
            shownBy: [target.directory.cats, subject],
            about: [cat],
          })
        }),
      ),
    ],
  }),
  check({
    ...common,
    id: 'lives/is-json',
    title: 'lives are one JSON text',
    statements: ['S-JSON'],
    clauses: ['R2.2', 'R2.1'],
    requires: ['lives/is-served'],
    why: 'A client that cannot parse the answer has no answer.',
    how: 'The body is decoded as UTF-8, strictly, and parsed as one JSON text, whatever its media type.',
    fix: 'Serialise with a JSON library, in UTF-8.',
    tries: [
      forEach(catsToTry, (cat: string, target, read) =>
        ofListed(cat, target, read, async (reading, subject) => {
          if (reading.kind !== 'not-json') return
          if (!saysJson(reading.mediaType) && !(await answersInJson(target, read)))
            throw new Inconclusive('unreadable', 'no response is JSON, the only format that this suite reads')
          broken({
            expected: 'one well-formed JSON text in UTF-8',
            actual: returned(`the request for the lives of ${quoted(cat)}`, reading, whyNoCount(reading)),
            manner: whyNoCount(reading),
            shownBy: [subject],
            ...habitOf(reading),
            about: [cat],
          })
        }),
      ),
      // In a path a string may lead to another route, and what that is answered with is open: but what is called JSON.
      forAll(
        withUnheardOf(anyCat),
        (name, { directory }) => [directory.lives(name)],
        (name, target, read) =>
          unknownInJson(name, target, ({ isEmpty }) => !isEmpty && !target.excuses.anotherRoute(name), read),
      ),
    ],
  }),
  check({
    ...common,
    id: 'lives/is-a-count',
    title: 'lives are a whole number, at least 0',
    statements: ['S-LIVES', 'S-CAT-LIVES'],
    clauses: ['R9.1', 'R16.1', 'R9.2', 'R9.4', 'R9.5', 'R9.6', 'R9.7', 'R9.8'],
    requires: ['lives/is-json'],
    why: 'Lives left are counted: a fraction, a negative number, a word or null counts nothing.',
    how: 'The count is the bare number, or the value at lives_left, else at the only key that contains lives, else the only number.',
    fix: 'Answer with a JSON number, whole and not negative. How many lives a cat may have is nowhere said: 10 break nothing.',
    tries: [forEach(catsToTry, livesAreACount)],
  }),
  check({
    ...common,
    id: 'lives/same-place',
    title: 'the count stands at the same place for every cat',
    statements: ['S-LIVES', 'S-CAT-LIVES'],
    clauses: ['R9.3'],
    requires: ['lives/is-a-count'],
    why: 'A client reads the count from one place; a cat for which it is elsewhere has no lives for that client.',
    how: 'The JSON Pointer of the count is compared over all listed cats.',
    fix: 'Answer in one shape for all cats.',
    tries: [forEach(catsToTry, livesStandAtTheUsualPlace)],
  }),
  livesAreOfThatCat(catsToTry),
  check({
    ...common,
    id: 'lives/equivalent-encodings',
    title: 'a cat’s name is the same name however it is percent-encoded',
    statements: ['S-HTTP', 'S-LIVES'],
    clauses: ['R14.1', 'R14.2', 'R14.3'],
    requires: ['lives/is-a-count'],
    why: 'Clients encode differently; percent-encoded octets are data, and an equivalent encoding of a string is the same string.',
    how: 'GET the lives of listed cats with every octet encoded, with lower-case hex and minimally encoded (a plus sign in a segment is a plus sign).',
    fix: 'Decode every percent-encoded octet of the segment once, in either case of hex, and nothing else: no plus sign becomes a blank.',
    tries: [
      forEach(
        catsEncoded,
        ({ name, encoding }, target, read) =>
          ofListed(name, target, read, async (plain, subject) => {
            const encoded = target.directory.lives(name, encoding)
            const reading = await read(encoded)
            if (target.excuses.refusedName(reading, name)) refusedAsItMay(name, reading)
            if (plain.kind !== 'count' || (reading.kind === 'count' && reading.value === plain.value)) return
            if (reading.kind === 'ambiguous') return
            broken({
              expected: `the same lives as for the usual encoding of the name: ${whyNoCount(plain)}`,
              actual: returned(
                `the request for the lives of ${quoted(name)} (${encoding} encoded)`,
                reading,
                whyNoCount(reading),
              ),
              manner: whyNoCount(reading),
              shownBy: [subject, encoded],
              ...misreadEverywhere(encoding),
            })
          }),
        { textOf: encodedNameText, stringOf: ({ name, encoding }) => asSegment(name, encoding) },
      ),
    ],
  }),
  checkOfAbsence({
    ...common,
    id: 'lives/only-in-v3',
    title: 'v2 has no lives_left',
    statements: ['S-V3-ONLY', 'S-CAT-LIVES'],
    clauses: ['R10.1', 'R10.2', 'R10.3'],
    requires: ['cats/is-a-list'],
    why: 'lives_left exists only in v3: a client that finds it under v2 comes to rely on what is not there.',
    how: 'GET /v2/cat/<name>/lives_left of up to 16 listed cats, half of them drawn by lot, redirects followed within v2: anything but a 2xx from which a count can be read.',
    fix: 'Do not mount lives_left under v2; 404, 405, 410 and 501 are all fine.',
    requestsOfItsOwn: 1,
    triesFirst: [asksBothVersionsAtOnce],
    tries: [forEach(catsWithoutLives, hasNoLives)],
  }),
  check({
    ...common,
    id: 'lives/unknown-cats',
    title: 'a cat that is not listed has no lives to count',
    level: 'should',
    statements: ['S-LIVES', 'S-CAT-NAME'],
    clauses: ['R12.7', 'R12.1'],
    requires: ['lives/is-a-count'],
    why: 'Nothing is shown about unknown cats; but a count for a cat that is not there misleads whoever mistypes a name.',
    how: 'GET the lives of names that no listed cat has, case, accents, blanks and punctuation set aside.',
    fix: 'Answer 404, or another 4xx, for a name that no cat has.',
    tries: [
      forEach(
        ({ directory, effort }) => someOf([directory.controlName(), 'no such cat'], effort, 1),
        async (name, { directory, excuses }, read) => {
          const [list, reading] = await Promise.all([read(directory.cats), read(directory.lives(name))])
          const { names } = requireList(list)
          if (reading.kind !== 'count' || names.includes(name) || excuses.aliasOf(name, names)) return
          broken({
            expected: 'a 4xx, null or an object without a count',
            actual: `the lives of ${quoted(name)} are ${whyNoCount(reading)}, although no listed cat has that name`,
            manner: whyNoCount(reading),
            shownBy: [directory.lives(name)],
          })
        },
      ),
    ],
  }),
  survivesEveryString({
    id: 'lives/survives-every-string',
    title: 'no cat name makes the service fail',
    operation: 'getLivesLeft',
    requires: ['cats/is-a-list'],
    explainedBy: ['lives/is-served'],
    strings: anyCat,
    subject: (directory) => directory.lives,
    raw: ({ raw }) => raw.lives,
  }),
  survivesMalformedPaths({
    id: 'lives/survives-malformed-paths',
    operation: 'getLivesLeft',
    requires: ['cats/is-a-list'],
    explainedBy: ['lives/is-served', 'lives/survives-every-string'],
    raw: ({ raw }) => raw.lives,
  }),
  readingLivesChangesNothing,
]

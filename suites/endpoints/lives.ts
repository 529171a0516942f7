import type { Read, Subject } from '../engine/reading.ts'
import { sample } from '../engine/sample.ts'
import type { Exchange } from '../engine/session.ts'
import { broken, Inconclusive } from '../engine/throwables.ts'
import { check, each } from '../vocabulary/check.ts'
import type { Directories, Directory } from '../vocabulary/directory.ts'
import { asSegment } from '../vocabulary/encoding.ts'
import { listIn, mayBeTooLong } from '../vocabulary/found.ts'
import { pathNames, writings, writingText } from '../vocabulary/listed.ts'
import { isCount, type LivesReading, showsCount, whyNoCount } from '../vocabulary/lives.ts'
import { essential, quoted } from '../vocabulary/text.ts'
import { unheardOf } from '../vocabulary/watch.ts'
import { answersInJson } from './lists.ts'

const cats = ({ here }: Directories, read: Read) => pathNames(here.cats, read)

const MOST_IN_V2 = 30

/** What is not there is there for nobody: cats with names of every kind are enough. */
const someCats = async (directories: Directories, read: Read) =>
  sample(await cats(directories, read), MOST_IN_V2, 1, (name) => name)

/** Judges what is said of a cat's lives, as long as the cat is listed. */
async function ofListed(
  cat: string,
  { here }: Directories,
  read: Read,
  judge: (reading: LivesReading, subject: Subject<LivesReading>) => unknown,
) {
  const subject = here.lives(cat)
  const [list, reading] = await Promise.all([read(here.cats), read(subject)])
  if (listIn(list).has(cat)) await judge(reading, subject)
}

/** Where the first few cats' counts stand: where most of them do is where a count is kept. */
async function placesOf(
  directory: Directory,
  read: Read,
): Promise<{ place: string; subject: Subject<LivesReading> }[]> {
  const names = (await pathNames(directory.cats, read)).slice(0, 5)
  const readings = await Promise.all(
    names.map(async (name) => ({ subject: directory.lives(name), reading: await read(directory.lives(name)) })),
  )
  const counts = readings.flatMap(({ subject, reading }) =>
    reading.kind === 'count' ? [{ subject, place: reading.place }] : [],
  )
  const share = (place: string) => counts.filter((one) => one.place === place).length
  return counts.sort((a, b) => share(b.place) - share(a.place))
}

const common = { operation: 'getLivesLeft', versions: 'v3', level: 'must' } as const

/** A redirect that leads out of v2, to v3 as it were, says that v2 has no lives. */
const isInV2 = ({ url, redirectedFrom: [first = url] }: Exchange): boolean =>
  url.startsWith(first.slice(0, first.indexOf('/v2/cat/') + '/v2/'.length))

const livesInV2 = (
  cat: string,
  places: readonly string[],
): Subject<{ shows: boolean; status: number | undefined }> => ({
  key: `lives of ${cat} in v2`,
  async take(ask) {
    const exchange = await ask({ method: 'GET', target: `/v2/cat/${asSegment(cat)}/lives_left`, follow: true })
    return { shows: isInV2(exchange) && showsCount(exchange, places), status: exchange.outcome.status }
  },
})

/** S-LIVES. "`GET /v3/cat/<name>/lives_left`: how many lives the cat of that name still has left." */
export const lives = [
  check({
    ...common,
    id: 'lives/is-served',
    title: 'every listed cat can be asked for its lives',
    statements: ['S-LIVES', 'S-CAT-NAME', 'S-GET'],
    requires: ['cats/have-names'],
    why: 'The name that the list shows is what identifies the cat in the path.',
    how: 'GET lives_left of every listed cat by its exact name, percent-encoded.',
    fix: 'Look the segment up after percent-decoding it once, as UTF-8.',
    tries: each(cats, (cat, directories, read) =>
      ofListed(cat, directories, read, (reading, subject) => {
        if (mayBeTooLong(reading, cat)) return
        if (reading.kind === 'refused' || reading.kind === 'failed')
          broken({
            expected: `the lives of ${quoted(cat)}, a listed cat, are answered with 2xx`,
            actual: whyNoCount(reading),
            shownBy: [directories.here.cats, subject],
          })
      }),
    ),
  }),
  check({
    ...common,
    id: 'lives/is-json',
    title: 'lives are one JSON text',
    statements: ['S-JSON'],
    requires: ['lives/is-served'],
    why: 'A client that cannot parse the answer has no answer.',
    how: 'The body is decoded as UTF-8, strictly, and parsed as one JSON text, whatever its media type.',
    fix: 'Serialise with a JSON library, in UTF-8.',
    tries: each(cats, (cat, directories, read) =>
      ofListed(cat, directories, read, async (reading, subject) => {
        if (reading.kind !== 'not-json') return
        if (!/[/+]json\b/i.test(reading.mediaType) && !(await answersInJson(directories, read)))
          throw new Inconclusive('unreadable', 'nothing here answers in JSON')
        broken({
          expected: `the lives of ${quoted(cat)} are one well-formed JSON text in UTF-8`,
          actual: whyNoCount(reading),
          shownBy: [subject],
        })
      }),
    ),
  }),
  check({
    ...common,
    id: 'lives/is-a-count',
    title: 'lives are a whole number, at least 0',
    statements: ['S-LIVES', 'S-CAT-LIVES'],
    requires: ['lives/is-json'],
    why: 'Lives left are counted: a fraction, a negative number, a word or null counts nothing.',
    how: 'The count is the bare number, or the value at lives_left, else at the only key that contains lives, else the only number.',
    fix: 'Answer with a JSON number, whole and not negative. How many lives a cat may have is nowhere said: 10 break nothing.',
    tries: each(cats, (cat, directories, read) =>
      ofListed(cat, directories, read, (reading, subject) => {
        if (reading.kind === 'ambiguous')
          throw new Inconclusive('unreadable', `which number is the count cannot be told: ${whyNoCount(reading)}`)
        if (reading.kind === 'count' && isCount(reading.value)) return
        if (reading.kind === 'count' || reading.kind === 'no-count' || reading.kind === 'nothing') {
          broken({
            expected: `the lives of ${quoted(cat)} are a JSON number, whole and at least 0`,
            actual: whyNoCount(reading),
            shownBy: [directories.here.cats, subject],
          })
        }
      }),
    ),
  }),
  check({
    ...common,
    id: 'lives/same-place',
    title: 'the count stands at the same place for every cat',
    statements: ['S-LIVES', 'S-CAT-LIVES'],
    requires: ['lives/is-a-count'],
    why: 'A client reads the count from one place; a cat for which it is elsewhere has no lives for that client.',
    how: 'The JSON Pointer of the count is compared over all listed cats.',
    fix: 'Answer in one shape for all cats.',
    tries: each(cats, (cat, directories, read) =>
      ofListed(cat, directories, read, async (reading, subject) => {
        const [usual] = await placesOf(directories.here, read)
        if (reading.kind !== 'count' || !usual || reading.place === usual.place) return
        const shown = (place: string) => (place === '' ? 'a bare number' : `at ${place}`)
        broken({
          expected: `the count stands where it does for other cats: ${shown(usual.place)}`,
          actual: `for ${quoted(cat)}: ${shown(reading.place)}`,
          shownBy: [usual.subject, subject],
        })
      }),
    ),
  }),
  check({
    ...common,
    id: 'lives/equivalent-encodings',
    title: 'a cat’s name is the same name however it is percent-encoded',
    statements: ['S-HTTP', 'S-LIVES'],
    requires: ['lives/is-a-count'],
    why: 'Clients encode differently; percent-encoded octets are data, and an equivalent encoding of a string is the same string.',
    how: 'GET the lives of listed cats with every octet encoded, with lower-case hex and minimally encoded (a plus sign in a segment is a plus sign).',
    fix: 'Decode every percent-encoded octet of the segment once, in either case of hex, and nothing else: no plus sign becomes a blank.',
    tries: each(
      async (directories, read) => writings(await cats(directories, read), asSegment),
      ({ name, encoding }, directories, read) =>
        ofListed(name, directories, read, async (plain, subject) => {
          const written = directories.here.lives(name, encoding)
          const reading = await read(written)
          if (mayBeTooLong(reading, name)) return
          if (plain.kind !== 'count' || (reading.kind === 'count' && reading.value === plain.value)) return
          if (reading.kind === 'ambiguous') return
          broken({
            expected: `the lives of ${quoted(name)} (${encoding} encoded) are those of the same name plainly encoded: ${whyNoCount(plain)}`,
            actual: whyNoCount(reading),
            shownBy: [subject, written],
          })
        }),
      { textOf: writingText },
    ),
  }),
  check({
    id: 'lives/only-in-v3',
    title: 'v2 has no lives_left',
    operation: 'getLivesLeft',
    versions: 'v2',
    level: 'must',
    statements: ['S-V3-ONLY', 'S-CAT-LIVES'],
    requires: ['cats/have-names'],
    why: 'lives_left exists only in v3: a client that finds it under v2 comes to rely on what is not there.',
    how: 'GET /v2/cat/<name>/lives_left of up to 30 listed cats, with names of every kind, redirects followed within v2: anything but a 2xx from which a count can be read.',
    fix: 'Do not mount lives_left under v2; 404, 405, 410 and 501 are all fine.',
    tries: each(someCats, async (cat, { here, v3 }, read) => {
      const places = (await placesOf(v3, read).catch(() => [])).map(({ place }) => place)
      const subject = livesInV2(cat, places)
      const [list, said] = await Promise.all([read(here.cats), read(subject)])
      if (listIn(list).has(cat) && said.shows)
        broken({
          expected: `no count of lives for ${quoted(cat)} under v2`,
          actual: `status ${said.status}, and a count`,
          shownBy: [subject],
        })
    }),
  }),
  check({
    ...common,
    id: 'lives/unknown-cats',
    title: 'a cat that is not listed has no lives to count',
    level: 'should',
    statements: ['S-LIVES', 'S-CAT-NAME'],
    requires: ['lives/is-a-count'],
    why: 'Nothing is shown about unknown cats; but a count for a cat that is not there misleads whoever mistypes a name.',
    how: 'GET the lives of names that no listed cat has, case, accents, blanks and punctuation set aside.',
    fix: 'Answer 404, or another 4xx, for a name that no cat has.',
    tries: each(
      () => [unheardOf(0, 'v3'), 'no such cat'],
      async (name, { here }, read) => {
        const [list, reading] = await Promise.all([read(here.cats), read(here.lives(name))])
        if (reading.kind !== 'count' || listIn(list).names.some((cat) => essential(cat) === essential(name))) return
        broken({
          expected: `no count for ${quoted(name)}, which no listed cat is called`,
          actual: whyNoCount(reading),
          shownBy: [here.lives(name)],
        })
      },
    ),
  }),
]

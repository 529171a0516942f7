import type { OneVersion } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import {
  isCount,
  type LivesReading,
  placeByName,
  placesInCommon,
  whyNoCount,
} from '../../../directory/lives/lives-reading.ts'
import { requireList } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read, Subject } from '../../../engine/check/readers.ts'
import { broken } from '../../../engine/check/violations.ts'
import { Inconclusive } from '../../../engine/inconclusive.ts'
import { saysJson } from '../list-assertions.ts'

/** Judges the lives of a cat as long as the cat is listed. */
export async function ofListed(
  cat: string,
  { directory }: OneVersion,
  read: Read,
  judge: (reading: LivesReading, subject: Subject<LivesReading>) => unknown,
): Promise<void> {
  const subject = directory.lives(cat)
  const [list, reading] = await Promise.all([read(directory.cats), read(subject)])
  if (requireList(list).has(cat)) await judge(reading, subject)
}

/** Fails if the count of a listed cat is not a whole number of at least 0 (R9.1). */
export const livesAreACount = (cat: string, target: OneVersion, read: Read): Promise<void> =>
  ofListed(cat, target, read, (reading, subject) => {
    if (reading.kind === 'ambiguous')
      throw new Inconclusive(
        'unreadable',
        `cannot tell which number is the count: ${whyNoCount(reading)}. Pin its place with O-LIVES-SHAPE in a profile`,
      )
    if (reading.kind === 'count' && isCount(reading)) return
    if (reading.kind !== 'count' && reading.kind !== 'no-count' && reading.kind !== 'nothing') return
    broken({
      expected: 'a JSON number, whole and at least 0',
      actual: `the lives of ${quoted(cat)} are ${whyNoCount(reading)}`,
      manner: whyNoCount(reading),
      shownBy: [target.directory.cats, subject],
      about: [cat],
      ...(reading.kind === 'count' && { isWrongByItself: true }),
    })
  })

/**
 * Fails if the response for an unlisted cat has a JSON media type and is not JSON (R2.2).
 * @param isToo returns whether other responses must be JSON
 */
export async function unknownInJson(
  name: string,
  { directory }: OneVersion,
  isToo: (answer: { readonly isEmpty: boolean }) => boolean,
  read: Read,
): Promise<void> {
  const subject = directory.lives(name)
  const reading = await read(subject)
  if (reading.kind !== 'not-json' || !(saysJson(reading.mediaType) || isToo(reading))) return
  broken({
    expected: 'a 4xx, or one JSON text',
    actual: `the request for the lives of ${quoted(name)} returned a 2xx with ${whyNoCount(reading)}`,
    manner: `a 2xx with ${whyNoCount(reading)}`,
    shownBy: [subject],
    about: [name],
    isWrongByItself: true,
  })
}

/** The places of the counts of some cats, the most frequent first. */
export async function placesOf(
  directory: Directory,
  most: number,
  read: Read,
): Promise<{ place: string; subject: Subject<LivesReading> }[]> {
  const names = (await pathNames(directory.cats, read)).slice(0, most)
  const readings = await Promise.all(
    names.map(async (name) => ({ name, subject: directory.lives(name), reading: await read(directory.lives(name)) })),
  )
  const counts = readings.flatMap(({ name, subject, reading }) =>
    reading.kind === 'count' ? [{ subject, place: reading.place, cat: name }] : [],
  )
  const places = placesInCommon(counts)
  const share = (place: string) => places.filter((one) => one === place).length
  return counts
    .flatMap(({ subject }, nth) => places.slice(nth, nth + 1).map((place) => ({ subject, place })))
    .sort((a, b) => share(b.place) - share(a.place))
}

/** Fails if the count of a listed cat is not at the place of most counts (R9.3). */
export const livesStandAtTheUsualPlace = (cat: string, target: OneVersion, read: Read): Promise<void> =>
  ofListed(cat, target, read, async (reading, subject) => {
    const [usual] = await placesOf(target.directory, target.effort.catsThatShowThePlace, read)
    if (reading.kind !== 'count' || !usual) return
    if ([reading.place, placeByName(reading.place, cat)].includes(usual.place)) return
    const shown = (place: string) => (place === '' ? 'a bare number' : `at ${place}`)
    broken({
      expected: `the count at the same place as for other cats: ${shown(usual.place)}`,
      actual: `the count of ${quoted(cat)} is ${shown(reading.place)}, that of other cats ${shown(usual.place)}`,
      shownBy: [usual.subject, subject],
      isWrongByItself: true,
    })
  })

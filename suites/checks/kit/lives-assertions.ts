import type { Exchange } from '../../engine/http/exchange.ts'
import type { Read, Subject } from '../../engine/judging/readers.ts'
import { broken } from '../../engine/judging/throwables.ts'
import type { OneVersion } from '../../vocabulary/deployment.ts'
import { asSegment } from '../../vocabulary/encodings.ts'
import { pathNames } from '../../vocabulary/inputs/own-names.ts'
import type { Leniencies } from '../../vocabulary/leniencies.ts'
import type { Directory } from '../../vocabulary/reading/directory.ts'
import { type LivesReading, placesInCommon, showsCount, whyNoCount } from '../../vocabulary/reading/lives-reading.ts'
import { requireList } from '../../vocabulary/reading/names.ts'
import { targetOf } from '../../vocabulary/reading/targets.ts'
import { quoted } from '../../vocabulary/text.ts'
import { saysJson } from './list-assertions.ts'

/** Judges what is said of a cat's lives, as long as the cat is listed. */
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

/** Rulings 2 and 12. @param isToo says which answers are to be JSON that are not called so */
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
    expected: `the lives of ${quoted(name)} are a 4xx, or one JSON text`,
    actual: `a 2xx with ${whyNoCount(reading)}`,
    shownBy: [subject],
    about: [name],
    isWrongByItself: true,
  })
}

/** Where the counts of some cats stand, the place of most of them first: that is where a count is kept. */
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

/** Whether a version that has no lives shows a count of them, at one of the places where a count is kept or under a key that says so. */
export const livesWhereNoneAre = (
  cat: string,
  { version }: Directory,
  places: readonly string[],
  { redirectedOutOf }: Leniencies,
): Subject<{ readonly shows: boolean; readonly status: number | undefined }> => ({
  key: `lives of ${cat} in ${version}`,
  async take(ask) {
    const target = targetOf('getLivesLeft', version, asSegment(cat))
    const exchange: Exchange = await ask({ method: 'GET', target, follow: true })
    const isHere = !redirectedOutOf(`/${version}/`, target, exchange)
    return { shows: isHere && showsCount(exchange, places), status: exchange.outcome.status }
  },
})

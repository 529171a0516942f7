import type { Exchange } from '../../engine/http/exchange.ts'
import type { Read, Subject } from '../../engine/judging/readers.ts'
import { broken } from '../../engine/judging/throwables.ts'
import type { OneVersion } from '../../vocabulary/deployment.ts'
import { asSegment } from '../../vocabulary/encodings.ts'
import { pathNames } from '../../vocabulary/inputs/own-names.ts'
import type { Leniencies } from '../../vocabulary/leniencies.ts'
import type { Directory } from '../../vocabulary/reading/directory.ts'
import { type LivesReading, placesInCommon, showsCount } from '../../vocabulary/reading/lives-reading.ts'
import { requireList } from '../../vocabulary/reading/names.ts'
import { targetOf } from '../../vocabulary/reading/targets.ts'
import { quoted } from '../../vocabulary/text.ts'

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

/** So many cats must be named in their own answers. */
const FEWEST_NAMED = 2

/** Where answers name the cat that was asked for, as most of the first ones do. */
async function placesOfNames(directory: Directory, most: number, read: Read): Promise<ReadonlySet<string>> {
  const names = (await pathNames(directory.cats, read)).slice(0, most)
  const readings = await Promise.all(names.map((name) => read(directory.lives(name))))
  const named = readings.flatMap((reading, nth) =>
    reading.kind === 'count' ? reading.beside.filter(({ text }) => text === names[nth]) : [],
  )
  const isUsual = (place: string) => {
    const count = named.filter((one) => one.place === place).length
    return count >= FEWEST_NAMED && count * 2 > names.length
  }
  return new Set(named.map(({ place }) => place).filter(isUsual))
}

/** S-LIVES. "how many lives the cat of that name still has left": where answers name a cat, it is not another one. */
export async function isOfThatCat(cat: string, target: OneVersion, read: Read): Promise<void> {
  const { directory, effort } = target
  const subject = directory.lives(cat)
  const [list, reading] = await Promise.all([read(directory.cats).then(requireList), read(subject)])
  if (reading.kind !== 'count' || !list.has(cat)) return
  const others = reading.beside.filter(({ text }) => text !== cat && list.has(text))
  if (others.length === 0) return
  const places = await placesOfNames(directory, effort.catsThatShowThePlace, read)
  const other = others.find(({ place }) => places.has(place))
  if (!other) return
  broken({
    expected: `the lives of ${quoted(cat)}, a listed cat, are said to be hers, as those of others are said to be theirs`,
    actual: `they are said to be those of ${quoted(other.text)}, another listed cat`,
    shownBy: [directory.cats, subject],
    about: [cat],
    isWrongByItself: true,
  })
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

import type { OneVersion } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { showsCount } from '../../../directory/lives/lives-reading.ts'
import type { Leniencies } from '../../../directory/matching/allowances.ts'
import { requireList } from '../../../directory/readings/names.ts'
import { asSegment } from '../../../directory/shared/encodings.ts'
import { targetOf } from '../../../directory/shared/targets.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read, Subject } from '../../../engine/check/readers.ts'
import { broken } from '../../../engine/check/violations.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import type { Try } from '../check.ts'
import { catsWithoutLives } from './cats-to-try.ts'
import { placesOf } from './lives-assertions.ts'

/**
 * A cache that confuses the versions returns the response of one for the other, when both are requested concurrently or
 * in succession.
 */
export const asksBothVersionsAtOnce: Try = async ({ target, read }) => {
  const { withLives, directory } = target
  const [first, second] = (await catsWithoutLives(target, read)).inputs
  if (first !== undefined) {
    await read(withLives.lives(first))
    await read(directory.lives(first))
  }
  if (second !== undefined) await Promise.all([read(withLives.lives(second)), read(directory.lives(second))])
}

/** Returns whether a version without lives shows a count at a usual place or under a key for lives. */
const livesWhereNoneAre = (
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

/** Returns whether a status is a failure (R10.3): 501 says that there is no such operation, 503 may be a limit (R13.8). */
const isFailure = (status = 0): boolean => status >= 500 && status !== 501 && status !== 503

/** Fails if a version without lives_left gives a count for a listed cat (R10.1), or fails (R10.3). */
export async function hasNoLives(
  cat: string,
  { directory, withLives, effort, excuses }: OneVersion,
  read: Read,
): Promise<void> {
  const usual = await placesOf(withLives, effort.catsThatShowThePlace, read).catch(() => [])
  const places = usual.map(({ place }) => place)
  const subject = livesWhereNoneAre(cat, directory, places, excuses)
  const [list, said] = await Promise.all([read(directory.cats), read(subject)])
  if (!requireList(list).has(cat) || !(said.shows || isFailure(said.status))) return
  if (!said.shows)
    broken({
      expected: `no lives in ${directory.version}: a 4xx or 501`,
      actual: `${directory.version} returned status ${said.status} for the lives of ${quoted(cat)}`,
      manner: `status ${said.status}`,
      shownBy: [subject],
      isWrongByItself: true,
    })
  broken({
    expected: `no count of lives in ${directory.version}: a 4xx or 501`,
    actual: `${directory.version} returned status ${said.status} and a count for the lives of ${quoted(cat)}`,
    manner: `status ${said.status}, and a count`,
    shownBy: [subject],
    isWrongByItself: true,
  })
}

import type { VersionTarget } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import type { EncodedName } from '../../../directory/inputs/listed-names.ts'
import { hasLivesCount } from '../../../directory/lives/lives-reading.ts'
import type { Allowances } from '../../../directory/matching/allowances.ts'
import { requireList } from '../../../directory/readings/names.ts'
import { describeEncoding, type Encoding, encodeSegment } from '../../../directory/shared/encodings.ts'
import { requestTargetOf } from '../../../directory/shared/targets.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read, Resource } from '../../../engine/check/readers.ts'
import { reportViolation } from '../../../engine/check/violations.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import type { CheckProbe } from '../check.ts'
import { findUsualCountPlace } from './lives-assertions.ts'
import { selectCatsForVersionWithoutLives } from './tested-cats.ts'

/**
 * Requests the lives of one cat in one version after the other, and those of another cat in both at the same time. A
 * cache that confuses the versions then returns the response of one for the other.
 */
export const requestLivesInBothVersions: CheckProbe = async ({ target, read }) => {
  const { livesDirectory, directory } = target
  const [first, second] = (await selectCatsForVersionWithoutLives(target, read)).inputs
  if (first !== undefined) {
    await read(livesDirectory.lives(first))
    await read(directory.lives(first))
  }
  if (second !== undefined) await Promise.all([read(livesDirectory.lives(second)), read(directory.lives(second))])
}

/**
 * Creates the request for a cat's lives in a version without lives_left. `hasCount` says whether its response contains
 * a count, at the place (JSON Pointer) where the other version has counts or under a key for lives.
 */
const createMissingLivesResource = (
  cat: string,
  { version }: Directory,
  encoding: Encoding,
  usualPlace: string | undefined,
  { redirectedOutOf }: Allowances,
): Resource<{ readonly hasCount: boolean; readonly status: number | undefined }> => ({
  key: `lives of ${cat} in ${version}, ${encoding}`,
  async readWith(send) {
    const target = requestTargetOf('getLivesLeft', version, encodeSegment(cat, encoding))
    const exchange: Exchange = await send({ method: 'GET', target, follow: true })
    const isOfThisVersion = !redirectedOutOf(`/${version}/`, target, exchange)
    return { hasCount: isOfThisVersion && hasLivesCount(exchange, cat, usualPlace), status: exchange.outcome.status }
  },
})

/**
 * Returns whether a status is a 5xx that is a failure (R10.3). 501 is none: the operation does not exist. 503 is none
 * either: it may be a rate limit (R13.8).
 */
const isServerFailure = (status = 0): boolean => status >= 500 && status !== 501 && status !== 503

/** Fails if a version without lives_left returns a count for a listed cat (R10.1), or a server error (R10.3). */
export async function assertNoLives(
  { name: cat, encoding }: EncodedName,
  { directory, livesDirectory, effort, allowances }: VersionTarget,
  read: Read,
): Promise<void> {
  const usual = await findUsualCountPlace(livesDirectory, effort.catsForUsualPlace, read).catch(() => undefined)
  const resource = createMissingLivesResource(cat, directory, encoding, usual?.place, allowances)
  const [list, reading] = await Promise.all([read(directory.cats), read(resource)])
  if (!requireList(list).has(cat) || !(reading.hasCount || isServerFailure(reading.status))) return
  const lives = `the lives of ${quoted(cat)}${encoding === 'plain' ? '' : ` (${describeEncoding(encoding)})`}`
  if (!reading.hasCount)
    reportViolation({
      expected: `a 4xx or 501, because ${directory.version} has no lives_left`,
      actual: `${directory.version} returned status ${reading.status} for ${lives}`,
      defectKind: `status ${reading.status}`,
      shownBy: [resource],
      isWrongByItself: true,
    })
  reportViolation({
    expected: `no count of lives in ${directory.version}: a 4xx or 501`,
    actual: `${directory.version} returned status ${reading.status} and a count for ${lives}`,
    defectKind: `status ${reading.status}, and a count`,
    shownBy: [resource],
    isWrongByItself: true,
  })
}

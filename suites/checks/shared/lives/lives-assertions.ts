import type { VersionTarget } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { areKeyedByCat, findUsualPlace, isCountAtPlace } from '../../../directory/lives/count-places.ts'
import {
  areEqualLivesReadings,
  describeMissingCount,
  isValidCount,
  type LivesReading,
} from '../../../directory/lives/lives-reading.ts'
import { formatWithSpaces, toJsonPointer } from '../../../directory/readings/json.ts'
import { isJsonMediaType } from '../../../directory/readings/media-type.ts'
import { requireList } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read, Resource } from '../../../engine/check/readers.ts'
import { reportViolation } from '../../../engine/check/violations.ts'
import { type Advice, Inconclusive } from '../../../engine/inconclusive.ts'

/** Reads the lives of a cat, and passes the reading to `judge`, unless the cat is no longer listed. */
export async function judgeLivesIfListed(
  cat: string,
  { directory }: VersionTarget,
  read: Read,
  judge: (reading: LivesReading, resource: Resource<LivesReading>) => unknown,
): Promise<void> {
  const resource = directory.lives(cat)
  const [list, reading] = await Promise.all([read(directory.cats), read(resource)])
  if (requireList(list).has(cat)) await judge(reading, resource)
}

/** The place in the advised entry of a profile if no place is known. The user must replace it. */
const UNKNOWN_PLACE = ['PLACE']

/** Returns advice on what to pin if the count of lives is unknown: the entries of a profile, as JSON. */
function advisePinOfLives({ places }: LivesReading & { readonly kind: 'ambiguous' }): Advice {
  const entries = (places.length === 0 ? [UNKNOWN_PLACE] : places).map((place) =>
    formatWithSpaces({ point: 'O-LIVES-SHAPE', lives: toJsonPointer(place) }),
  )
  const note = places.length === 0 ? '. Replace /PLACE by the JSON Pointer of the count' : ''
  const text = `Call the member that holds the count "lives_left", or pin the place of the count in a profile: ${entries.join(' or ')}${note}`
  return { text, pins: places.length === 0 ? [] : entries }
}

/** Fails if the count of a listed cat is not a whole number of at least 0 (R9.1). */
export const assertLivesAreCount = (cat: string, target: VersionTarget, read: Read): Promise<void> =>
  judgeLivesIfListed(cat, target, read, async (reading, resource) => {
    if (reading.kind === 'ambiguous')
      throw new Inconclusive(
        'unreadable',
        `it is unknown which number in the response is the count of lives: ${describeMissingCount(reading)}`,
        { resource, advice: advisePinOfLives(reading) },
      )
    if (reading.kind === 'count' && isValidCount(reading)) return
    if (reading.kind !== 'count' && reading.kind !== 'no-count' && reading.kind !== 'nothing') return
    const isValue = reading.kind !== 'nothing' && reading.place !== undefined
    const shown = describeMissingCount(reading)
    // If the response is the same as that for an unlisted cat, the cat may just have been removed.
    const unlisted = await read(target.directory.lives(target.directory.controlName()))
    const isOfUnlistedCat = reading.kind !== 'count' && areEqualLivesReadings(reading, unlisted)
    reportViolation({
      expected: 'a JSON number, whole and at least 0',
      actual: `the ${isValue ? '' : 'request for the '}lives of ${quoted(cat)} ${isValue ? 'are' : 'returned'} ${shown}`,
      defectKind: shown,
      shownBy: [target.directory.cats, resource],
      names: { atFault: [cat] },
      ...(!isOfUnlistedCat && { isWrongByItself: true }),
      ...(reading.kind === 'count' && reading.value < 0 && { fix: FIX_OF_NEGATIVE_COUNT }),
    })
  })

const FIX_OF_NEGATIVE_COUNT =
  'Correct the stored count, and do not let it fall below 0: where a life is subtracted, stop at 0. In SQL, add a constraint such as `CHECK (lives >= 0)`: then the code that would store a negative count gets an error, and you can find it.'

/**
 * Fails if the response for an unlisted cat is not JSON (R2.2). Does not judge a response without a JSON media type that
 * is empty or may come from another route, e.g. for the name `..`.
 */
export async function assertJsonForUnlistedCat(
  name: string,
  { directory, allowances }: VersionTarget,
  read: Read,
): Promise<void> {
  const resource = directory.lives(name)
  const reading = await read(resource)
  if (reading.kind !== 'not-json') return
  if (!isJsonMediaType(reading.mediaType) && (reading.isEmpty || allowances.anotherRoute(name))) return
  reportViolation({
    expected: 'a 4xx, or one JSON text',
    actual: `the request for the lives of ${quoted(name)} returned a 2xx with ${describeMissingCount(reading)}`,
    defectKind: `a 2xx with ${describeMissingCount(reading)}`,
    shownBy: [resource],
    names: { atFault: [name] },
    isWrongByItself: true,
  })
}

/** The place at which most responses have the count of lives. */
interface UsualCountPlace {
  /** A JSON Pointer. */
  readonly place: string
  /** A response with the count at this place, and the cat whose count it is. */
  readonly resource: Resource<LivesReading>
  readonly cat: string
  readonly placeByCat: ReadonlyMap<string, string>
}

/**
 * Requests the lives of the first `maxCats` cats. Returns the place of most counts, and one of these responses; undefined
 * if no response has a count.
 */
export async function findUsualCountPlace(
  directory: Directory,
  maxCats: number,
  read: Read,
): Promise<UsualCountPlace | undefined> {
  const names = (await readNamesForPaths(directory.cats, read)).slice(0, maxCats)
  const readings = await Promise.all(
    names.map(async (cat) => ({ cat, resource: directory.lives(cat), reading: await read(directory.lives(cat)) })),
  )
  const counts = readings.flatMap(({ cat, resource, reading }) =>
    reading.kind === 'count' ? [{ resource, place: reading.place, cat }] : [],
  )
  const place = findUsualPlace(counts)
  const usual = place !== undefined && counts.find((count) => isCountAtPlace(count, place))
  const placeByCat = new Map(counts.map((count) => [count.cat, count.place]))
  return usual ? { place, resource: usual.resource, cat: usual.cat, placeByCat } : undefined
}

/** The number of cats whose responses show whether a key on the way to the count is the name or id of the cat. */
const CATS_FOR_KEYS = 5

/** Fails if the count of a listed cat is at another place in the JSON than most counts (R9.3). */
export const assertUsualCountPlace = (cat: string, target: VersionTarget, read: Read): Promise<void> =>
  judgeLivesIfListed(cat, target, read, async (reading, resource) => {
    const usual = await findUsualCountPlace(target.directory, target.effort.catsForUsualPlace, read)
    if (reading.kind !== 'count' || !usual || isCountAtPlace({ place: reading.place, cat }, usual.place)) return
    const { placeByCat = [] } = (await findUsualCountPlace(target.directory, CATS_FOR_KEYS, read)) ?? {}
    if (areKeyedByCat(new Map([...placeByCat, [cat, reading.place]]))) return
    const describeCountPlace = (place: string) => (place === '' ? 'the whole body' : `at ${place}`)
    reportViolation({
      expected:
        'the count of lives at the same place for every cat (the name of the cat may be a key on the way to it)',
      actual: `the count of lives is ${describeCountPlace(reading.place)} for ${quoted(cat)}, but ${describeCountPlace(usual.place)} for ${quoted(usual.cat)}`,
      shownBy: [usual.resource, resource],
      isWrongByItself: true,
    })
  })

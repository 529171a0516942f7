import type { VersionTarget } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { type InputSample, readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { readRequiredList } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { reportViolation } from '../../../engine/check/violations.ts'
import { defineCheck, forEach } from '../check.ts'

/** The minimum number of responses with the requested name at the same place. In fewer, it may be there by chance. */
const MIN_RESPONSES_WITH_NAME = 2

/**
 * Requests the lives of the first `maxCats` cats. Returns the places (JSON Pointers) at which more than half of the
 * responses contain the name of the requested cat.
 */
async function findCatNamePlaces(directory: Directory, maxCats: number, read: Read): Promise<ReadonlySet<string>> {
  const names = (await readNamesForPaths(directory.cats, read)).slice(0, maxCats)
  const readings = await Promise.all(names.map((name) => read(directory.lives(name))))
  const named = readings.flatMap((reading, nth) =>
    reading.kind === 'count' ? reading.nearbyStrings.filter(({ text }) => text === names[nth]) : [],
  )
  const isUsual = (place: string) => {
    const count = named.filter((one) => one.place === place).length
    return count >= MIN_RESPONSES_WITH_NAME && count * 2 > names.length
  }
  return new Set(named.map(({ place }) => place).filter(isUsual))
}

/**
 * Fails if a response contains the name of another cat where most responses contain the name of the requested cat
 * (S-LIVES).
 */
async function assertLivesOfThatCat(cat: string, target: VersionTarget, read: Read): Promise<void> {
  const { directory, effort } = target
  const resource = directory.lives(cat)
  const [list, reading] = await Promise.all([readRequiredList(directory.cats, read), read(resource)])
  if (reading.kind !== 'count' || !list.has(cat)) return
  const others = reading.nearbyStrings.filter(({ text }) => text !== cat && list.has(text))
  if (others.length === 0) return
  const places = await findCatNamePlaces(directory, effort.catsForUsualPlace, read)
  // Passes if the requested name is at a usual place of names too: the other name may be that of the cat's breed.
  if (reading.nearbyStrings.some(({ place, text }) => text === cat && places.has(place))) return
  const other = others.find(({ place }) => places.has(place))
  if (!other) return
  reportViolation({
    expected: `a response that contains the name ${quoted(cat)}, as the responses for other cats contain their own names`,
    actual: `the response to the request for the lives of ${quoted(cat)} contains the name of another listed cat, ${quoted(other.text)}`,
    shownBy: [directory.cats, resource],
    names: { atFault: [cat] },
    isWrongByItself: true,
  })
}

/**
 * Creates the check which verifies that a response with lives does not contain the name of another cat.
 * @param selectCats selects the cats whose lives are requested
 */
export const createLivesOfRequestedCatCheck = (
  selectCats: (target: VersionTarget, read: Read) => Promise<InputSample<string>>,
) =>
  defineCheck({
    id: 'lives/are-of-that-cat',
    title: 'a count of lives belongs to the requested cat',
    operation: 'getLivesLeft',
    level: 'must',
    statements: ['S-LIVES', 'S-CAT-NAME'],
    clauses: ['R9.1'],
    requires: ['lives/is-a-count'],
    why: 'A client gets the lives of another cat without noticing.',
    how: '1. GET lives_left of each listed cat. 2. Find the place in the JSON where most responses have the name of the requested cat. 3. No response may have the name of another listed cat at this place.',
    fix: 'Look the cat up by its whole name, case-sensitively (SQL: `=` with a binary collation). A prefix match, or a comparison that ignores case, may find another cat first.',
    probes: [forEach(selectCats, assertLivesOfThatCat)],
  })

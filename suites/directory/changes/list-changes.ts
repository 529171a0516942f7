import type { Read, Resource } from '../../engine/check/readers.ts'
import type { ListReading } from '../readings/list-reading.ts'
import { areEqualLists } from '../readings/name-index.ts'
import { namesOfReading } from '../readings/names.ts'
import { quoted } from '../shared/text.ts'

/** The differences between two readings of a list. */
export interface ListChanges {
  /** The names that were added or removed, or whose breed changed. */
  readonly changedNames: readonly string[]
  readonly newNames: readonly string[]
  readonly description: string | undefined
  /** True if the names are those of breeds, not of cats. */
  readonly areOfBreeds?: boolean
}

export const NO_CHANGES: ListChanges = { changedNames: [], newNames: [], description: undefined }

/**
 * Compares two readings of a list. Finds no changes if a response is not a list, e.g. an error, or if its names are at
 * another place than before.
 */
export function compareListReadings(before: ListReading, after: ListReading): ListChanges {
  if (before === after || before.kind !== 'list' || after.kind !== 'list') return NO_CHANGES
  if (before.namesElsewhere ?? after.namesElsewhere) return NO_CHANGES
  const isSame =
    areEqualLists(before.names, after.names) && areEqualLists(before.breedOf.byIndex, after.breedOf.byIndex)
  if (isSame) return NO_CHANGES
  const removed = before.names.filter((name) => !after.has(name))
  const added = after.names.filter((name) => !before.has(name))
  const isOtherBreed = (name: string, place: number) =>
    after.breedOf.byIndex[place] !== undefined &&
    before.has(name) &&
    before.breedOf.get(name) !== after.breedOf.byIndex[place]
  const movedToOtherBreed = after.names.filter(isOtherBreed)
  const descriptions = [
    ...removed.slice(0, 1).map((name) => `${quoted(name)} was listed earlier and is no longer listed`),
    ...added.slice(0, 1).map((name) => `${quoted(name)} is listed now and was not listed earlier`),
    ...movedToOtherBreed
      .slice(0, 1)
      .map((name) => `${quoted(name)} is now shown with the breed ${quoted(after.breedOf.get(name) ?? '')}`),
  ]
  return { changedNames: [removed, added, movedToOtherBreed].flat(), newNames: added, description: descriptions[0] }
}

/**
 * First readings count as incomplete if they lack at least this number of cats, and this share of all cats. Fewer cats
 * may have moved to another breed between the readings.
 */
const MIN_CATS_LACKING_AT_FIRST = 5
const MIN_SHARE_LACKING_AT_FIRST = 0.25

/**
 * Ignores changes of the lists of breeds if their first readings lacked many cats, while the list of all cats stayed
 * the same: the first readings were wrong. A list is no evidence for its own change (T2.1).
 */
export async function ignoreIncompleteFirstReadings(
  [cats, , ...breedLists]: readonly Resource<ListReading>[],
  changes: readonly ListChanges[],
  readFirst: Read,
  readAgain: Read,
): Promise<readonly ListChanges[]> {
  const [inCats = NO_CHANGES, inBreeds = NO_CHANGES, ...inBreedLists] = changes
  if (cats === undefined || inCats.changedNames.length + inBreeds.changedNames.length > 0) return changes
  const lacking = new Set(inBreedLists.flatMap(({ newNames }) => newNames))
  for (const { changedNames, newNames } of inBreedLists) {
    const added = new Set(newNames)
    for (const name of changedNames) if (!added.has(name)) lacking.delete(name)
  }
  const share = lacking.size / namesOfReading(await readFirst(cats)).length
  if (lacking.size < MIN_CATS_LACKING_AT_FIRST || !(share >= MIN_SHARE_LACKING_AT_FIRST)) return changes
  const areStable = await Promise.all(
    breedLists.map(async (list) => compareListReadings(await readAgain(list), await readAgain(list)) === NO_CHANGES),
  )
  return areStable.every(Boolean) ? [inCats, inBreeds] : changes
}

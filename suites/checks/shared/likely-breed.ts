import type { VersionTarget } from '../../directory/deployment.ts'
import { requireListOrEmpty } from '../../directory/readings/names.ts'
import { foldText } from '../../directory/shared/text.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'

/** Searches for the display of a finding use an earlier reading if there is one. */
type DisplaySearchTarget = Pick<VersionTarget, 'directory' | 'readForDisplay'>

/** The maximum number of breeds to search for. The searches only decide which list a finding shows. */
const MAX_BREEDS_SEARCHED = 60

/** Returns whether a search finds a cat; false if the response cannot be read. */
async function canSearchFind(
  query: string,
  cat: string,
  { directory, readForDisplay }: DisplaySearchTarget,
): Promise<boolean> {
  const found = await readForDisplay(directory.search(query))
    .then(requireListOrEmpty)
    .catch(resolveInconclusiveTo(undefined))
  return found?.has(cat) ?? false
}

/**
 * Returns whether a search for the cat's name finds the cat. If so, the cat exists, and a list that lacks it is
 * incomplete.
 */
export const canBeFoundBySearch = (cat: string, target: DisplaySearchTarget): Promise<boolean> =>
  canSearchFind(cat, cat, target)

/**
 * Returns the likely breed of a cat: the only breed for which a search finds the cat. Leaves out breeds whose name is
 * part of the cat's name, because a search for this breed finds the cat by its own name.
 * @returns undefined if searches find the cat for no breed or for several, or if there are too many breeds
 */
export async function guessBreedOfCat(
  cat: string,
  breeds: readonly string[],
  target: DisplaySearchTarget,
): Promise<string | undefined> {
  if (breeds.length > MAX_BREEDS_SEARCHED) return undefined
  const others = breeds.filter((breed) => !foldText(cat).includes(foldText(breed)))
  const breedsFindingCat = await Promise.all(
    others.map(async (breed) => ((await canSearchFind(breed, cat, target)) ? [breed] : [])),
  )
  const [only, ...more] = breedsFindingCat.flat()
  return more.length === 0 ? only : undefined
}

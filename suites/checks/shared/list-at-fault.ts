import type { OneVersion } from '../../directory/deployment.ts'
import { foundBy } from '../../directory/readings/names.ts'
import { folded } from '../../directory/shared/text.ts'
import { unlessInconclusive } from '../../engine/inconclusive.ts'

type Glancing = Pick<OneVersion, 'directory' | 'glance'>

/** The limit of breeds searched for, because the search only selects the list to show. */
const MOST_BREEDS = 60

/** Returns whether a search finds a cat; false if the response cannot be read. */
async function finds(query: string, cat: string, { directory, glance }: Glancing): Promise<boolean> {
  const found = await glance(directory.search(query)).then(foundBy).catch(unlessInconclusive(undefined))
  return found?.has(cat) ?? false
}

/** Returns whether a search finds the cat under this name: then the other list is at fault. */
export const isKnownToSearch = (cat: string, target: Glancing): Promise<boolean> => finds(cat, cat, target)

/** The likely breed of a cat: the only one whose search finds it, although its name does not contain the breed's. */
export async function likelyBreedOf(
  cat: string,
  breeds: readonly string[],
  target: Glancing,
): Promise<string | undefined> {
  if (breeds.length > MOST_BREEDS) return undefined
  const others = breeds.filter((breed) => !folded(cat).includes(folded(breed)))
  const finding = await Promise.all(others.map(async (breed) => ((await finds(breed, cat, target)) ? [breed] : [])))
  const [only, ...more] = finding.flat()
  return more.length === 0 ? only : undefined
}

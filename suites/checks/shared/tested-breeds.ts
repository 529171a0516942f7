import type { VersionTarget } from '../../directory/deployment.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import { type InputSample, readPathNames } from '../../directory/inputs/listed-names.ts'
import { nameListOf } from '../../directory/readings/names.ts'
import type { Read } from '../../engine/check/readers.ts'
import { unlessInconclusive } from '../../engine/inconclusive.ts'

/** Sample limit: further breeds are unlikely to behave differently. */
const MAX_ALWAYS_TESTED = 20

const breedsWithoutListByDirectory = new WeakMap<Directory, Promise<readonly string[]>>()

async function findBreedsWithoutList(
  breeds: readonly string[],
  { catsOf }: Directory,
  read: Read,
): Promise<readonly string[]> {
  const isNone = async (breed: string) => nameListOf(await read(catsOf(breed))) === undefined
  // A list whose pages cannot be followed is not a violation.
  const areNone = await Promise.all(breeds.map((breed) => isNone(breed).catch(unlessInconclusive(false))))
  return breeds.filter((_, nth) => areNone[nth]).slice(0, MAX_ALWAYS_TESTED)
}

/**
 * The listed breeds. In a sample, breeds without a list are always included, because membership needs the lists of all.
 */
export async function selectTestedBreeds(
  { directory, effort }: VersionTarget,
  read: Read,
): Promise<InputSample<string>> {
  const inputs = await readPathNames(directory.breeds, read)
  if (inputs.length <= effort.inputs) return { inputs, population: inputs.length }
  const looked = breedsWithoutListByDirectory.get(directory) ?? findBreedsWithoutList(inputs, directory, read)
  breedsWithoutListByDirectory.set(directory, looked)
  return { inputs, population: inputs.length, alwaysTested: await looked }
}

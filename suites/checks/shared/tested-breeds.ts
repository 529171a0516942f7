import type { VersionTarget } from '../../directory/deployment.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import { type InputSample, readPathNames } from '../../directory/inputs/listed-names.ts'
import { nameListOf } from '../../directory/readings/names.ts'
import type { Read } from '../../engine/check/readers.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'

/**
 * The maximum number of breeds without a list that a sample always includes. Further ones are unlikely to behave
 * differently.
 */
const MAX_ALWAYS_TESTED = 20

const breedsWithoutListByDirectory = new WeakMap<Directory, Promise<readonly string[]>>()

async function findBreedsWithoutList(
  breeds: readonly string[],
  { catsOf }: Directory,
  read: Read,
): Promise<readonly string[]> {
  const isNone = async (breed: string) => nameListOf(await read(catsOf(breed))) === undefined
  // A list whose pages cannot be followed is not a violation.
  const areNone = await Promise.all(breeds.map((breed) => isNone(breed).catch(resolveInconclusiveTo(false))))
  return breeds.filter((_, nth) => areNone[nth]).slice(0, MAX_ALWAYS_TESTED)
}

/**
 * Selects the listed breeds to test. A sample always includes breeds without a list, because membership needs the lists
 * of all breeds.
 */
export async function selectTestedBreeds(
  { directory, effort }: VersionTarget,
  read: Read,
): Promise<InputSample<string>> {
  const inputs = await readPathNames(directory.breeds, read)
  if (inputs.length <= effort.inputs) return { inputs, population: inputs.length }
  const breedsWithoutList =
    breedsWithoutListByDirectory.get(directory) ?? findBreedsWithoutList(inputs, directory, read)
  breedsWithoutListByDirectory.set(directory, breedsWithoutList)
  return { inputs, population: inputs.length, alwaysTested: await breedsWithoutList }
}

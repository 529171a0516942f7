import type { VersionTarget } from '../../directory/deployment.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import { type InputSample, readNamesForPaths } from '../../directory/inputs/listed-names.ts'
import { nameListOf } from '../../directory/readings/names.ts'
import type { Read } from '../../engine/check/readers.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import { computeOncePerObject } from '../../engine/memoise.ts'

/** The maximum number of breeds without a list that are added to a sample. More are unlikely to behave differently. */
const MAX_ALWAYS_TESTED = 20

/** Finds the first breeds for which the response is no list. */
const findBreedsWithoutList = computeOncePerObject(
  async ({ catsOf }: Directory, breeds: readonly string[], read: Read) => {
    const hasNoList = async (breed: string) => nameListOf(await read(catsOf(breed))) === undefined
    // If pages cannot be followed, the breed nevertheless has a list.
    const haveNoList = await Promise.all(breeds.map((breed) => hasNoList(breed).catch(resolveInconclusiveTo(false))))
    return breeds.filter((_, nth) => haveNoList[nth]).slice(0, MAX_ALWAYS_TESTED)
  },
)

/**
 * Selects the listed breeds to test. Breeds without a list are always in the sample, because the checks of membership
 * need the lists of all breeds.
 */
export async function selectBreedsToTest(
  { directory, effort }: VersionTarget,
  read: Read,
): Promise<InputSample<string>> {
  const all = await readNamesForPaths(directory.breeds, read)
  const inputs = directory.sampleBreeds(all)
  if (inputs.length <= effort.inputs) return { inputs, population: all.length }
  return { inputs, population: all.length, alwaysTested: await findBreedsWithoutList(directory, inputs, read) }
}

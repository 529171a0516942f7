import type { OneVersion } from '../../directory/deployment.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import { type Drawn, pathNames } from '../../directory/inputs/own-names.ts'
import { listOf } from '../../directory/readings/names.ts'
import type { Read } from '../../engine/check/readers.ts'
import { unlessInconclusive } from '../../engine/inconclusive.ts'

/** Sample limit: further breeds are unlikely to behave differently. */
const MOST_ALWAYS = 20

const withoutLists = new WeakMap<Directory, Promise<readonly string[]>>()

async function lookFor(breeds: readonly string[], { catsOf }: Directory, read: Read): Promise<readonly string[]> {
  const isNone = async (breed: string) => listOf(await read(catsOf(breed))) === undefined
  // A list whose pages cannot be followed is not a violation.
  const areNone = await Promise.all(breeds.map((breed) => isNone(breed).catch(unlessInconclusive(false))))
  return breeds.filter((_, nth) => areNone[nth]).slice(0, MOST_ALWAYS)
}

/**
 * The listed breeds. In a sample, breeds without a list are always included, because membership needs the lists of all.
 */
export async function breedsToTry({ directory, effort }: OneVersion, read: Read): Promise<Drawn<string>> {
  const inputs = await pathNames(directory.breeds, read)
  if (inputs.length <= effort.inputs) return { inputs, from: inputs.length }
  const looked = withoutLists.get(directory) ?? lookFor(inputs, directory, read)
  withoutLists.set(directory, looked)
  return { inputs, from: inputs.length, always: await looked }
}

import type { VersionTarget } from '../../../directory/deployment.ts'
import { createInputSelector } from '../../../directory/inputs/input-selector.ts'
import {
  drawEncodedNames,
  type EncodedName,
  type InputSample,
  pairNamesWithEncodings,
  readNamesForPaths,
} from '../../../directory/inputs/listed-names.ts'
import { indexNames } from '../../../directory/readings/name-index.ts'
import { encodeSegment } from '../../../directory/shared/encodings.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { drawSample } from '../../../engine/property/sample.ts'

/** Selects the cats whose lives are requested: all of them, or with `--effort quick` a few. */
export async function selectCatsToTest(target: VersionTarget, read: Read): Promise<InputSample<string>> {
  const { directory } = target
  const names = await readNamesForPaths(directory.cats, read)
  const { drawCatsForLives } = await createInputSelector(target, directory, read)
  return { inputs: drawCatsForLives(names), population: names.length }
}

/** Selects the cats for the check which verifies that a version without lives_left has no counts. */
export async function selectCatsForVersionWithoutLives(
  target: VersionTarget,
  read: Read,
): Promise<InputSample<string>> {
  const { inputs, population } = await selectCatsToTest(target, read)
  return { inputs: drawSample(inputs, target.effort.catsForVersionWithoutLives, target.seed, String), population }
}

/**
 * All percent-encodings of all names are tested if there are few names and few pairs of a name and an encoding: at most
 * this number of each, multiplied by the effort's `namesPerEncoding`. Otherwise, a sample is tested.
 */
const MAX_FULLY_TESTED = 4

/** Selects names of cats in different percent-encodings: all of them if there are few, else a sample. */
export async function selectEncodedCats(target: VersionTarget, read: Read): Promise<InputSample<EncodedName>> {
  const { directory, effort } = target
  const listed = await readNamesForPaths(directory.cats, read)
  const { drawNames } = await createInputSelector(target, directory, read)
  const names = effort.strings === 'all' ? listed : drawNames('cats', listed)
  const maxFullyTested = MAX_FULLY_TESTED * effort.namesPerEncoding
  const all = names.length <= maxFullyTested ? pairNamesWithEncodings(names, encodeSegment) : []
  const areFew = names.length <= maxFullyTested && all.length <= maxFullyTested
  const drawn = areFew ? { inputs: all, population: all.length } : drawEncodedNames(names, encodeSegment, target)
  // Sorts the requests by name, so that replicas that take turns receive different encodings of the same name.
  const indexes = indexNames(names)
  const indexOf = ({ name }: EncodedName) => indexes.get(name) ?? 0
  return { ...drawn, inputs: drawn.inputs.toSorted((a, b) => indexOf(a) - indexOf(b)) }
}

/**
 * Selects one of the cats of `selectCatsForVersionWithoutLives`, with its name in another percent-encoding: a gateway
 * may refuse only the usual one. Quick effort selects none.
 */
export async function selectEncodedCatForVersionWithoutLives(
  target: VersionTarget,
  read: Read,
): Promise<readonly EncodedName[]> {
  if (target.effort.strings === 'few') return []
  const { inputs } = await selectCatsForVersionWithoutLives(target, read)
  return inputs.slice(0, 1).map((name) => ({ name, encoding: 'every octet' }))
}

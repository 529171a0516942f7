import type { VersionTarget } from '../../../directory/deployment.ts'
import { createInputBudget } from '../../../directory/inputs/input-budget.ts'
import {
  drawEncodedNames,
  type EncodedName,
  type InputSample,
  pairNamesWithEncodings,
  readNamesForPaths,
} from '../../../directory/inputs/listed-names.ts'
import { encodeSegment } from '../../../directory/shared/encodings.ts'
import type { Read } from '../../../engine/check/readers.ts'

/**
 * All percent-encodings of all names are tested if there are few names and few encodings: at most this number of each,
 * multiplied by the effort's `namesPerEncoding`. Otherwise, a sample is tested.
 */
const MAX_FURTHER_NAMES = 4

/** Caches the sample of each list of names, because drawing from many names takes time. */
const sampleByList = new WeakMap<readonly string[], InputSample<EncodedName>>()

/** Sorts the requests by name: replicas that take turns then receive different encodings of the same name. */
function groupByName(encoded: readonly EncodedName[]): EncodedName[] {
  const names = new Map([...new Set(encoded.map(({ name }) => name))].map((name, at) => [name, at]))
  return encoded.toSorted((a, b) => (names.get(a.name) ?? 0) - (names.get(b.name) ?? 0))
}

function drawEncodedCats(names: readonly string[], target: VersionTarget): InputSample<EncodedName> {
  const maxFurther = MAX_FURTHER_NAMES * target.effort.namesPerEncoding
  const all = names.length <= maxFurther ? pairNamesWithEncodings(names, encodeSegment) : []
  const areFew = names.length <= maxFurther && all.length <= maxFurther
  const { inputs, population } = areFew
    ? { inputs: all, population: all.length }
    : drawEncodedNames(names, encodeSegment, target)
  return { inputs: groupByName(inputs), population }
}

/** Selects names of cats in different percent-encodings: all of them if there are few, else a sample. */
export async function selectEncodedCats(target: VersionTarget, read: Read): Promise<InputSample<EncodedName>> {
  const { directory, effort } = target
  const all = await readNamesForPaths(directory.cats, read)
  const names =
    effort.strings === 'all' ? all : (await createInputBudget(target, directory, read)).drawNames('cats', all)
  const known = sampleByList.get(names) ?? drawEncodedCats(names, target)
  sampleByList.set(names, known)
  return known
}

import type { Directory } from '../../directory/facts/directory.ts'
import { selectNamesForInputs } from '../../directory/inputs/listed-names.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { readDistinctNames } from '../../directory/readings/names.ts'
import { canBeInPath } from '../../directory/shared/encodings.ts'
import type { Resource } from '../../engine/check/readers.ts'
import { drawSample } from '../../engine/property/sample.ts'
import type { CheckProbe } from './check.ts'

const hasUpperCaseInPath = (name: string): boolean => name !== name.toLowerCase() && canBeInPath(name)

/**
 * Creates a probe that requests strings similar to listed names before these names, to find caches with incomplete keys
 * (in lower case, trimmed or cut). If the key is cut, the cache stores the failure for "Tomx", and returns it for "Tom"
 * too.
 * @param createResource creates the request for a name of the list
 */
export const createSimilarNamesProbe =
  (
    selectList: (directory: Directory) => Resource<ListReading>,
    createResource: (directory: Directory) => (name: string) => Resource<unknown>,
  ): CheckProbe =>
  async ({ target: { directory, seed, effort }, read }) => {
    if (effort.namesWithSimilarFirst === 0) return
    const names = selectNamesForInputs(await readDistinctNames(selectList(directory), read), seed).filter(
      hasUpperCaseInPath,
    )
    const drawn = drawSample(names, effort.namesWithSimilarFirst, seed, String)
    const longest = names.toSorted((a, b) => b.length - a.length).slice(0, 1)
    const similarNames = [
      ...drawn.slice(0, 1).map((name) => `${name} `),
      ...drawn.slice(1).map((name) => name.toLowerCase()),
      ...longest.map((name) => `${name}x`),
    ].filter((name) => !names.includes(name))
    await Promise.all(similarNames.map((name) => read(createResource(directory)(name))))
  }

import type { Directory } from '../../directory/facts/directory.ts'
import { selectNamesForInputs } from '../../directory/inputs/listed-names.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { readDistinctNames } from '../../directory/readings/names.ts'
import { canBeInPath } from '../../directory/shared/encodings.ts'
import type { Resource } from '../../engine/check/readers.ts'
import { drawSample } from '../../engine/property/sample.ts'
import type { CheckProbe } from './check.ts'

const hasUpperCase = (name: string): boolean => name !== name.toLowerCase() && canBeInPath(name)

/**
 * Requests strings similar to listed names before these names, to find caches with incomplete keys (in lower case,
 * trimmed or cut). Such a cache stores the failure for the similar string, and returns it for the listed name too.
 */
export const requestSimilarNamesFirst =
  (
    list: (directory: Directory) => Resource<ListReading>,
    resource: (directory: Directory) => (name: string) => Resource<unknown>,
  ): CheckProbe =>
  async ({ target: { directory, seed, effort }, read }) => {
    const most = effort.namesWithSimilarFirst
    if (most === 0) return
    const names = selectNamesForInputs(await readDistinctNames(list(directory), read), seed).filter(hasUpperCase)
    const drawn = drawSample(names, most, seed, String)
    const longest = names.toSorted((a, b) => b.length - a.length).slice(0, 1)
    const similarNames = [
      ...drawn.slice(0, 1).map((name) => `${name} `),
      ...drawn.slice(1).map((name) => name.toLowerCase()),
      ...longest.map((name) => `${name}x`),
    ].filter((name) => !names.includes(name))
    await Promise.all(similarNames.map((name) => read(resource(directory)(name))))
  }

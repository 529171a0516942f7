import type { VersionTarget } from '../../../directory/deployment.ts'
import { createInputBudget } from '../../../directory/inputs/input-budget.ts'
import { type InputSample, readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { drawSample } from '../../../engine/property/sample.ts'

/** Selects the cats whose lives are requested: all of them, or with `--effort quick` a few. */
export async function selectCatsToTest(target: VersionTarget, read: Read): Promise<InputSample<string>> {
  const { directory } = target
  const names = await readNamesForPaths(directory.cats, read)
  const { drawCatsForLives } = await createInputBudget(target, directory, read)
  return { inputs: drawCatsForLives(names), population: names.length }
}

/** Selects the cats for the check that a version without lives_left has no counts. */
export async function selectCatsForVersionWithoutLives(
  target: VersionTarget,
  read: Read,
): Promise<InputSample<string>> {
  const { inputs, population } = await selectCatsToTest(target, read)
  return { inputs: drawSample(inputs, target.effort.catsForVersionWithoutLives, target.seed, String), population }
}

import type { VersionTarget } from '../../../directory/deployment.ts'
import { createInputBudget } from '../../../directory/inputs/input-budget.ts'
import { type InputSample, readPathNames } from '../../../directory/inputs/listed-names.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { sample } from '../../../engine/property/sample.ts'

/** The cats whose lives are requested: all, or as many as quick effort allows. */
export async function selectTestedCats(target: VersionTarget, read: Read): Promise<InputSample<string>> {
  const { directory } = target
  const names = await readPathNames(directory.cats, read)
  const { drawCatsForLives } = await createInputBudget(target, directory, read)
  return { inputs: drawCatsForLives(names), population: names.length }
}

/** Some cats: a version without lives has none for any cat. */
export async function selectCatsWithoutLives(target: VersionTarget, read: Read): Promise<InputSample<string>> {
  const { inputs, population } = await selectTestedCats(target, read)
  return { inputs: sample(inputs, target.effort.catsWithoutLives, target.seed, String), population }
}

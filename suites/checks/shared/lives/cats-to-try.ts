import type { OneVersion } from '../../../directory/deployment.ts'
import { allotment } from '../../../directory/inputs/input-budget.ts'
import { type Drawn, pathNames } from '../../../directory/inputs/own-names.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { sample } from '../../../engine/property/sample.ts'

/** The cats whose lives are requested: all, or as many as quick effort allows. */
export async function catsToTry(target: OneVersion, read: Read): Promise<Drawn<string>> {
  const { directory } = target
  const names = await pathNames(directory.cats, read)
  const { withLives } = await allotment(target, directory, read)
  return { inputs: withLives(names), from: names.length }
}

/** Some cats: a version without lives has none for any cat. */
export async function catsWithoutLives(target: OneVersion, read: Read): Promise<Drawn<string>> {
  const { inputs, from } = await catsToTry(target, read)
  return { inputs: sample(inputs, target.effort.catsWithoutLives, target.seed, String), from }
}

import type { OneVersion } from '../../../directory/deployment.ts'
import { allotment } from '../../../directory/inputs/input-budget.ts'
import { type Drawn, pathNames } from '../../../directory/inputs/own-names.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { sample } from '../../../engine/property/sample.ts'

/** The listed cats that are asked for their lives: all of them, or those that little effort leaves requests for. */
export async function catsToTry(target: OneVersion, read: Read): Promise<Drawn<string>> {
  const { directory } = target
  const names = await pathNames(directory.cats, read)
  const { withLives } = await allotment(target, directory, read)
  return { inputs: withLives(names), from: names.length }
}

/** What is not there is there for nobody: some cats are enough. */
export async function catsWithoutLives(target: OneVersion, read: Read): Promise<Drawn<string>> {
  const { inputs, from } = await catsToTry(target, read)
  return { inputs: sample(inputs, target.effort.catsWithoutLives, target.seed, String), from }
}

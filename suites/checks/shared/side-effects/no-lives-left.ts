import { livesCountOf } from '../../../directory/changes/directory-state.ts'
import { createInputBudget } from '../../../directory/inputs/input-budget.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { CATS_READ_FOR_MANY_LIVES } from '../../../directory/shared/effort.ts'
import type { CheckProbe } from '../check.ts'

/** Adds a note to the verdict if every count is 0: then the cost of reading lives cannot be observed (T4.4). */
export const noteIfNoLivesLeft: CheckProbe = async ({ target, read, addCaveat }) => {
  const { directory } = target
  const { drawCatsForLives } = await createInputBudget(target, directory, read)
  const names = drawCatsForLives(await readNamesForPaths(directory.cats, read)).slice(0, CATS_READ_FOR_MANY_LIVES)
  const readings = await Promise.all(names.map((name) => read(directory.lives(name))))
  if (names.length > 0 && readings.every((reading) => livesCountOf(reading) === 0))
    addCaveat('every count of lives is 0, so it could not be tested whether reading lives lowers them')
}

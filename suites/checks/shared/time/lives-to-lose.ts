import { livesOf } from '../../../directory/changes/state.ts'
import { allotment } from '../../../directory/inputs/input-budget.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import type { Try } from '../check.ts'

/** Adds a note to the pass if every count is 0: then the cost of reading lives is not observable (T4.4). */
export const saysWhereNoneIsLeft: Try = async ({ target, read, qualify }) => {
  const { directory, effort } = target
  const { withLives } = await allotment(target, directory, read)
  const names = withLives(await pathNames(directory.cats, read)).slice(0, effort.livelyLookedAt)
  const readings = await Promise.all(names.map((name) => read(directory.lives(name))))
  if (names.length > 0 && readings.every((reading) => livesOf(reading) === 0))
    qualify('every count is 0 and can fall no further: what reading costs was not to be seen')
}

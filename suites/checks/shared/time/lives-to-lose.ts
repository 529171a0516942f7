import { livesOf } from '../../../directory/changes/state.ts'
import { allotment } from '../../../directory/inputs/input-budget.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import type { Try } from '../check.ts'

/** Contract, section 4. "Lives are few (1 to 9, and stop at 0)": where all are 0, what asking costs is seen by nobody. */
export const saysWhereNoneIsLeft: Try = async ({ target, read, qualify }) => {
  const { directory, effort } = target
  const { withLives } = await allotment(target, directory, read)
  const names = withLives(await pathNames(directory.cats, read)).slice(0, effort.livelyLookedAt)
  const readings = await Promise.all(names.map((name) => read(directory.lives(name))))
  if (names.length > 0 && readings.every((reading) => livesOf(reading) === 0))
    qualify('every count is 0 and can fall no further: what reading costs was not to be seen')
}

import type { ChangeMonitor } from '../../../directory/changes/change-monitor.ts'
import { ChangesInEarlierExperiments } from '../../../engine/history/earlier-experiments.ts'
import { memoiseByObject } from '../../../engine/memoise.ts'

const createChanges = () => ({
  changesOfLists: new ChangesInEarlierExperiments(),
  changesOfLives: new ChangesInEarlierExperiments(),
})

/** Returns the changes of lists and of lives in all experiments of the run so far. Each run has one change monitor. */
export const earlierChangesOf = memoiseByObject<ChangeMonitor, [], ReturnType<typeof createChanges>>(createChanges)

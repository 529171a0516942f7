import type { ChangeMonitor } from '../../../directory/changes/change-monitor.ts'
import { ChangesInEarlierExperiments } from '../../../engine/history/earlier-intervals.ts'
import type { VersionContext } from '../check.ts'

interface IntervalsOfRun {
  readonly intervalsOfLists: ChangesInEarlierExperiments
  readonly intervalsOfLives: ChangesInEarlierExperiments
}

const intervalsByMonitor = new WeakMap<ChangeMonitor, IntervalsOfRun>()

/** Returns the intervals of all experiments of this run so far. */
export function earlierIntervalsOf({ target: { changeMonitor } }: VersionContext): IntervalsOfRun {
  const known = intervalsByMonitor.get(changeMonitor)
  const intervals = known ?? {
    intervalsOfLists: new ChangesInEarlierExperiments(),
    intervalsOfLives: new ChangesInEarlierExperiments(),
  }
  intervalsByMonitor.set(changeMonitor, intervals)
  return intervals
}

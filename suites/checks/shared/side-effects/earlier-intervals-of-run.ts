import type { ChangeMonitor } from '../../../directory/changes/change-monitor.ts'
import { EarlierIntervals } from '../../../engine/history/earlier-intervals.ts'
import type { VersionContext } from '../check.ts'

interface IntervalsOfRun {
  readonly intervalsOfLists: EarlierIntervals
  readonly intervalsOfLives: EarlierIntervals
}

const intervalsByMonitor = new WeakMap<ChangeMonitor, IntervalsOfRun>()

/** Returns the intervals of all experiments of this run so far. */
export function earlierIntervalsOf({ target: { changeMonitor } }: VersionContext): IntervalsOfRun {
  const known = intervalsByMonitor.get(changeMonitor)
  const intervals = known ?? { intervalsOfLists: new EarlierIntervals(), intervalsOfLives: new EarlierIntervals() }
  intervalsByMonitor.set(changeMonitor, intervals)
  return intervals
}

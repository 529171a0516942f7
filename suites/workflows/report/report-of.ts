import type { Report } from '../../../reports/report/report.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { defaults } from '../../options/defaults.ts'
import { findHome } from './home.ts'
import { reportOf as reportOfRun } from './report.ts'

/** Of the options of a run, those that its report tells or repeats. */
export interface ReportOptions extends Pick<JudgeOptions, 'baseUrl' | 'versions' | 'record' | 'timeoutMs' | 'effort'> {
  /** Whether it is the reference service that is judged. */
  readonly embedded?: boolean
  /** The options of the command that lead to the same inputs again; told from the others, when left out. */
  readonly replayOptions?: readonly string[]
}

/** The same deployment, asked with the same effort: what `--seed` and `--only` are added to. */
function replayOptionsOf({ effort, timeoutMs }: ReportOptions): readonly string[] {
  return [
    ...(timeoutMs === undefined || timeoutMs === defaults.timeoutMs ? [] : ['--timeout', String(timeoutMs)]),
    ...(effort === undefined || effort === defaults.effort ? [] : ['--effort', effort]),
  ]
}

/**
 * Makes the report of a run, which every format can be rendered from.
 * @param options what it was made with
 */
export function reportOf(result: RunResult, options: ReportOptions): Report {
  const { baseUrl, versions = defaults.versions, record = defaults.record, embedded = false } = options
  const { replayOptions = replayOptionsOf(options) } = options
  return reportOfRun(result, { versions, record, replayOptions }, { home: findHome(process.cwd()), baseUrl, embedded })
}

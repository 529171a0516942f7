import type { Report } from '../../../reports/report/report.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { defaultOptions } from '../../options/table.ts'
import { buildRunReport as reportOfRun } from './report.ts'
import { findSuitePackage } from './suite-package.ts'

/** The options of a run that its report shows or repeats. */
export interface ReportOptions extends Pick<JudgeOptions, 'baseUrl' | 'versions' | 'record' | 'timeoutMs' | 'effort'> {
  /** True if the reference service was judged. */
  readonly embedded?: boolean
  /** The options that repeat the run with the same inputs. By default, they are derived from the other options. */
  readonly replayOptions?: readonly string[]
}

/** Returns the options that repeat a run. `--seed` and `--only` are added elsewhere. */
function replayOptionsOf({ effort, timeoutMs }: ReportOptions): readonly string[] {
  return [
    ...(timeoutMs === undefined || timeoutMs === defaultOptions.timeoutMs ? [] : ['--timeout', String(timeoutMs)]),
    ...(effort === undefined || effort === defaultOptions.effort ? [] : ['--effort', effort]),
  ]
}

/**
 * Creates the report of a run, from which every format can be rendered.
 * @param options the options with which the run was started
 */
export function reportOf(result: RunResult, options: ReportOptions): Report {
  const { baseUrl, versions = defaultOptions.versions, record = defaultOptions.record, embedded = false } = options
  const { replayOptions = replayOptionsOf(options) } = options
  return reportOfRun(
    result,
    { versions, record, replayOptions },
    { suitePackage: findSuitePackage(process.cwd()), baseUrl, embedded },
  )
}

import { createHash } from 'node:crypto'
import { findOpenPoint, openPoints } from '../../../fixtures/contract/open-points.ts'
import { operations } from '../../../fixtures/contract/operations.ts'
import { contractRevision } from '../../../fixtures/contract/revision.ts'
import { rulings } from '../../../fixtures/contract/rulings.ts'
import { findStatement, type StatementId, statements } from '../../../fixtures/contract/statements.ts'
import { buildReport } from '../../../reports/report/build.ts'
import type { Diagnosis, Report } from '../../../reports/report/report.ts'
import { findOperationOfTarget } from '../../directory/shared/targets.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { catalogue } from '../../judge/catalogue.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { describeChoice } from '../../open-points/choice-sentences.ts'
import type { Options } from '../../options/options.ts'
import { defaultOptions } from '../../options/table.ts'
import type { BaselineResult } from '../baseline/gate.ts'
import { findSuitePackage, type SuitePackage } from './suite-package.ts'

/** The hash of the contract's texts. Two reports with the same hash were made with the same contract. */
const contractHash = createHash('sha256')
  .update(JSON.stringify([statements, rulings, operations, openPoints]))
  .digest('hex')

/** Facts that a report contains about the judged deployment, the package of the suite, and the outcome. */
interface RunReportContext {
  readonly suitePackage: SuitePackage
  readonly baseUrl: string
  readonly embedded: boolean
  readonly diagnosis?: Diagnosis | undefined
  /** The known violations, each with its entry in the baseline. */
  readonly known?: BaselineResult['known'] | undefined
}

/** The options of the command that a report contains. */
type OptionsInReport = Pick<Options, 'versions' | 'replayOptions' | 'record'> & Partial<Pick<Options, 'outsideOptions'>>

/** Creates the report of a run. */
export function buildRunReport(
  result: RunResult,
  { versions, replayOptions, record, outsideOptions }: OptionsInReport,
  { suitePackage: { name, version, command }, baseUrl, embedded, known, diagnosis }: RunReportContext,
): Report {
  return buildReport(result, {
    suite: { name, version },
    contract: { revision: contractRevision, sha256: contractHash },
    baseUrl,
    embedded,
    versions,
    statementText: (id) => findOpenPoint(id)?.question ?? findStatement(id as StatementId).sentence, // Checks contain only known ids.
    operationOf: createOperationFinder(baseUrl),
    describeChoice,
    isRecordingAll: record === 'all',
    isInCatalogue: (id) => id.startsWith('pinned/') || catalogue.some((check) => check.id === id),
    command,
    diagnosis,
    ...(known && { baselineEntryOf: (verdict) => known.get(verdict) }),
    replayOptions,
    ...(outsideOptions && { outsideOptions }),
  })
}

/**
 * The options of a run in a program that its report shows, or from which it derives the command that repeats the run.
 */
export interface ReportOptions extends Pick<JudgeOptions, 'baseUrl' | 'versions' | 'record' | 'timeoutMs' | 'effort'> {
  /** True if the reference service was judged. */
  readonly embedded?: boolean
  /** The options that repeat the run with the same inputs. By default, they are derived from the other options. */
  readonly replayOptions?: readonly string[]
}

/** Returns the options that repeat a run, e.g. `['--effort', 'quick']`. `buildReport` adds `--seed` and `--only`. */
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
  const suitePackage = findSuitePackage(process.cwd())
  return buildRunReport(result, { versions, record, replayOptions }, { suitePackage, baseUrl, embedded })
}

const OTHER_OPERATION = { operation: 'other', version: 'other' } as const

/**
 * Creates a function that returns the operation and version of a request target, e.g. `listCats` and `v2` for
 * `/v2/cats`.
 * @param baseUrl the base URL; a target that is not below it has the operation `other`
 */
function createOperationFinder(
  baseUrl: string,
): (target: string) => { readonly operation: string; readonly version: string } {
  const basePath = URL.canParse(baseUrl) ? new URL(baseUrl).pathname.replace(/\/+$/, '') : ''
  return (target) => {
    if (!target.startsWith(`${basePath}/`)) return OTHER_OPERATION
    const ownTarget = target.slice(basePath.length)
    const found = findOperationOfTarget(ownTarget)
    if (found) return { operation: found.operation, version: found.version }
    const version = /^\/(v\d+)(?=[/?]|$)/.exec(ownTarget)?.[1]
    return { ...OTHER_OPERATION, ...(version !== undefined && { version }) }
  }
}

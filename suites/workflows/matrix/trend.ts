import { describeWhyClassWasNotJudged, hasPassedChecks } from '../../../reports/report/grouping.ts'
import { checkKeyOf, openPointKeyOf } from '../../../reports/report/pairs.ts'
import type { Report } from '../../../reports/report/report.ts'
import { statusWords } from '../../../reports/text/wording.ts'
import { deploymentNameOf, type MatrixSection, startTimeOf } from './render.ts'

/** A value in one report: the verdict, the status of a check, a choice, or the version of the suite. */
interface TrendValue {
  readonly text: string
  /**
   * False for inconclusive values. An inconclusive value between two equal ones does not mean that the result is
   * unstable.
   */
  readonly isDecided: boolean
}

const STATUS_WORDS = new Map<string, string>(statusWords)
const UNDECIDED: readonly string[] = ['inconclusive', 'error', 'partial']

/**
 * Collects the values in a report by name. Leaves out checks that did not run, so that they do not appear as changes;
 * also inconclusive checks if no check passed, because the verdict shows that.
 */
function collectValues(report: Report): ReadonlyMap<string, TrendValue> {
  const valueOf = (result: string, text = result): TrendValue => ({ text, isDecided: !UNDECIDED.includes(result) })
  const classes = Object.entries(report.classes).filter(
    ([name]) => describeWhyClassWasNotJudged(report, name) === undefined,
  )
  const skipped = ['not-applicable', ...(hasPassedChecks(report) ? [] : ['inconclusive'])]
  const checks = report.checks.filter(({ status }) => !skipped.includes(status))
  return new Map([
    ['suite', valueOf(report.suite.version)],
    ...(report.contract ? [['contract', valueOf(`revision ${report.contract.revision}`)] as const] : []),
    ...[['verdict', report.verdict] as const, ...classes].map(
      ([name, conclusion]) => [name, valueOf(conclusion)] as const,
    ),
    ...checks.map((check) => [checkKeyOf(check), valueOf(check.status, STATUS_WORDS.get(check.status))] as const),
    ...report.openPoints.map((point) => [openPointKeyOf(point), valueOf(point.value)] as const),
  ])
}

/**
 * Creates a section for each deployment with several reports: it lists the changes from report to report, the newest
 * first.
 */
export function createTrendSections(reports: readonly Report[]): readonly MatrixSection[] {
  const deployments = [...new Set(reports.map(deploymentNameOf))]
  return deployments.flatMap((deployment) => {
    const own = reports
      .filter((report) => deploymentNameOf(report) === deployment)
      .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    return own.length < 2 ? [] : [createTrendSection(deployment, own)]
  })
}

function createTrendSection(deployment: string, oldestFirst: readonly Report[]): MatrixSection {
  const names = [...new Set(oldestFirst.flatMap((report) => [...collectValues(report).keys()]))]
  const values = oldestFirst.map(collectValues)
  const changes = names.flatMap((name) => listChanges(name, values))
  const rows = oldestFirst.flatMap((report, index) =>
    changes.filter(({ at }) => at === index).map(({ cells }) => [startTimeOf(report), ...cells]),
  )
  // The sort is stable, so changes in the same report stay in their order.
  const newestFirst = rows.toSorted(([a = ''], [b = '']) => (a === b ? 0 : a < b ? 1 : -1))
  return {
    title: `Changes of ${deployment}, newest first${rows.length === 0 ? ': none' : ''}`,
    heads: ['first seen (UTC)', 'changed', 'before', 'after', 'note'],
    rows: newestFirst,
  }
}

interface TrendChange {
  /** The index of the report in which the value has changed since an earlier report. */
  readonly at: number
  /** The cells of the row after the time: the name, the value before and after, and a note. */
  readonly cells: readonly string[]
}

/** Lists the changes of the value with a name. Skips reports that do not contain it. */
function listChanges(name: string, values: readonly ReadonlyMap<string, TrendValue>[]): readonly TrendChange[] {
  const series = values.flatMap((one, at) => {
    const value = one.get(name)
    return value ? [{ at, ...value }] : []
  })
  const isNew = ({ text }: TrendValue, index: number, all: readonly TrendValue[]) => text !== all[index - 1]?.text
  const decided = series.filter(({ isDecided }) => isDecided).filter(isNew)
  // A value that changed back to an earlier one is unstable, e.g. passed, failed, passed.
  const note = new Set(decided.map(({ text }) => text)).size < decided.length ? 'unstable' : ''
  return series.flatMap(({ at, text }, index) => {
    const before = series[index - 1]?.text
    return before === undefined || before === text ? [] : [{ at, cells: [name, before, text, note] }]
  })
}

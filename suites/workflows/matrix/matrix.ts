import { statusGlyphs } from '../../../reports/report/glyphs.ts'
import { describeWhyClassWasNotJudged } from '../../../reports/report/grouping.ts'
import { checkKeyOf, openPointKeyOf } from '../../../reports/report/pairs.ts'
import type { Report } from '../../../reports/report/report.ts'
import { UsageError } from '../../options/options.ts'
import { readSavedReport } from '../report/saved-report.ts'
import { deploymentNameOf, type MatrixFormat, type MatrixSection, renderMatrixSections, startTimeOf } from './render.ts'
import { createTrendSections } from './trend.ts'

const MATRIX_FORMATS: readonly MatrixFormat[] = ['text', 'markdown', 'html']

const EXPECTED_ARGUMENTS = 'matrix [--format text|markdown|html] REPORT… (each REPORT is a report.json)'

const createUsageError = (what: string): UsageError =>
  new UsageError({
    where: 'matrix',
    what,
    expected: EXPECTED_ARGUMENTS,
    advice: 'cat-directory-conformance matrix one.json two.json',
  })

const MATRIX_HELP = `Usage: cat-directory-conformance ${EXPECTED_ARGUMENTS}

Shows saved reports side by side: a row for each check and choice, a column for each deployment, differences first.
Several reports of one deployment are sorted by time, newest first, and a list shows what changed when.
A result that changed and later changed back (passed, failed, passed) is marked as unstable.
`

function parseArguments(args: readonly string[]) {
  const files: string[] = []
  let format: MatrixFormat = 'text'
  for (let at = 0; at < args.length; at++) {
    const [argument = '', inline] = (args[at] ?? '').split(/=(.*)/s, 2)
    if (argument === '--format') {
      const name = inline ?? args[++at]
      const known = MATRIX_FORMATS.find((one) => one === name)
      if (known === undefined) throw createUsageError(`there is no format ${JSON.stringify(name ?? '')}.`)
      format = known
    } else if (argument.startsWith('--')) throw createUsageError(`${argument}: there is no such option.`)
    else files.push(args[at] ?? '')
  }
  if (files.length === 0) throw createUsageError('the names of the reports are missing.')
  return { format, files }
}

const removeDuplicates = (texts: readonly string[]): string[] => [...new Set(texts)]

/** Sorts the rows in which the reports differ before the others. */
const sortDifferentFirst = (rows: readonly (readonly string[])[]) => {
  const isDifferent = ([, ...cells]: readonly string[]) => new Set(cells).size > 1
  return [...rows.filter(isDifferent), ...rows.filter((row) => !isDifferent(row))]
}

/** Creates the tables: verdicts, changes between reports of one deployment, checks that did not pass, and choices. */
function createSections(reports: readonly Report[]): readonly MatrixSection[] {
  const heads = ['', ...createHeads(reports)]
  const [deployment, ...others] = removeDuplicates(reports.map(deploymentNameOf))
  const checks = removeDuplicates(reports.flatMap((report) => report.checks.map(checkKeyOf)))
  const checkRows = checks.map((key) => [
    key,
    ...reports.map((report) => {
      const one = report.checks.find((check) => checkKeyOf(check) === key)
      return one ? statusGlyphs[one.status] : ''
    }),
  ])
  const notPassed = checkRows.filter(([, ...cells]) => cells.some((cell) => cell !== statusGlyphs.pass))
  const openPointKeys = removeDuplicates(reports.flatMap((report) => report.openPoints.map(openPointKeyOf)))
  const choices = openPointKeys.map((key) => [
    key,
    ...reports.map((report) => report.openPoints.find((one) => openPointKeyOf(one) === key)?.value ?? ''),
  ])
  const passed = `${checkRows.filter(([, ...cells]) => cells.every((cell) => cell === statusGlyphs.pass)).length} of ${checks.length} passed in every report`
  return [
    { title: others.length === 0 ? `Verdicts of ${deployment}` : 'Verdicts', heads, rows: createVerdictRows(reports) },
    ...createTrendSections(reports),
    {
      title: `Checks (${passed}${notPassed.length > 0 ? '; the others:' : ''})`,
      heads,
      rows: sortDifferentFirst(notPassed),
    },
    { title: 'Choices', heads, rows: sortDifferentFirst(choices) },
  ]
}

const createVerdictRows = (reports: readonly Report[]): readonly (readonly string[])[] => [
  ['verdict', ...reports.map(({ verdict }) => verdict)],
  ...removeDuplicates(reports.flatMap(({ classes }) => Object.keys(classes))).map((name) => [
    name,
    ...reports.map((report) =>
      describeWhyClassWasNotJudged(report, name) ? 'not judged' : (report.classes[name] ?? ''),
    ),
  ]),
  ['suite', ...reports.map(({ suite }) => suite.version)],
  [
    'contract',
    ...reports.map(({ contract }) => (contract ? `${contract.revision} (${contract.sha256.slice(0, 8)})` : '')),
  ],
  ['started (UTC)', ...reports.map(startTimeOf)],
]

/**
 * Creates the column heads: the deployment of each report, and the start time if the deployment has several reports.
 */
function createHeads(reports: readonly Report[]): readonly string[] {
  const deployments = reports.map(deploymentNameOf)
  return reports.map((report, index) => {
    const deployment = deployments[index] ?? ''
    const times = deployments.indexOf(deployment) === deployments.lastIndexOf(deployment) ? [] : [startTimeOf(report)]
    // Leaves out the deployment if all reports are about the same one, which the title names.
    return [...times, ...(times.length > 0 && new Set(deployments).size === 1 ? [] : [deployment])].join(' ')
  })
}

/** Sorts the reports of each deployment by time, the newest first. The order of the deployments stays the same. */
function sortNewestFirst(reports: readonly Report[]): readonly Report[] {
  const deployments = reports.map(deploymentNameOf)
  return reports.toSorted(
    (a, b) =>
      deployments.indexOf(deploymentNameOf(a)) - deployments.indexOf(deploymentNameOf(b)) ||
      (a.startedAt < b.startedAt ? 1 : -1),
  )
}

/**
 * Renders saved reports side by side. If there are several of one deployment, also renders what changed between them.
 */
export async function renderReportMatrix(args: readonly string[]): Promise<string> {
  if (args.some((argument) => argument === '--help' || argument === '-h')) return MATRIX_HELP
  const { format, files } = parseArguments(args)
  const reports = await Promise.all(files.map((file) => readSavedReport(file, 'matrix', EXPECTED_ARGUMENTS)))
  return renderMatrixSections(createSections(sortNewestFirst(reports)), format)
}

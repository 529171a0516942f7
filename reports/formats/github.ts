import { describeSelectedChecks } from '../report/headline.ts'
import type { Report, ReportFinding } from '../report/report.ts'
import { defectSentenceOf } from '../report/rows.ts'
import { type ShownCheck, selectShownChecks } from '../report/shown-checks.ts'
import { escapeTerminal, escapeTerminalLines, shortenText } from '../text/escape.ts'
import { formatCount } from '../text/wording.ts'

/** The maximum number of error annotations: GitHub shows only the first ten of each job step. */
const MAX_ANNOTATIONS = 10
const MAX_MESSAGE_CHARACTERS = 1000

/**
 * Renders the findings as workflow commands of GitHub Actions, one line each: `::error title=…::…`. An inconclusive
 * run, and a run of selected checks, also get one warning each.
 * @param report the report of the run
 */
export function renderAnnotations(report: Report): string {
  const failed = selectShownChecks(report).filter(({ status }) => status === 'fail' || status === 'error')
  const shown = failed.length > MAX_ANNOTATIONS ? failed.slice(0, MAX_ANNOTATIONS - 1) : failed
  const more = `${formatCount(failed.length - shown.length, 'more finding')} in the summary of this job.`
  const lines = [
    ...shown.map((one) => createWorkflowCommand('error', `${one.id} ${one.versions.join(' ')}`, annotationTextOf(one))),
    ...(shown.length < failed.length ? [createWorkflowCommand('error', 'Conformance', more)] : []),
    ...(report.verdict === 'inconclusive' ? [annotateInconclusiveRun(report)] : []),
    ...(report.selected ? [annotatePartialRun(report, report.selected)] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const annotationTextOf = (one: ShownCheck): string =>
  [defectSentenceOf(one), ...(one.finding ? detailLinesOf(one.finding) : [])]
    .map((line) => shortenText(line, MAX_MESSAGE_CHARACTERS))
    .join('\n')

const detailLinesOf = ({ expected, curl, fix }: ReportFinding): string[] => [
  `expected  ${expected}`,
  ...curl,
  ...(fix === undefined ? [] : [`fix       ${fix}`]),
]

function annotateInconclusiveRun({ checks, diagnosis, notExercised: [first = 'nothing passed'] }: Report): string {
  const open = checks.filter(({ status }) => status === 'inconclusive').length
  return createWorkflowCommand(
    'warning',
    'Conformance: inconclusive',
    `${formatCount(open, 'check')} could not be decided: ${diagnosis?.cause ?? first}`,
  )
}

/**
 * Renders a warning that only selected checks ran, even if all of them passed: a forgotten line of `.env` may have
 * selected them.
 */
function annotatePartialRun({ outsideOptions = [] }: Report, selected: NonNullable<Report['selected']>): string {
  const only = outsideOptions.find(({ option }) => option === '--only')
  const by = only ? ` by ${only.option} ${only.value ?? ''} (${only.source})` : ''
  return createWorkflowCommand(
    'warning',
    'Conformance: only selected checks ran',
    `${describeSelectedChecks(selected)}${by}`,
  )
}

const createWorkflowCommand = (name: 'error' | 'warning', title: string, message: string): string =>
  `::${name} title=${escapeProperty(title)}::${escapeData(message)}`

const escapeData = (text: string): string =>
  escapeTerminalLines(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(escapeTerminal(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')

import { defectOf } from '../report/finding.ts'
import { selectionText } from '../report/headline.ts'
import type { Report, ReportFinding } from '../report/report.ts'
import { type Told, told } from '../report/told.ts'
import { escapeTerminal, shorten } from '../text/escape.ts'
import { counted } from '../text/wording.ts'

/** GitHub shows ten errors and ten warnings of a step, and drops the others. */
const MOST = 10
const LONGEST_MESSAGE = 1000

/**
 * Renders the findings as workflow commands of GitHub Actions, one line each: `::error title=…::…`.
 * @param report without findings, only inconclusive checks are annotated
 */
export function renderAnnotations(report: Report): string {
  const failed = told(report).filter(({ status }) => status === 'fail' || status === 'error')
  const lines = [
    ...failed
      .slice(0, failed.length > MOST ? MOST - 1 : MOST)
      .map((one) => command('error', `${one.id} ${one.versions.join(' ')}`, textOf(one))),
    ...(failed.length > MOST
      ? [
          command(
            'error',
            'Conformance',
            `${counted(failed.length - MOST + 1, 'more finding')} in the summary of this job.`,
          ),
        ]
      : []),
    ...(report.verdict === 'inconclusive' ? [undecided(report)] : []),
    ...(report.selected ? [partly(report, report.selected)] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const textOf = (one: Told): string =>
  [defectOf(one), ...(one.finding ? linesOf(one.finding) : [])].map((line) => shorten(line, LONGEST_MESSAGE)).join('\n')

const linesOf = ({ expected, curl, fix }: ReportFinding): string[] => [
  `expected  ${expected}`,
  ...curl,
  ...(fix === undefined ? [] : [`fix       ${fix}`]),
]

function undecided({ checks, diagnosis, notExercised: [first = 'nothing passed'] }: Report): string {
  const open = checks.filter(({ status }) => status === 'inconclusive').length
  return command(
    'warning',
    'Conformance: inconclusive',
    `${counted(open, 'check')} could not be decided: ${diagnosis?.cause ?? first}`,
  )
}

/** Warns even if everything passed: a forgotten line of `.env` may have selected the checks. */
function partly({ outsideOptions = [] }: Report, selected: NonNullable<Report['selected']>): string {
  const only = outsideOptions.find(({ option }) => option === '--only')
  const by = only ? ` by ${only.option} ${only.value ?? ''} (${only.source})` : ''
  return command('warning', 'Conformance: not a whole run', `${selectionText(selected)}${by}`)
}

const command = (name: 'error' | 'warning', title: string, message: string): string =>
  `::${name} title=${property(title)}::${data(message)}`

/** Line ends belong to the command; other invisible characters are shown. */
const visible = (text: string): string => text.split('\n').map(escapeTerminal).join('\n')

const data = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(escapeTerminal(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')

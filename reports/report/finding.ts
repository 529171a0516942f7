import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { shorten } from '../text/escape.ts'
import { wholeNumber } from '../text/wording.ts'
import { citedExchanges, type Report, type ReportCheck, type ReportFinding } from './report.ts'

/** One row of a finding; the text is hostile until it is escaped for where it lands. */
export interface FindingRow {
  readonly label: 'promised' | 'asked' | 'answered' | 'expected' | 'actual' | 'inputs' | 'again' | 'fix'
  /** `body` is the beginning of an answer, the only kind whose line ends are line ends; `shell` is a line to paste. */
  readonly kind: 'text' | 'body' | 'shell'
  readonly text: string
}

const longestText = 600
const longestBody = 320
/** Those that contradict each other; one in another version says the same again. */
const mostShown = 3

/**
 * A finding in the one order that every report keeps: promised, asked, answered, expected, actual, inputs, again, fix.
 * @param of a root cause, or a check with a finding; one without has no rows
 * @param report the report it stands in, for the exchanges
 */
export function findingRows({ finding }: Pick<ReportCheck, 'finding'>, report: Report): FindingRow[] {
  if (finding === undefined) return []
  const cited = citedExchanges(finding.exchanges, report).slice(0, mostShown)
  return [
    row('promised', finding.promised),
    ...(finding.counterexample === undefined ? [] : [row('asked', `smallest input: ${finding.counterexample}`)]),
    ...(cited.length === 0 ? [row('asked', 'no exchange is on record')] : cited.flatMap(exchangeRows)),
    row('expected', finding.expected),
    row('actual', finding.actual),
    ...inputRows(finding),
    ...finding.curl.map((line): FindingRow => ({ label: 'again', kind: 'shell', text: line })),
    replayRow(finding),
    ...(finding.fix === undefined ? [] : [row('fix', finding.fix)]),
    ...(finding.explain === undefined ? [] : [{ label: 'fix', kind: 'shell', text: finding.explain } as const]),
  ]
}

/** How to run the check alone; a comment, which is no command, is wrapped as words are. */
export const replayRow = ({ replay }: ReportFinding): FindingRow => ({
  label: 'again',
  kind: replay.startsWith('#') ? 'text' : 'shell',
  text: replay,
})

/** Where more than one input breaks the promise: which, and what they have in common. */
function inputRows({ inputs = [], moreInputs = 0, common }: ReportFinding): FindingRow[] {
  const more = moreInputs > 0 ? ` and ${wholeNumber(moreInputs)} more` : ''
  return [
    ...(inputs.length + moreInputs > 1 ? [row('inputs', inputs.join(', ') + more)] : []),
    ...(common === undefined ? [] : [row('inputs', common)]),
  ]
}

function row(label: FindingRow['label'], text: string): FindingRow {
  return { label, kind: 'text', text: shorten(text, longestText) }
}

function exchangeRows(exchange: ExchangeSummary): FindingRow[] {
  const body = shorten(exchange.excerpt, longestBody)
  return [
    row('asked', `${exchange.method} ${exchange.url}`),
    row('answered', answer(exchange)),
    ...(body === '' ? [] : [{ label: 'answered', kind: 'body', text: body } as const]),
  ]
}

function answer({ status, mediaType, fault, ms, excerpt }: ExchangeSummary): string {
  if (fault !== undefined) return [...(status === undefined ? [] : [status]), fault, `${ms} ms`].join(' · ')
  const empty = excerpt === '' ? ['empty body'] : []
  return [`${status ?? 'no status'} ${mediaType ?? 'without a media type'}`, `${ms} ms`, ...empty].join(' · ')
}

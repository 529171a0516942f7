import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { shorten } from '../text/escape.ts'
import { wholeNumber } from '../text/wording.ts'
import { partWith, termsOf } from './highlight.ts'
import { citedExchanges, type Report, type ReportCheck, type ReportFinding } from './report.ts'

/** A row of a finding; hostile until escaped for the format. */
export interface FindingRow {
  readonly label: 'requirement' | 'request' | 'response' | 'expected' | 'inputs' | 'again' | 'fix'
  /** `body` is part of a response, the only kind whose line ends are kept; `shell` is a line to paste. */
  readonly kind: 'text' | 'body' | 'shell'
  readonly text: string
}

const longestText = 600
const longestBody = 320
/** A third exchange, in another version, repeats the first two. */
const mostShown = 3

/**
 * The rows of a finding below its first line, which is the defect (`defectOf`), in the order of every report.
 * @param of a root cause, or a check with a finding; one without has no rows
 * @param report the report that it stands in, for the exchanges
 */
export function findingRows({ finding }: Pick<ReportCheck, 'finding'>, report: Report): FindingRow[] {
  if (finding === undefined) return []
  const cited = citedExchanges(finding.exchanges, report).slice(0, mostShown)
  const terms = termsOf(finding)
  return [
    row('requirement', finding.promised),
    ...(cited.length === 0 ? [row('request', 'none is recorded')] : cited.flatMap((one) => exchangeRows(one, terms))),
    row('expected', finding.expected),
    ...inputRows(finding),
    ...finding.curl.map((line): FindingRow => ({ label: 'again', kind: 'shell', text: line })),
    replayRow(finding),
    ...(finding.fix === undefined ? [] : [row('fix', finding.fix)]),
    ...(finding.explain === undefined ? [] : [{ label: 'fix', kind: 'shell', text: finding.explain } as const]),
  ]
}

/** The defect as one sentence; of a check without a finding, the reason, else the title. */
export const defectOf = ({
  finding,
  reason,
  title,
}: Pick<ReportCheck, 'finding' | 'title'> & { readonly reason?: string | undefined }): string =>
  shorten(finding?.actual ?? reason ?? title, longestText)

/** The command that runs only this check; a comment is no command and is wrapped as text. */
export const replayRow = ({ replay }: ReportFinding): FindingRow => ({
  label: 'again',
  kind: replay.startsWith('#') ? 'text' : 'shell',
  text: replay,
})

/** The inputs that break the requirement, the smallest first, and what they have in common. */
function inputRows({ counterexample, inputs = [], moreInputs = 0, common }: ReportFinding): FindingRow[] {
  const more = moreInputs > 0 ? ` and ${wholeNumber(moreInputs)} more` : ''
  const shown = inputs.length > 0 ? inputs.join(', ') + more : counterexample
  return [
    ...(shown === undefined ? [] : [row('inputs', shown)]),
    ...(common === undefined ? [] : [row('inputs', common)]),
  ]
}

function row(label: FindingRow['label'], text: string): FindingRow {
  return { label, kind: 'text', text: shorten(text, longestText) }
}

function exchangeRows(exchange: ExchangeSummary, terms: readonly string[]): FindingRow[] {
  const body = partWith(terms, exchange.excerpt, longestBody)
  return [
    row('request', `${exchange.method} ${exchange.url}`),
    row('response', statusLine(exchange)),
    ...(body === '' ? [] : [{ label: 'response', kind: 'body', text: body } as const]),
  ]
}

/** The response in one line, e.g. `404 application/json · 29 ms`. */
export function statusLine({ status, mediaType, fault, ms, excerpt }: ExchangeSummary): string {
  if (fault !== undefined) return [...(status === undefined ? [] : [status]), fault, `${ms} ms`].join(' · ')
  const empty = excerpt === '' ? ['empty body'] : []
  return [`${status ?? 'no status'} ${mediaType ?? 'without a media type'}`, `${ms} ms`, ...empty].join(' · ')
}

import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { shortenText } from '../text/escape.ts'
import { formatWholeNumber } from '../text/wording.ts'
import { type ExcerptLimits, excerptWithTerm, findHighlightedTerms } from './highlight.ts'
import { findCitedExchanges, type Report, type ReportCheck, type ReportFinding } from './report.ts'

/** A row of a finding. It may contain text from the deployment, so each format must escape it. */
export interface FindingRow {
  readonly label: 'requirement' | 'request' | 'response' | 'expected' | 'inputs' | 'again' | 'fix'
  /**
   * The kind of the text. `body` is part of a response body, the only kind with line ends. `shell` is a line to paste
   * into a shell.
   */
  readonly kind: 'text' | 'body' | 'shell'
  readonly text: string
}

const MAX_TEXT_CHARACTERS = 600
/** The part of a response body that is shown. Pretty-printed JSON has short lines, so their number is limited too. */
const BODY_LIMITS: ExcerptLimits = { characters: 320, lines: 6 }
/**
 * The maximum number of exchanges shown in a finding. Further exchanges would usually show the same defect in the other
 * version.
 */
export const MAX_SHOWN_EXCHANGES = 3

/**
 * Builds the rows of a finding, in the order in which all formats show them. The sentence about the defect is not among
 * them: see `defectSentenceOf`.
 * @param check a check or a root cause; without a finding it has no rows
 * @param report the report that contains the exchanges
 */
export function buildFindingRows({ finding }: Pick<ReportCheck, 'finding'>, report: Report): FindingRow[] {
  if (finding === undefined) return []
  const cited = findCitedExchanges(finding.exchanges, report).slice(0, MAX_SHOWN_EXCHANGES)
  const terms = findHighlightedTerms(finding)
  return [
    createRow('requirement', finding.promised),
    ...(cited.length === 0
      ? [createRow('request', 'no exchange was recorded')]
      : cited.flatMap((one) => buildExchangeRows(one, terms))),
    createRow('expected', finding.expected),
    ...buildInputRows(finding),
    ...finding.curl.map((line): FindingRow => ({ label: 'again', kind: 'shell', text: line })),
    createReplayRow(finding),
    ...(finding.fix === undefined ? [] : [createRow('fix', finding.fix)]),
    ...(finding.explain === undefined ? [] : [{ label: 'fix', kind: 'shell', text: finding.explain } as const]),
  ]
}

/**
 * Returns the defect of a finding as one sentence; for a check without a finding its reason, or its title if there is
 * no reason.
 */
export const defectSentenceOf = ({
  finding,
  reason,
  title,
}: Pick<ReportCheck, 'finding' | 'title'> & { readonly reason?: string | undefined }): string =>
  shortenText(finding?.actual ?? reason ?? title, MAX_TEXT_CHARACTERS)

/**
 * Creates the row that says how to run only this check again: a command, or a comment, which is shown as plain text.
 */
export const createReplayRow = ({ replay }: ReportFinding): FindingRow => ({
  label: 'again',
  kind: replay.startsWith('#') ? 'text' : 'shell',
  text: replay,
})

/** Builds the rows that list the failing inputs, the smallest first, and what they have in common. */
function buildInputRows({ counterexample, inputs = [], moreInputs = 0, common }: ReportFinding): FindingRow[] {
  const more = moreInputs > 0 ? ` and ${formatWholeNumber(moreInputs)} more` : ''
  const shown = inputs.length > 0 ? inputs.join(', ') + more : counterexample
  return [
    ...(shown === undefined ? [] : [createRow('inputs', shown)]),
    ...(common === undefined ? [] : [createRow('inputs', common)]),
  ]
}

function createRow(label: FindingRow['label'], text: string): FindingRow {
  return { label, kind: 'text', text: shortenText(text, MAX_TEXT_CHARACTERS) }
}

function buildExchangeRows(exchange: ExchangeSummary, terms: readonly string[]): FindingRow[] {
  const body = excerptWithTerm(terms, exchange, BODY_LIMITS)
  return [
    createRow('request', `${exchange.method} ${exchange.url}`),
    createRow('response', formatStatusLine(exchange)),
    ...(body === '' ? [] : [{ label: 'response', kind: 'body', text: body } as const]),
  ]
}

/** Formats the response in one line, e.g. `404 application/json · 29 ms`. */
export function formatStatusLine({ status, mediaType, fault, ms, excerpt }: ExchangeSummary): string {
  if (fault !== undefined) return [...(status === undefined ? [] : [status]), fault, `${ms} ms`].join(' · ')
  const empty = excerpt === '' ? ['empty body'] : []
  return [`${status ?? 'no status'} ${mediaType ?? 'without a media type'}`, `${ms} ms`, ...empty].join(' · ')
}

import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { shortenText } from '../text/escape.ts'
import { formatWholeNumber } from '../text/wording.ts'
import { type ExcerptLimits, findHighlightedTerms, takeExcerptAroundTerm } from './highlight.ts'
import { findCitedExchanges, type Report, type ReportCheck, type ReportFinding } from './report.ts'

/** A row of a finding or diagnosis. It may contain text from the deployment, so each format must escape it. */
export interface ReportRow {
  readonly label: string
  /**
   * The kind of the text. `wire` is a request or the status of a response, `body` a part of a response body (the only
   * kind with line ends), `shell` a line to paste into a shell.
   */
  readonly kind: 'text' | 'wire' | 'body' | 'shell'
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
export function buildFindingRows({ finding }: Pick<ReportCheck, 'finding'>, report: Report): ReportRow[] {
  if (finding === undefined) return []
  const cited = findCitedExchanges(finding.exchanges, report).slice(0, MAX_SHOWN_EXCHANGES)
  const terms = findHighlightedTerms(finding)
  return [
    createRow('requirement', finding.promised),
    ...(cited.length === 0
      ? [createWireRow('request', 'no exchange was recorded')]
      : cited.flatMap((one) => buildExchangeRows(one, terms, BODY_LIMITS))),
    createRow('expected', finding.expected),
    ...buildInputRows(finding),
    ...finding.curl.map((line): ReportRow => ({ label: 'again', kind: 'shell', text: line })),
    createReplayRow(finding),
    ...(finding.fix === undefined ? [] : [createRow('fix', finding.fix)]),
    ...(finding.explain === undefined ? [] : [{ label: 'fix', kind: 'shell' as const, text: finding.explain }]),
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
  versions = [],
}: Pick<ReportCheck, 'finding' | 'title'> & {
  readonly reason?: string | undefined
  readonly versions?: readonly string[]
}): string => {
  const sentence = shortenText(finding?.actual ?? reason ?? title, MAX_TEXT_CHARACTERS)
  // The sentence names only the first of these versions, so its name is removed.
  return versions.length > 1 ? sentence.replace(/ \(v\d\)/, '') : sentence
}

/**
 * Creates the row that says how to run only this check again: a command, or a comment, which is shown as plain text.
 */
export const createReplayRow = ({ replay }: ReportFinding): ReportRow => ({
  label: 'again',
  kind: replay.startsWith('#') ? 'text' : 'shell',
  text: replay,
})

/** Builds the rows that list the failing inputs, the smallest first, and what they have in common. */
function buildInputRows({ counterexample, inputs = [], moreInputs = 0, common }: ReportFinding): ReportRow[] {
  const more = moreInputs > 0 ? ` and ${formatWholeNumber(moreInputs)} more` : ''
  const shown = inputs.length > 0 ? inputs.join(', ') + more : counterexample
  return [
    ...(shown === undefined ? [] : [createRow('inputs', shown)]),
    ...(common === undefined ? [] : [createRow('inputs', common)]),
  ]
}

const createRow = (label: string, text: string): ReportRow => ({
  label,
  kind: 'text',
  text: shortenText(text, MAX_TEXT_CHARACTERS),
})

const createWireRow = (label: 'request' | 'response', text: string): ReportRow => ({
  ...createRow(label, text),
  kind: 'wire',
})

function buildExchangeRows(exchange: ExchangeSummary, terms: readonly string[], limits: ExcerptLimits): ReportRow[] {
  const body = takeExcerptAroundTerm(terms, exchange, limits)
  return [
    createWireRow('request', `${exchange.method} ${exchange.url}`),
    createWireRow('response', formatStatusLine(exchange)),
    ...(body === '' ? [] : [{ label: 'response', kind: 'body' as const, text: body }]),
  ]
}

/** Formats the response in one line, e.g. `404 application/json · 29 ms`. */
function formatStatusLine(exchange: ExchangeSummary): string {
  const { status, mediaType, fault, ms } = exchange
  const code = status === undefined ? [] : [status]
  const what =
    fault === undefined ? [`${status ?? 'no status'} ${mediaType ?? 'without a media type'}`] : [...code, fault]
  return [...what, `${ms} ms`, ...describeRedirects(exchange), ...describeEmptyBody(exchange)].join(' · ')
}

/** Returns `empty body` if a response arrived completely and has no body; else an empty array. */
export const describeEmptyBody = ({ fault, excerpt }: ExchangeSummary): readonly string[] =>
  excerpt === '' && fault === undefined ? ['empty body'] : []

/** Returns a phrase about the redirects that led to the response, e.g. `after a redirect to /v2/cats`. */
export function describeRedirects({ url, redirects = 0, redirectedTo }: ExchangeSummary): readonly string[] {
  if (redirectedTo === undefined) return []
  const { origin } = new URL(url)
  const target = redirectedTo.startsWith(`${origin}/`) ? redirectedTo.slice(origin.length) : redirectedTo
  return [`after ${redirects === 1 ? 'a redirect' : `${redirects} redirects`} to ${target}`]
}

/** Returns the last keys of the JSON Pointers in a text, in quotation marks, as they occur in a body. */
const findKeysOfPointers = (text: string): readonly string[] =>
  [...text.matchAll(/ \/(?:[^\s/,;:]+\/)*([^\s/,;:]+)/g)].map(([, key]) => `"${key}"`)

/**
 * Builds the rows of the diagnosis: why the run is inconclusive or failed early, the request and response that show
 * this, and the next step.
 */
export function buildDiagnosisRows(report: Report): ReportRow[] {
  const { diagnosis } = report
  if (diagnosis === undefined) return []
  const { cause, request, response, next } = diagnosis
  const exchanges = findCitedExchanges(diagnosis.exchange === undefined ? [] : [diagnosis.exchange], report)
  return [
    { label: 'cause', kind: 'text', text: cause },
    ...exchanges.flatMap((one) => buildExchangeRows(one, findKeysOfPointers(cause), { characters: 200 })),
    ...(request === undefined ? [] : [createWireRow('request', request)]),
    ...(response === undefined ? [] : [createWireRow('response', response)]),
    ...(next === undefined ? [] : [{ label: 'next', kind: 'text' as const, text: next }]),
  ]
}

import { formatStatusLine } from './finding.ts'
import { excerptWithTerm } from './highlight.ts'
import { findCitedExchanges, type Report } from './report.ts'

/** A line of a diagnosis. It may contain text from the deployment, so each format must escape it. */
interface DiagnosisRow {
  readonly label: 'cause' | 'request' | 'response' | 'next'
  readonly kind: 'text' | 'body'
  readonly text: string
}

const BODY_LIMITS = { characters: 200 }

/** Returns the last keys of the JSON Pointers in a text, in quotation marks, as they occur in a body. */
const findKeysOfPointers = (text: string): readonly string[] =>
  [...text.matchAll(/ \/(?:[^\s/,;:]+\/)*([^\s/,;:]+)/g)].map(([, key]) => `"${key}"`)

/**
 * Builds the lines of the diagnosis: why the run is inconclusive or failed early, the request and response that show
 * this, and the next step.
 */
export function buildDiagnosisRows(report: Report): DiagnosisRow[] {
  const { diagnosis } = report
  if (diagnosis === undefined) return []
  const [exchange] = findCitedExchanges(diagnosis.exchange === undefined ? [] : [diagnosis.exchange], report)
  const text = (label: DiagnosisRow['label'], content: string): DiagnosisRow => ({ label, kind: 'text', text: content })
  const { request, response } = diagnosis
  const body = exchange && excerptWithTerm(findKeysOfPointers(diagnosis.cause), exchange, BODY_LIMITS)
  return [
    text('cause', diagnosis.cause),
    ...(exchange
      ? [text('request', `${exchange.method} ${exchange.url}`), text('response', formatStatusLine(exchange))]
      : []),
    ...(request === undefined ? [] : [text('request', request)]),
    ...(response === undefined ? [] : [text('response', response)]),
    ...(body ? [{ label: 'response', kind: 'body', text: body } as const] : []),
    ...(diagnosis.next === undefined ? [] : [text('next', diagnosis.next)]),
  ]
}

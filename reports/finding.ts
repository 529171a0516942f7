import type { ExchangeSummary } from '../suites/engine/verdict.ts'
import { shorten, withoutUserinfo } from './escape.ts'
import type { ReportCheck } from './report.ts'

type Exchanges = ReadonlyMap<number, ExchangeSummary>

/** One row of a finding; the text is hostile until it is escaped for where it lands. */
export interface FindingRow {
  readonly label: 'promised' | 'asked' | 'answered' | 'expected' | 'actual' | 'again'
  /** `body` is the beginning of an answer, the only kind whose line ends are line ends; `shell` is a line to paste. */
  readonly kind: 'text' | 'body' | 'shell'
  readonly text: string
}

const longestText = 600
const longestBody = 320

/**
 * A finding in the one order that every report keeps: promised, asked, answered, expected, actual, again.
 * @param check a check with a finding; one without has no rows
 * @param exchanges what the run recorded
 */
export function findingRows(check: ReportCheck, exchanges: Exchanges): FindingRow[] {
  const { finding } = check
  if (finding === undefined) return []
  const cited = finding.exchanges.flatMap((id) => exchanges.get(id) ?? [])
  return [
    row('promised', finding.promised),
    ...(finding.counterexample === undefined ? [] : [row('asked', `smallest input: ${finding.counterexample}`)]),
    ...(cited.length === 0 ? [row('asked', 'no exchange is on record')] : cited.flatMap(exchangeRows)),
    row('expected', finding.expected),
    row('actual', finding.actual),
    ...[...finding.curl, finding.replay].map((line): FindingRow => ({ label: 'again', kind: 'shell', text: line })),
  ]
}

function row(label: FindingRow['label'], text: string): FindingRow {
  return { label, kind: 'text', text: shorten(text, longestText) }
}

function exchangeRows(exchange: ExchangeSummary): FindingRow[] {
  const body = shorten(exchange.excerpt, longestBody)
  return [
    row('asked', `${exchange.method} ${withoutUserinfo(exchange.url)}`),
    row('answered', answer(exchange)),
    ...(body === '' ? [] : [{ label: 'answered', kind: 'body', text: body } as const]),
  ]
}

function answer({ status, mediaType, fault, ms, excerpt }: ExchangeSummary): string {
  if (fault !== undefined) return [...(status === undefined ? [] : [status]), fault, `${ms} ms`].join(' · ')
  const empty = excerpt === '' ? ['empty body'] : []
  return [`${status ?? 'no status'} ${mediaType ?? 'without a media type'}`, `${ms} ms`, ...empty].join(' · ')
}

import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { findSentencesAboutRun } from '../report/grouping.ts'
import { findCitedExchanges, type Report } from '../report/report.ts'
import { formatCount } from '../text/wording.ts'
import { renderJson } from './json.ts'

/**
 * Renders exchanges.har (HTTP Archive 1.2) for a browser's network panel. It contains the exchanges that findings cite,
 * or all exchanges if the report contains all. Only the duration of an exchange was measured, not its phases, so all of
 * it counts as `wait`.
 * @param report the report of the run
 */
export function renderHar(report: Report): string {
  const { suite, startedAt, requests } = report
  const citedByFindings = new Set(report.checks.flatMap(({ finding }) => finding?.exchanges ?? []))
  const isAll = includesAllExchanges(report, citedByFindings)
  const shown = isAll ? report.exchanges : findCitedExchanges(sortIds(citedByFindings), report)
  const partNote = `${shown.length} of ${formatCount(requests, 'exchange')}: only those that findings cite; with --record all, the file contains all exchanges`
  const comments = [...(isAll ? [] : [partNote]), ...findSentencesAboutRun(report)]
  return renderJson({
    log: {
      version: '1.2',
      creator: { name: suite.name, version: suite.version },
      pages: [{ startedDateTime: startedAt, id: 'run', title: report.target.baseUrl, pageTimings: {} }],
      entries: shown.map((exchange) => createHarEntry(exchange, findCitingChecks(exchange, report))),
      ...(comments.length > 0 && { comment: comments.join('; ') }),
    },
  })
}

/**
 * Returns whether the report contains exchanges that neither a finding nor an open point cites, as with `--record all`.
 */
function includesAllExchanges({ openPoints, exchanges }: Report, citedByFindings: ReadonlySet<number>): boolean {
  const citedByOpenPoints = new Set(openPoints.flatMap(({ evidence }) => evidence))
  return exchanges.some(({ id }) => !citedByFindings.has(id) && !citedByOpenPoints.has(id))
}

const sortIds = (ids: ReadonlySet<number>): number[] => [...ids].sort((a, b) => a - b)

const findCitingChecks = ({ id }: ExchangeSummary, { checks }: Report): string[] =>
  checks
    .filter(({ finding }) => finding?.exchanges.includes(id))
    .map((check) => `${check.id} (${check.version}): ${check.status}`)

function createHarEntry(exchange: ExchangeSummary, citedBy: readonly string[]): object {
  const { id, askedAt, ms, fault, redirects } = exchange
  const comments = [
    `exchange ${id}`,
    ...(fault === undefined ? [] : [`no complete response: ${fault}`]),
    ...(redirects === undefined ? [] : [`the response after ${redirects} redirects`]),
    ...citedBy,
  ]
  return {
    pageref: 'run',
    startedDateTime: askedAt,
    time: ms,
    request: createHarRequest(exchange),
    response: createHarResponse(exchange),
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    comment: comments.join('; '),
  }
}

function createHarRequest({ method, url, requestHeaders }: ExchangeSummary): object {
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: Object.entries(requestHeaders).map(([name, value]) => ({ name, value })),
    queryString: parseQuery(url),
    headersSize: -1,
    bodySize: 0,
  }
}

function createHarResponse(exchange: ExchangeSummary): object {
  const { status = 0, mediaType = '', responseHeaders = [], excerpt, fault } = exchange
  const headers = responseHeaders.map(([name, value]) => ({ name, value }))
  const location = headers.find(({ name }) => name.toLowerCase() === 'location')?.value
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    content: {
      size: countBodyBytes(exchange),
      mimeType: mediaType === '' ? 'x-unknown' : mediaType,
      text: excerpt,
      comment: 'a part of the body, decoded',
    },
    redirectURL: location ?? '',
    headersSize: -1,
    bodySize: -1,
    ...(fault !== undefined && { _error: fault }),
  }
}

/** Returns the size of the whole body, including the parts that the report does not contain. */
const countBodyBytes = ({ excerpt, bytesBefore = 0, secondExcerpt, bytesAfter = 0 }: ExchangeSummary): number =>
  bytesBefore +
  Buffer.byteLength(excerpt) +
  (secondExcerpt ? secondExcerpt.bytesBefore + Buffer.byteLength(secondExcerpt.excerpt) : 0) +
  bytesAfter

/** Splits the query into names and values. Values with invalid percent-encoding are kept as they are. */
function parseQuery(url: string): { name: string; value: string }[] {
  const query = url.split('?').slice(1).join('?')
  if (query === '') return []
  return query.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name: decodeOrKeep(name), value: decodeOrKeep(value.join('=')) }
  })
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

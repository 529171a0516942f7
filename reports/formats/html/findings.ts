import type { ExchangeSummary } from '../../../suites/engine/http/client/exchange.ts'
import { defectSentenceOf, MAX_SHOWN_EXCHANGES } from '../../report/finding.ts'
import { findHighlightedTerms } from '../../report/highlight.ts'
import { findCitedExchanges, type Report, type ReportFinding } from '../../report/report.ts'
import { type ShownCheck, selectShownChecks } from '../../report/shown-checks.ts'
import { formatCount, formatWholeNumber } from '../../text/wording.ts'
import { renderHighlightedBody, renderInlineCode, shortenForDisplay } from './excerpt.ts'
import { html, type Markup, renderIfDefined, renderSection } from './markup.ts'
import { versionFilterValuesOf } from './matrix.ts'
import { renderStatusGlyph, statusNames } from './status.ts'

const MAX_TEXT_CHARACTERS = 2000
const MAX_OPEN_CARDS = 5
/**
 * The number of findings that are shown in full. Each further finding is shown with one exchange only, because the page
 * could otherwise exceed 2 MB.
 */
const MAX_FULL_CARDS = 100

/**
 * Renders the findings as cards, one per root cause.
 * @returns the cards, and the HTML anchor of each card by check and version
 */
export function renderFindingCards(report: Report): {
  readonly markup: Markup
  readonly anchors: ReadonlyMap<string, string>
} {
  const anchors = new Map<string, string>()
  const all = selectShownChecks(report)
  all.forEach(({ checks }, index) => {
    for (const { id, version } of checks) anchors.set(`${id} ${version}`, `finding-${index + 1}`)
  })
  const cards = all.map((one, index) => renderCard(one, report, index))
  const violations = report.findings.filter(({ status }) => status === 'fail').length
  const others = cards.length - violations
  const note = `${formatCount(violations, 'violation')}${others === 0 ? '' : `, and ${formatCount(others, 'other result')} (advice, unstable, or an error of the suite)`}. One card for each root cause.`
  return { markup: cards.length === 0 ? html`` : renderSection('findings', 'Findings', note, html`${cards}`), anchors }
}

function renderCard(one: ShownCheck, report: Report, index: number): Markup {
  const { id, status, level, versions, finding, checks, reason } = one
  const others = [...new Set(checks.slice(1).map((check) => check.id))].filter((other) => other !== id)
  return html`
<article class="card finding ${status}" id="finding-${index + 1}" data-item data-status="${status}" data-version="${versionFilterValuesOf(versions.map((version) => ({ version })))}">
<details${index < MAX_OPEN_CARDS ? html` open` : html``}>
<summary><h3>${renderStatusGlyph(status)} <span>${shortenForDisplay(defectSentenceOf(one), MAX_TEXT_CHARACTERS)}</span></h3><p class="tags"><code>${id}</code>${versions.map((version) => html`<span class="tag">${version}</span>`)}<span class="tag ${status}">${level === 'must' ? statusNames[status] : `${statusNames[status]} · ${level}`}</span></p></summary>
<dl>
${renderIfDefined(finding, (found) => renderFindingRows(found, report, index < MAX_FULL_CARDS ? MAX_SHOWN_EXCHANGES : 1))}
${renderIfDefined(finding && status !== 'inconclusive' ? undefined : reason, (text) => renderRow(status === 'error' ? 'error' : 'reason', html`<span class="reason">${shortenForDisplay(text, MAX_TEXT_CHARACTERS)}</span>`))}
${others.length === 0 ? html`` : renderRow('also fails', html`${others.map((other) => html`<code>${other}</code> `)}`)}
</dl>
</details>
</article>`
}

/** Renders the rows of a finding, with at most `limit` exchanges. All exchanges are in `report.json`. */
const renderFindingRows = (finding: ReportFinding, report: Report, limit: number): Markup => html`
${renderRow('requirement', html`${shortenForDisplay(finding.promised, MAX_TEXT_CHARACTERS)}`)}
${renderExchangeRows(finding, report, limit)}
${renderRow('expected', html`${shortenForDisplay(finding.expected, MAX_TEXT_CHARACTERS)}`)}
${renderIfDefined(renderInputs(finding), (inputs) => renderRow('inputs', inputs))}
${renderRow('again', html`${[...finding.curl.slice(0, limit + 1), finding.replay].map(renderShellLine)}`)}
${renderIfDefined(finding.fix, (fix) => renderRow('fix', renderInlineCode(fix)))}`

const renderRow = (
  name: string,
  content: Markup,
): Markup => html`<div class="row"><dt>${name}</dt><dd>${content}</dd></div>
`

function renderInputs({ counterexample, inputs = [], moreInputs = 0, common }: ReportFinding): Markup | undefined {
  const all = inputs.length > 0 ? inputs : [counterexample ?? ''].filter(Boolean)
  if (all.length === 0) return undefined
  const more = moreInputs > 0 ? html` and ${formatWholeNumber(moreInputs)} more` : html``
  return html`${all.map((input) => html`<code class="input">${shortenForDisplay(input, 200)}</code> `)}${more}${renderIfDefined(common, (text) => html`<p>${text}</p>`)}`
}

function renderExchangeRows(finding: ReportFinding, report: Report, limit: number): Markup {
  const cited = findCitedExchanges(finding.exchanges.slice(0, limit), report)
  const terms = findHighlightedTerms(finding)
  if (cited.length === 0) return renderRow('request', html`no exchange was recorded`)
  return html`${cited.map((exchange) => html`${renderRow('request', renderRequest(exchange))}${renderRow('response', renderResponse(exchange, terms))}`)}`
}

const renderRequest = ({ method, url }: ExchangeSummary): Markup =>
  html`<span class="method">${method}</span> <code class="url">${shortenForDisplay(url, MAX_TEXT_CHARACTERS)}</code>`

function renderResponse(exchange: ExchangeSummary, terms: readonly string[]): Markup {
  const { status, fault, mediaType, ms, excerpt, requestHeaders } = exchange
  // The id is only of use in the logs of the service, so it is shown when the pointer is on the status.
  const title = renderIfDefined(requestHeaders['x-request-id'], (id) => html` title="X-Request-Id ${id}"`)
  const facts = [
    ...(fault === undefined ? [mediaType ?? 'without a media type'] : [fault]),
    `${ms} ms`,
    ...(excerpt === '' && fault === undefined ? ['empty body'] : []),
  ]
  const code =
    status === undefined
      ? html`<span class="code s0"${title}>no response</span>`
      : html`<span class="code s${String(status)[0] ?? '0'}"${title}>${status}</span>`
  const body =
    excerpt === ''
      ? html``
      : html`<pre class="body" tabindex="0" role="group" aria-label="body of the response">${renderHighlightedBody(exchange, terms)}</pre>`
  return html`<p class="line">${code} ${facts.join(' · ')}</p>${body}`
}

const renderShellLine = (line: string): Markup =>
  html`<div class="shell"><pre tabindex="0" role="group" aria-label="shell command"><code>${line}</code></pre><button type="button" class="copy" data-copy hidden>Copy</button></div>`

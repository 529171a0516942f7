import type { ExchangeSummary } from '../../../suites/engine/http/client/exchange.ts'
import { findHighlightedTerms, splitByTerms, takeExcerptAroundTerm } from '../../report/highlight.ts'
import { findCitedExchanges, type Report, type ReportFinding } from '../../report/report.ts'
import { defectSentenceOf, describeEmptyBody, describeRedirects, MAX_SHOWN_EXCHANGES } from '../../report/rows.ts'
import { type ShownCheck, selectShownChecks } from '../../report/shown-checks.ts'
import { shortenText } from '../../text/escape.ts'
import { formatCount, formatWholeNumber } from '../../text/wording.ts'
import { html, type Markup, renderIfDefined, renderInlineCode, renderSection } from './markup.ts'
import { versionFilterValuesOf } from './matrix.ts'
import { renderStatusGlyph, statusNames } from './status.ts'

const MAX_TEXT_CHARACTERS = 2000
const MAX_HEADING_CHARACTERS = 150
const MAX_OPEN_CARDS = 5
const BODY_LIMITS = { characters: 700 }

/** Returns the HTML anchor of each finding by check and version. */
export function findAnchors(report: Report): ReadonlyMap<string, string> {
  const anchored = selectShownChecks(report).flatMap(({ checks }, index) =>
    checks.map(({ id, version }) => [`${id} ${version}`, `finding-${index + 1}`] as const),
  )
  return new Map(anchored)
}

/**
 * Renders the findings as cards, one per root cause.
 * @param maxBytes the maximum size of all cards; if it is too small, later cards show one exchange, then only
 * their headings
 */
export function renderFindingCards(report: Report, maxBytes: number): Markup {
  const cards = renderCardsWithin(selectShownChecks(report), report, maxBytes)
  const violations = report.findings.filter(({ status }) => status === 'fail').length
  const unstable = report.findings.filter(({ status }) => status === 'inconclusive').length
  const others = cards.length - violations - unstable
  const counts = [
    formatCount(violations, 'violation'),
    ...(unstable === 0
      ? []
      : [`${formatCount(unstable, 'result')} seen once and not again (perhaps for the same cause)`]),
    ...(others === 0 ? [] : [`${formatCount(others, 'other result')} (advice or an error of the suite)`]),
  ]
  const note = `${counts.join(', ')}. One card for each root cause.`
  return cards.length === 0 ? html`` : renderSection('findings', 'Findings', note, html`${cards}`)
}

/**
 * Renders all cards. If the remaining bytes do not suffice, a card shows only one exchange; if they still do not
 * suffice, only its heading.
 */
function renderCardsWithin(all: readonly ShownCheck[], report: Report, maxBytes: number): readonly Markup[] {
  let spareBytes = maxBytes
  return all.map((one, index) => {
    const largerCards = [MAX_SHOWN_EXCHANGES, 1].map((maxExchanges) => renderCard(one, report, index, maxExchanges))
    const card = largerCards.find((candidate) => sizeOf(candidate) <= spareBytes)
    if (card) spareBytes -= sizeOf(card)
    return card ?? renderCard(one, report, index, 0)
  })
}

const sizeOf = ({ source }: Markup): number => Buffer.byteLength(source)

/**
 * Renders the card of a root cause. With `maxExchanges` 0 it has only a heading, and a note that the rest is left out.
 */
function renderCard(one: ShownCheck, report: Report, index: number, maxExchanges: number): Markup {
  const { id, status, level, versions } = one
  return html`
<article class="card finding ${status}" id="finding-${index + 1}" data-item data-status="${status}" data-version="${versionFilterValuesOf(versions.map((version) => ({ version })))}">
<details${index < MAX_OPEN_CARDS ? html` open` : html``}>
<summary><h3>${renderStatusGlyph(status)} <span>${shortenText(defectSentenceOf(one), maxExchanges === 0 ? MAX_HEADING_CHARACTERS : MAX_TEXT_CHARACTERS)}</span></h3><p class="tags"><code>${id}</code>${versions.map((version) => html`<span class="tag">${version}</span>`)}<span class="tag ${status}">${level === 'must' ? statusNames[status] : `${statusNames[status]} · ${level}`}</span></p></summary>
<dl>
${maxExchanges === 0 ? renderRow('left out', html`This page is limited to 1.5 MB. <code>report.json</code> contains the whole finding.`) : renderCardRows(one, report, maxExchanges)}
</dl>
</details>
</article>`
}

function renderCardRows(
  { id, status, finding, checks, reason }: ShownCheck,
  report: Report,
  maxExchanges: number,
): Markup {
  const others = [...new Set(checks.slice(1).map((check) => check.id))].filter((other) => other !== id)
  return html`
${renderIfDefined(finding, (found) => renderFindingRows(found, report, maxExchanges))}
${renderIfDefined(finding && status !== 'inconclusive' ? undefined : reason, (text) => renderRow(status === 'error' ? 'error' : 'reason', html`<span class="reason">${shortenText(text, MAX_TEXT_CHARACTERS)}</span>`))}
${others.length === 0 ? html`` : renderRow('also fails', html`${others.map((other) => html`<code>${other}</code> `)}`)}`
}

/** Renders the rows of a finding, with at most `limit` exchanges. All exchanges are in `report.json`. */
const renderFindingRows = (finding: ReportFinding, report: Report, limit: number): Markup => html`
${renderRow('requirement', html`${shortenText(finding.promised, MAX_TEXT_CHARACTERS)}`)}
${renderExchangeRows(finding, report, limit)}
${renderRow('expected', html`${shortenText(finding.expected, MAX_TEXT_CHARACTERS)}`)}
${renderIfDefined(renderInputs(finding), (inputs) => renderRow('inputs', inputs))}
${renderRow('again', html`${[...finding.curl.slice(0, limit + 1), finding.replay].map(renderShellLine)}`)}
${renderIfDefined(finding.fix, (fix) => renderRow('fix', renderInlineCode(fix)))}`

const renderRow = (
  name: string,
  content: Markup,
): Markup => html`<div class="row"><dt>${name}</dt><dd>${content}</dd></div>
`

/** Renders the failing inputs and what they have in common; undefined if the finding has no inputs. */
function renderInputs({ counterexample, inputs = [], moreInputs = 0, common }: ReportFinding): Markup | undefined {
  const all = inputs.length > 0 ? inputs : [counterexample ?? ''].filter(Boolean)
  if (all.length === 0) return undefined
  const more = moreInputs > 0 ? html` and ${formatWholeNumber(moreInputs)} more` : html``
  return html`${all.map((input) => html`<code class="input">${shortenText(input, 200)}</code> `)}${more}${renderIfDefined(common, (text) => html`<p>${text}</p>`)}`
}

function renderExchangeRows(finding: ReportFinding, report: Report, limit: number): Markup {
  const cited = findCitedExchanges(finding.exchanges.slice(0, limit), report)
  const terms = findHighlightedTerms(finding)
  if (cited.length === 0) return renderRow('request', html`no exchange was recorded`)
  return html`${cited.map((exchange) => html`${renderRow('request', renderRequest(exchange))}${renderRow('response', renderResponse(exchange, terms))}`)}`
}

const renderRequest = ({ method, url }: ExchangeSummary): Markup =>
  html`<span class="method">${method}</span> <code class="url">${shortenText(url, MAX_TEXT_CHARACTERS)}</code>`

function renderResponse(exchange: ExchangeSummary, terms: readonly string[]): Markup {
  const { status, fault, mediaType, ms, excerpt, requestHeaders } = exchange
  // Shows the id only under the pointer, because only the logs of the service contain it.
  const title = renderIfDefined(requestHeaders['x-request-id'], (id) => html` title="X-Request-Id ${id}"`)
  const facts = [
    ...(fault === undefined ? [mediaType ?? 'without a media type'] : [fault]),
    `${ms} ms`,
    ...describeRedirects(exchange),
    ...describeEmptyBody(exchange),
  ]
  const code =
    status === undefined
      ? html`<span class="code s0"${title}>no response</span>`
      : html`<span class="code s${String(status)[0] ?? '0'}"${title}>${status}</span>`
  const pieces = splitByTerms(takeExcerptAroundTerm(terms, exchange, BODY_LIMITS), terms).map(({ text, isTerm }) =>
    isTerm ? html`<mark>${text}</mark>` : html`${text}`,
  )
  const body =
    excerpt === ''
      ? html``
      : html`<pre class="body" tabindex="0" role="group" aria-label="body of the response">${pieces}</pre>`
  return html`<p class="line">${code} ${facts.join(' · ')}</p>${body}`
}

const renderShellLine = (line: string): Markup =>
  html`<div class="shell"><pre tabindex="0" role="group" aria-label="shell command"><code>${line}</code></pre><button type="button" class="copy" data-copy hidden>Copy</button></div>`

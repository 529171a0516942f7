import type { ExchangeSummary } from '../../../suites/engine/http/client/exchange.ts'
import { citedExchanges, type Report, type ReportFinding } from '../../report/report.ts'
import { type Told, told } from '../../report/told.ts'
import { counted, wholeNumber } from '../../text/wording.ts'
import { markedBody, shortened, termsOf } from './excerpt.ts'
import { given, html, type Markup, section } from './markup.ts'
import { versionsOf } from './matrix.ts'
import { statusGlyph, statusNames } from './status.ts'

const LONGEST = 2000
/** Of many findings the first are open. */
const MOST_OPEN = 5

/** The findings as cards, one for each root cause; and what they are linked by. */
export function findings(report: Report): { readonly markup: Markup; readonly anchors: ReadonlyMap<string, string> } {
  const anchors = new Map<string, string>()
  const all = told(report)
  all.forEach(({ checks }, index) => {
    for (const { id, version } of checks) anchors.set(`${id} ${version}`, `finding-${index + 1}`)
  })
  const cards = all.map((one, index) => card(one, report, index))
  const broken = report.findings.filter(({ status }) => status === 'fail').length
  const others = cards.length - broken
  const note =
    cards.length === 0
      ? 'Nothing was found.'
      : `${counted(broken, 'broken promise')}${others === 0 ? '' : `, ${counted(others, 'other')}`}. One card for each root cause.`
  return {
    markup: section(
      'findings',
      'Findings',
      note,
      html`${cards.length === 0 ? [html`<p class="card none">Nothing was found that breaks a promise.</p>`] : cards}`,
    ),
    anchors,
  }
}

function card(one: Told, report: Report, index: number): Markup {
  const { id, title, status, level, versions, finding, checks, reason } = one
  const others = [...new Set(checks.slice(1).map((check) => check.id))].filter((other) => other !== id)
  return html`
<article class="card finding ${status}" id="finding-${index + 1}" data-item data-status="${status}" data-version="${versionsOf(versions.map((version) => ({ version })))}">
<details${index < MOST_OPEN ? html` open` : html``}>
<summary><h3>${statusGlyph(status)} <span>${title}</span></h3><p class="tags"><code>${id}</code>${versions.map((version) => html`<span class="tag">${version}</span>`)}<span class="tag ${status}">${level === 'must' ? statusNames[status] : `${statusNames[status]} · ${level}`}</span></p></summary>
<dl>
${given(finding, (found) => findingRows(found, report))}
${given(finding && status !== 'inconclusive' ? undefined : reason, (text) => row(status === 'error' ? 'error' : 'undecided', html`<span class="reason">${shortened(text, LONGEST)}</span>`))}
${others.length === 0 ? html`` : row('also', html`the same defect fails ${others.map((other) => html`<code>${other}</code> `)}`)}
</dl>
</details>
</article>`
}

const findingRows = (finding: ReportFinding, report: Report): Markup => html`
${row('promised', html`${shortened(finding.promised, LONGEST)}`)}
${exchangeRows(finding, report)}
${row('expected', html`${shortened(finding.expected, LONGEST)}`)}
${row('actual', html`<strong>${shortened(finding.actual, LONGEST)}</strong>`)}
${given(inputsOf(finding), (inputs) => row('inputs', inputs))}
${given(finding.fix, (fix) => row('fix', html`${fix}`))}
${row('again', html`${[...finding.curl, finding.replay].map(shell)}`)}`

const row = (name: string, content: Markup): Markup => html`<div class="row"><dt>${name}</dt><dd>${content}</dd></div>
`

function inputsOf({ counterexample, inputs = [], moreInputs = 0, common }: ReportFinding): Markup | undefined {
  const all = inputs.length > 0 ? inputs : [counterexample ?? ''].filter(Boolean)
  if (all.length === 0) return undefined
  const more = moreInputs > 0 ? html` and ${wholeNumber(moreInputs)} more` : html``
  return html`${all.map((input) => html`<code class="input">${shortened(input, 200)}</code> `)}${more}${given(common, (text) => html`<p>${text}</p>`)}`
}

function exchangeRows(finding: ReportFinding, report: Report): Markup {
  const cited = citedExchanges(finding.exchanges, report)
  const terms = termsOf(finding)
  if (cited.length === 0) return row('asked', html`no exchange is on record`)
  return html`${cited.map((exchange) => html`${row('asked', asked(exchange))}${row('answered', answered(exchange, terms))}`)}`
}

const asked = ({ method, url }: ExchangeSummary): Markup =>
  html`<span class="method">${method}</span> <code class="url">${shortened(url, LONGEST)}</code>`

function answered(exchange: ExchangeSummary, terms: readonly string[]): Markup {
  const { status, fault, mediaType, ms, excerpt, requestHeaders } = exchange
  const id = requestHeaders['x-request-id']
  const facts = [
    ...(fault === undefined ? [mediaType ?? 'without a media type'] : [fault]),
    `${ms} ms`,
    ...(excerpt === '' && fault === undefined ? ['empty body'] : []),
  ]
  const code =
    status === undefined
      ? html`<span class="code s0">no answer</span>`
      : html`<span class="code s${String(status)[0] ?? '0'}">${status}</span>`
  const body =
    excerpt === ''
      ? html``
      : html`<pre class="body" tabindex="0" role="group" aria-label="the answer's body">${markedBody(excerpt, terms)}</pre>`
  return html`<p class="line">${code} ${facts.join(' · ')}${given(id, (text) => html` <span class="id" title="X-Request-Id">${text}</span>`)}</p>${body}`
}

const shell = (line: string): Markup =>
  html`<div class="shell"><pre tabindex="0" role="group" aria-label="a line for a shell"><code>${line}</code></pre><button type="button" class="copy" data-copy hidden>Copy</button></div>`

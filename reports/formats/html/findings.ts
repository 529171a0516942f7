import type { ExchangeSummary } from '../../../suites/engine/http/client/exchange.ts'
import { defectOf } from '../../report/finding.ts'
import { termsOf } from '../../report/highlight.ts'
import { citedExchanges, type Report, type ReportFinding } from '../../report/report.ts'
import { type Told, told } from '../../report/told.ts'
import { counted, wholeNumber } from '../../text/wording.ts'
import { markedBody, shortened } from './excerpt.ts'
import { given, html, type Markup, section } from './markup.ts'
import { versionsOf } from './matrix.ts'
import { statusGlyph, statusNames } from './status.ts'

const LONGEST = 2000
/** The number of findings that are initially open. */
const MOST_OPEN = 5

/** Renders the findings as cards, one per root cause, with their anchors. */
export function findings(report: Report): { readonly markup: Markup; readonly anchors: ReadonlyMap<string, string> } {
  const anchors = new Map<string, string>()
  const all = told(report)
  all.forEach(({ checks }, index) => {
    for (const { id, version } of checks) anchors.set(`${id} ${version}`, `finding-${index + 1}`)
  })
  const cards = all.map((one, index) => card(one, report, index))
  const violations = report.findings.filter(({ status }) => status === 'fail').length
  const others = cards.length - violations
  const note = `${counted(violations, 'violation')}${others === 0 ? '' : `, ${counted(others, 'other')}`}. One card for each root cause.`
  return { markup: cards.length === 0 ? html`` : section('findings', 'Findings', note, html`${cards}`), anchors }
}

function card(one: Told, report: Report, index: number): Markup {
  const { id, status, level, versions, finding, checks, reason } = one
  const others = [...new Set(checks.slice(1).map((check) => check.id))].filter((other) => other !== id)
  return html`
<article class="card finding ${status}" id="finding-${index + 1}" data-item data-status="${status}" data-version="${versionsOf(versions.map((version) => ({ version })))}">
<details${index < MOST_OPEN ? html` open` : html``}>
<summary><h3>${statusGlyph(status)} <span>${shortened(defectOf(one), LONGEST)}</span></h3><p class="tags"><code>${id}</code>${versions.map((version) => html`<span class="tag">${version}</span>`)}<span class="tag ${status}">${level === 'must' ? statusNames[status] : `${statusNames[status]} · ${level}`}</span></p></summary>
<dl>
${given(finding, (found) => findingRows(found, report))}
${given(finding && status !== 'inconclusive' ? undefined : reason, (text) => row(status === 'error' ? 'error' : 'reason', html`<span class="reason">${shortened(text, LONGEST)}</span>`))}
${others.length === 0 ? html`` : row('also fails', html`${others.map((other) => html`<code>${other}</code> `)}`)}
</dl>
</details>
</article>`
}

const findingRows = (finding: ReportFinding, report: Report): Markup => html`
${row('requirement', html`${shortened(finding.promised, LONGEST)}`)}
${exchangeRows(finding, report)}
${row('expected', html`${shortened(finding.expected, LONGEST)}`)}
${given(inputsOf(finding), (inputs) => row('inputs', inputs))}
${row('again', html`${[...finding.curl, finding.replay].map(shell)}`)}
${given(finding.fix, (fix) => row('fix', html`${fix}`))}`

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
  if (cited.length === 0) return row('request', html`none is recorded`)
  return html`${cited.map((exchange) => html`${row('request', request(exchange))}${row('response', response(exchange, terms))}`)}`
}

const request = ({ method, url }: ExchangeSummary): Markup =>
  html`<span class="method">${method}</span> <code class="url">${shortened(url, LONGEST)}</code>`

function response(exchange: ExchangeSummary, terms: readonly string[]): Markup {
  const { status, fault, mediaType, ms, excerpt, requestHeaders } = exchange
  const id = requestHeaders['x-request-id']
  const facts = [
    ...(fault === undefined ? [mediaType ?? 'without a media type'] : [fault]),
    `${ms} ms`,
    ...(excerpt === '' && fault === undefined ? ['empty body'] : []),
  ]
  const code =
    status === undefined
      ? html`<span class="code s0">no response</span>`
      : html`<span class="code s${String(status)[0] ?? '0'}">${status}</span>`
  const body =
    excerpt === ''
      ? html``
      : html`<pre class="body" tabindex="0" role="group" aria-label="body of the response">${markedBody(excerpt, terms)}</pre>`
  return html`<p class="line">${code} ${facts.join(' · ')}</p>${body}${given(id, (text) => html`<p class="id">X-Request-Id ${text}</p>`)}`
}

const shell = (line: string): Markup =>
  html`<div class="shell"><pre tabindex="0" role="group" aria-label="shell command"><code>${line}</code></pre><button type="button" class="copy" data-copy hidden>Copy</button></div>`

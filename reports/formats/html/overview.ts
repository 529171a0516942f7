import type { Conclusion, Status } from '../../../suites/engine/check/verdict.ts'
import { diagnosisRows } from '../../report/diagnosis.ts'
import { defectOf } from '../../report/finding.ts'
import { classOf, countByStatus, notJudged } from '../../report/grouping.ts'
import { headline } from '../../report/headline.ts'
import type { Report, ReportCheck } from '../../report/report.ts'
import { told } from '../../report/told.ts'
import { duration, wholeNumber } from '../../text/wording.ts'
import { shortened } from './excerpt.ts'
import { html, type Markup, section } from './markup.ts'
import { colourOf, conclusionGlyph, statusGlyph, statusNames } from './status.ts'

const sentences: Readonly<Record<Conclusion, string>> = {
  conformant: 'Every requirement that was tested is met.',
  nonconformant: 'At least one requirement is violated.',
  partial: 'The selected checks passed; the others did not run.',
  inconclusive: 'Too little could be tested for a verdict.',
}

/** Renders the verdict and the conclusions of the classes. */
export function overview(report: Report): Markup {
  const { verdict, target } = report
  return html`
<header class="hero ${colourOf[verdict]}" id="verdict">
<p class="kind">Cat directory conformance</p>
<h1>${conclusionGlyph(verdict)} <span>${verdict}</span></h1>
<p class="target"><code>${target.embedded ? 'the embedded reference service' : target.baseUrl}</code></p>
<p class="lead">${leadOf(report)}</p>
${diagnosisList(report)}
</header>
<ul class="classes">${Object.entries(report.classes).map(([name, conclusion]) => classCard(report, name, conclusion))}</ul>
${index(report)}`
}

/** Renders one line per finding: defect, check, versions. */
function index(report: Report): Markup {
  const all = told(report)
  if (all.length < 2) return html``
  const lines = all.map(
    (one, nth) =>
      html`<li>${statusGlyph(one.status)} <a href="#finding-${nth + 1}">${shortened(defectOf(one), 300)}</a> <code>${one.id}</code> ${one.versions.map((version) => html`<span class="tag">${version}</span>`)}</li>`,
  )
  return html`<ol class="card index" aria-label="Index of findings">${lines}</ol>`
}

/** Renders the metadata of the run, for repeating it. */
export function runFacts(report: Report): Markup {
  const { startedAt } = report
  const facts = factsOf(report).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  const started = html`<div><dt>started</dt><dd><time datetime="${startedAt}">${startedAt.slice(0, 19).replace('T', ' ')} UTC</time></dd></div>`
  return section('run', 'Run', 'How the run was made.', html`<dl class="card facts">${facts}${started}</dl>`)
}

/** Renders the cause of an inconclusive run, below the verdict. */
function diagnosisList(report: Report): Markup {
  const rows = diagnosisRows(report)
  if (rows.length === 0) return html``
  const shown = rows.map(({ label, kind, text }) => {
    if (kind === 'body')
      return html`<dd><pre class="body" tabindex="0" role="group" aria-label="body of the response">${text}</pre></dd>`
    const said = label === 'request' || label === 'response' ? html`<code>${text}</code>` : html`${text}`
    return html`<dt>${label}</dt><dd>${said}</dd>`
  })
  return html`<dl class="diagnosis">${shown}</dl>`
}

function leadOf(report: Report): string {
  const { verdict, target } = report
  const embedded = target.embedded
    ? ' No base URL was given, so the embedded reference service was tested, not your deployment.'
    : ''
  return `${sentences[verdict]} ${headline(report)}.${embedded}`
}

function factsOf({ requests, retries, durationMs, effort, seed, suite }: Report): [string, string][] {
  return [
    ['requests', wholeNumber(requests)],
    ['retries', wholeNumber(retries)],
    ['duration', duration(durationMs)],
    ['effort', effort],
    ['seed', String(seed)],
    ['suite', suite.version],
  ]
}

const classNames: Readonly<Record<string, string>> = { v2: 'Version 2', v3: 'Version 3', parity: 'v2 and v3 agree' }

function classCard(report: Report, name: string, conclusion: Conclusion): Markup {
  const skipped = notJudged(report, name)
  const checks = report.checks.filter(({ version }) => classOf(version) === name)
  const title = html`<h2>${classNames[name] ?? name}</h2>`
  if (skipped !== undefined)
    return html`<li class="card class not-applicable">${title}<p class="verdict">not judged</p><p class="counts">${skipped}</p></li>`
  return html`<li class="card class ${colourOf[conclusion]}">${title}<p class="verdict">${conclusionGlyph(conclusion)} ${conclusion}</p>${bar(checks)}<p class="counts">${countsOf(checks)}</p></li>`
}

const shares: readonly Status[] = ['fail', 'error', 'inconclusive', 'warn', 'not-applicable', 'pass']

/** Renders the numbers of checks by status as one bar, with the same in words. */
function bar(checks: readonly ReportCheck[]): Markup {
  const counts = countByStatus(checks)
  const total = Math.max(1, checks.length)
  let x = 0
  const pieces = shares.flatMap((status) => {
    const width = (counts[status] / total) * 1000
    const at = x
    x += width
    return width === 0
      ? []
      : [html`<rect class="fill ${status}" x="${at.toFixed(1)}" width="${width.toFixed(1)}" height="10"/>`]
  })
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>`
}

function countsOf(checks: readonly ReportCheck[]): Markup[] {
  const counts = countByStatus(checks)
  const some = shares.toReversed().filter((status) => counts[status] > 0)
  if (some.length === 0) return [html`no check ran`]
  return some.map(
    (status) =>
      html`<span><i class="dot ${status}" aria-hidden="true"></i>${counts[status]} ${statusNames[status]}</span> `,
  )
}

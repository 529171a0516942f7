import type { Conclusion } from '../../../suites/engine/check/verdict.ts'
import { countByStatus, describeWhyClassWasNotJudged, versionClassOf } from '../../report/grouping.ts'
import { buildHeadline } from '../../report/headline.ts'
import type { Report, ReportCheck } from '../../report/report.ts'
import { buildDiagnosisRows, defectSentenceOf } from '../../report/rows.ts'
import { selectShownChecks } from '../../report/shown-checks.ts'
import { shortenText } from '../../text/escape.ts'
import { formatCount, formatDuration, formatWholeNumber } from '../../text/wording.ts'
import { html, type Markup, renderIfDefined, renderInlineCode, renderSection } from './markup.ts'
import { conclusionStatuses, renderConclusionGlyph, renderStatusGlyph, shownStatuses, statusNames } from './status.ts'

const CONCLUSION_SENTENCES: Readonly<Record<Conclusion, string>> = {
  conformant: 'Every requirement that was tested is met, so nothing needs to be changed.',
  nonconformant: 'At least one requirement is violated.',
  partial: 'No selected check failed; the other checks did not run.',
  inconclusive: 'The verdict is open, because not every requirement could be tested.',
}

/** Renders the verdict of the run, and the conclusion for each class: v2, v3 and parity (comparisons of both). */
export function renderOverview(report: Report): Markup {
  const { verdict, target } = report
  return html`
<header class="hero ${conclusionStatuses[verdict]}" id="verdict">
<p class="kind">Cat directory conformance</p>
<h1>${renderConclusionGlyph(verdict)} <span>${verdict}</span></h1>
<p class="target"><code>${target.embedded ? 'the embedded reference service' : target.baseUrl}</code></p>
<p class="lead">${leadSentenceOf(report)}</p>
${renderDiagnosis(report)}
${renderFindingIndex(report)}
</header>
<ul class="classes">${Object.entries(report.classes).map(([name, conclusion]) => renderClassCard(report, name, conclusion))}</ul>`
}

/**
 * The maximum number of findings in the index for which it also shows how to correct the defect. With more, it would
 * not fit on the first screen of a phone.
 */
const MAX_FINDINGS_WITH_FIX = 3

/**
 * Renders an index with one line per finding: defect, check, versions. With few violations, each line also says what
 * the failing inputs have in common, and how to correct the defect. Results that were seen only once share a line.
 */
function renderFindingIndex(report: Report): Markup {
  const all = selectShownChecks(report)
  if (all.length === 0) return html``
  const violations = all.filter(({ status }) => status === 'fail')
  const shown = violations.length > 0 ? all.filter(({ status }) => status !== 'inconclusive') : all
  const lines = shown.map(
    (one) =>
      html`<li>${renderStatusGlyph(one.status)} <a href="#finding-${all.indexOf(one) + 1}">${shortenText(firstLineOf(defectSentenceOf(one)), 300)}</a> <code>${one.id}</code> ${one.versions.map((version) => html`<span class="tag">${version}</span>`)}${one.status === 'inconclusive' ? html`<span class="tag inconclusive">seen once</span>` : html``}${violations.length > MAX_FINDINGS_WITH_FIX ? html`` : html`${renderHint('inputs', one.finding?.common, 200)}${renderHint('fix', one.finding?.fix, 300)}`}</li>`,
  )
  const others = all.filter((one) => !shown.includes(one))
  const [other] = others
  if (other)
    lines.push(
      html`<li>${renderStatusGlyph(other.status)} <a href="#finding-${all.indexOf(other) + 1}">${formatCount(others.length, 'other result')}</a> seen once and not again, perhaps for the same cause</li>`,
    )
  return html`<ol class="card index" aria-label="Index of findings">${lines}</ol>`
}

/** The first line of an error is its message; the others are its stack. */
const firstLineOf = (text: string): string => text.split('\n', 1)[0] ?? ''

/**
 * Renders the hint of a finding: the trait that only the failing inputs share (often the cause, e.g. an apostrophe), or
 * the fix. Returns empty markup if the text is undefined.
 */
const renderHint = (name: 'inputs' | 'fix', text: string | undefined, limit: number): Markup =>
  renderIfDefined(
    text,
    (shown) => html`<p class="fix"><b>${name}</b> ${renderInlineCode(shortenText(shown, limit))}</p>`,
  )

/** Renders the metadata of the run that are needed to repeat it. */
export function renderRunMetadata(report: Report): Markup {
  const { startedAt } = report
  const facts = [
    ['requests', formatWholeNumber(report.requests)],
    ['retries', formatWholeNumber(report.retries)],
    ['duration', formatDuration(report.durationMs)],
    ['effort', report.effort],
    ['seed', String(report.seed)],
    ['suite', report.suite.version],
  ].map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  const started = html`<div><dt>started</dt><dd><time datetime="${startedAt}">${startedAt.slice(0, 19).replace('T', ' ')} UTC</time></dd></div>`
  return renderSection(
    'run',
    'Run',
    'The options and the extent of the run.',
    html`<dl class="card facts">${facts}${started}</dl>`,
  )
}

/** Renders the cause of an inconclusive run, below the verdict. */
function renderDiagnosis(report: Report): Markup {
  const rows = buildDiagnosisRows(report)
  if (rows.length === 0) return html``
  const shown = rows.map(({ label, kind, text }) => {
    if (kind === 'body')
      return html`<dd><pre class="body" tabindex="0" role="group" aria-label="body of the response">${text}</pre></dd>`
    const value = kind === 'wire' ? html`<code>${text}</code>` : html`${text}`
    return html`<dt>${label}</dt><dd>${value}</dd>`
  })
  return html`<dl class="diagnosis">${shown}</dl>`
}

function leadSentenceOf(report: Report): string {
  const { verdict, target } = report
  const embedded = target.embedded
    ? ' No base URL was given, so the embedded reference service was tested, not your deployment.'
    : ''
  return `${CONCLUSION_SENTENCES[verdict]} ${buildHeadline(report)}.${embedded}`
}

const CLASS_TITLES: Readonly<Record<string, string>> = { v2: 'Version 2', v3: 'Version 3', parity: 'v2 and v3 agree' }

function renderClassCard(report: Report, name: string, conclusion: Conclusion): Markup {
  const skipped = describeWhyClassWasNotJudged(report, name)
  const checks = report.checks.filter(({ version }) => versionClassOf(version) === name)
  const title = html`<h2>${CLASS_TITLES[name] ?? name}</h2>`
  if (skipped !== undefined)
    return html`<li class="card class not-applicable">${title}<p class="verdict">not judged</p><p class="counts">${skipped}</p></li>`
  return html`<li class="card class ${conclusionStatuses[conclusion]}">${title}<p class="verdict">${renderConclusionGlyph(conclusion)} ${conclusion}</p>${renderBar(checks)}<p class="counts">${renderCounts(checks)}</p></li>`
}

/** Renders how many checks have each status, as a bar and as text. */
function renderBar(checks: readonly ReportCheck[]): Markup {
  const counts = countByStatus(checks)
  const total = Math.max(1, checks.length)
  let x = 0
  const pieces = shownStatuses.flatMap((status) => {
    const width = (counts[status] / total) * 1000
    const at = x
    x += width
    return width === 0
      ? []
      : [html`<rect class="fill ${status}" x="${at.toFixed(1)}" width="${width.toFixed(1)}" height="10"/>`]
  })
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>`
}

function renderCounts(checks: readonly ReportCheck[]): Markup[] {
  const counts = countByStatus(checks)
  const usedStatuses = shownStatuses.toReversed().filter((status) => counts[status] > 0)
  if (usedStatuses.length === 0) return [html`no check ran`]
  return usedStatuses.map(
    (status) =>
      html`<span><i class="dot ${status}" aria-hidden="true"></i>${counts[status]} ${statusNames[status]}</span> `,
  )
}

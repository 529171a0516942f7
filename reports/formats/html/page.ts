import { createHash } from 'node:crypto'
import { statusGlyphs } from '../../report/glyphs.ts'
import { countByStatus } from '../../report/grouping.ts'
import type { Report } from '../../report/report.ts'
import { findAnchors, renderFindingCards } from './findings.ts'
import { html, Markup } from './markup.ts'
import { renderCheckMatrix } from './matrix.ts'
import { renderOverview, renderRunMetadata } from './overview.ts'
import { pageScript } from './script.ts'
import { shownStatuses, statusNames } from './status.ts'
import { pageStyle } from './style.ts'
import { renderChoiceTable, renderNextSteps, renderNotTestedList, renderRequirementTable } from './tables.ts'
import { renderTimeline } from './timeline.ts'

const cspHashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The content security policy of the page: it allows only the page's own script and style, and no requests. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src ${cspHashOf(pageScript)}`,
  `style-src ${cspHashOf(pageStyle)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/**
 * Renders report.html: the whole report as one self-contained page. Text from the deployment never becomes markup.
 * @param report the report
 */
export function renderHtml(report: Report): string {
  const anchors = findAnchors(report)
  const sections = [
    renderNextSteps(report),
    renderRequirementTable(report),
    renderCheckMatrix(report, ({ id, version }) => anchors.get(`${id} ${version}`)),
    renderChoiceTable(report),
    renderNotTestedList(report),
    renderTimeline(report),
    renderRunMetadata(report),
  ]
  const bytesForFindings = MAX_PAGE_BYTES - Buffer.byteLength(renderPage(report, sections))
  return renderPage(report, [renderFindingCards(report, bytesForFindings), ...sections])
}

/**
 * The maximum size of the page in bytes. Browsers show a page of this size, with about 15,000 elements, in a second.
 */
const MAX_PAGE_BYTES = 1_500_000

function renderPage(report: Report, sections: readonly Markup[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${report.verdict}: ${report.target.embedded ? 'the embedded reference service' : report.target.baseUrl}</title>
<link rel="icon" href="data:,">
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#verdict">Skip to the verdict</a>
${renderNavigation(sections)}
<main>
${renderOverview(report)}
${renderFilters(report)}
${sections}
</main>
<footer><p>${report.suite.name} ${report.suite.version}. Generated from <code>report.json</code>; this page loads nothing from the network.</p></footer>
<script>${new Markup(pageScript)}</script>
</body>
</html>
`.source
}

const SECTION_TITLES: readonly (readonly [string, string])[] = [
  ['findings', 'Findings'],
  ['next', 'Next steps'],
  ['requirements', 'Requirements'],
  ['checks', 'Checks'],
  ['choices', 'Choices'],
  ['gaps', 'Not tested'],
  ['timeline', 'Timeline'],
  ['run', 'Run'],
]

function renderNavigation(sections: readonly Markup[]): Markup {
  const shownTitles = SECTION_TITLES.filter(([id]) =>
    sections.some(({ source }) => source.includes(`<section id="${id}"`)),
  )
  return html`<nav aria-label="Sections"><ul>${shownTitles.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`
}

/** Renders the filters. They are hidden until the script that implements them runs. */
function renderFilters({ checks, target }: Report): Markup {
  const counts = countByStatus(checks)
  const usedStatuses = shownStatuses.filter((status) => counts[status] > 0)
  const versions = target.versions.length > 1 ? [...target.versions, 'parity'] : target.versions
  return html`<form id="filters" role="search" hidden>
<div class="search"><label for="search">Search</label><input id="search" type="search" placeholder="a check, a name, a URL …" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd></div>
<div role="group" aria-label="Status">${usedStatuses.map((status) => html`<button type="button" class="chip ${status}" data-filter="status" value="${status}" aria-pressed="false"><span aria-hidden="true">${statusGlyphs[status]}</span> ${statusNames[status]} <b>${counts[status]}</b></button>`)}</div>
<div role="group" aria-label="Version">${versions.map((version) => html`<button type="button" class="chip" data-filter="version" value="${version}" aria-pressed="false">${version}</button>`)}</div>
<p class="matches"><output id="shown" aria-live="polite"></output> <button type="button" id="clear" hidden>Clear</button></p>
</form>`
}

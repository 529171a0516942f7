import type { VerdictScope } from '../../../suites/engine/check/verdict.ts'
import { hasPassedChecks, versionClassOf } from '../../report/grouping.ts'
import type { Report, ReportCheck } from '../../report/report.ts'
import { groupBy } from '../../text/group-by.ts'
import { formatCount, formatWholeNumber } from '../../text/wording.ts'
import { html, type Markup, renderSection } from './markup.ts'
import { renderStatusGlyph, statusNames } from './status.ts'

/**
 * Renders a table of checks by version, with the status of each check in each version.
 * @param anchorOf returns the HTML anchor of a check's finding; undefined if it has none
 */
export function renderCheckMatrix(report: Report, anchorOf: (check: ReportCheck) => string | undefined): Markup {
  const scopes = ['v2', 'v3', 'v2+v3'].filter((scope) => report.checks.some(({ version }) => version === scope))
  const bodies = [...groupChecks(report)].map(([group, checks]) => {
    const rows =
      checks.length > 2 && areAllInconclusive(checks)
        ? renderFoldedRow(checks, scopes)
        : html`${[...groupBy(checks, ({ id }) => id)].map(([, same]) => renderRow(same, scopes, anchorOf))}`
    return html`<tbody data-group><tr class="group"><th colspan="${scopes.length + 1}" scope="rowgroup">${group}</th></tr>${rows}</tbody>`
  })
  if (bodies.length === 0) return html``
  const heads = scopes.map((scope) => html`<th scope="col">${scope === 'v2+v3' ? 'both' : scope}</th>`)
  return renderSection(
    'checks',
    'Checks and versions',
    'All checks, with a result for each version or for both versions together. The numbers say how many inputs were tested.',
    html`<table class="card matrix"><thead><tr><th scope="col">check</th>${heads}</tr></thead>${bodies}</table>`,
  )
}

/**
 * Groups checks by the first part of their ids. If no check passed, those that are inconclusive are one group, because
 * they have one cause.
 */
function groupChecks(report: Report): ReadonlyMap<string, readonly ReportCheck[]> {
  const isFolded = (check: ReportCheck) => !hasPassedChecks(report) && areAllInconclusive([check])
  return groupBy(report.checks, (check) => (isFolded(check) ? 'not decided' : (check.id.split('/')[0] ?? check.id)))
}

/** Returns whether all checks are inconclusive and without a finding, so that their rows can be collapsed. */
const areAllInconclusive = (checks: readonly ReportCheck[]): boolean =>
  checks.every(({ status, finding }) => status === 'inconclusive' && finding === undefined)

/** Renders one row for several inconclusive checks, with their number in each version. */
function renderFoldedRow(checks: readonly ReportCheck[], scopes: readonly VerdictScope[]): Markup {
  const ids = [...new Set(checks.map(({ id }) => id))]
  const cells = scopes.map((scope) => {
    const count = checks.filter(({ version }) => version === scope).length
    return count === 0
      ? html`<td></td>`
      : html`<td>${renderStatusGlyph('inconclusive')}<span class="asked">${count}</span></td>`
  })
  const names = ids.map((id) => html`<code>${id}</code> `)
  return html`<tr data-item data-status="inconclusive" data-version="${versionFilterValuesOf(checks)}"><th scope="row"><details><summary>${formatCount(ids.length, 'check')}, all inconclusive</summary>${names}</details></th>${cells}</tr>`
}

/** Renders the row of one check, with a cell for each version. */
function renderRow(
  same: readonly ReportCheck[],
  scopes: readonly VerdictScope[],
  anchorOf: (check: ReportCheck) => string | undefined,
): Markup {
  const [first] = same
  if (first === undefined) return html``
  const cells = scopes.map((scope) =>
    renderCell(
      same.find(({ version }) => version === scope),
      anchorOf,
    ),
  )
  const statuses = [...new Set(same.map(({ status }) => status))].join(' ')
  return html`<tr data-item data-status="${statuses}" data-version="${versionFilterValuesOf(same)}"><th scope="row"><span class="what">${first.title}</span><code>${first.id}</code>${renderLevel(first)}</th>${cells}</tr>`
}

/** Returns the values of the page's version filter that show these checks, e.g. `v2 v3 parity`. */
export const versionFilterValuesOf = (checks: readonly { readonly version: VerdictScope }[]): string =>
  [...new Set(checks.map(({ version }) => versionClassOf(version)))].join(' ')

/** Renders the level of a check; nothing for `must`, the usual one. */
const renderLevel = ({ level }: ReportCheck): Markup =>
  level === 'must' ? html`` : html`<span class="level">${level}</span>`

function renderCell(check: ReportCheck | undefined, anchorOf: (check: ReportCheck) => string | undefined): Markup {
  if (check === undefined) return html`<td></td>`
  const anchor = anchorOf(check)
  const inputCount = check.asked > 0 ? html`<span class="asked">${formatWholeNumber(check.asked)}</span>` : html``
  const title = [statusNames[check.status], check.reason ?? check.exercised].filter(Boolean).join(': ')
  const shown = html`${renderStatusGlyph(check.status)}${inputCount}`
  return anchor === undefined
    ? html`<td title="${title.slice(0, 300)}">${shown}</td>`
    : html`<td title="${title.slice(0, 300)}"><a href="#${anchor}">${shown}</a></td>`
}

import { groupNextSteps } from '../../report/next-steps.ts'
import type { Report } from '../../report/report.ts'
import { describeCoverage } from '../../report/requirements.ts'
import { formatCount, formatWholeNumber } from '../../text/wording.ts'
import { html, type Markup, renderSection } from './markup.ts'

/** Renders each statement of the contract with its checks. */
export function renderRequirementTable({ requirements = [] }: Report): Markup {
  if (requirements.length === 0) return html``
  const rows = requirements.map(
    (one) =>
      html`<tr><th scope="row"><code>${one.id}</code> <span class="what">${one.sentence}</span></th><td>${describeCoverage(one)}</td><td data-name="failed">${one.failed}</td><td data-name="inconclusive">${one.inconclusive}</td><td data-name="inputs">${formatWholeNumber(one.inputs)}</td></tr>`,
  )
  const heads = ['requirement', 'checks', 'failed', 'inconclusive', 'inputs tested']
  return renderSection(
    'requirements',
    'Requirements',
    'The statements of the contract, and how their checks ended in all versions.',
    html`<table class="card requirements"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`,
  )
}

/** Renders what the user can do so that inconclusive checks are decided. Equal steps share a line. */
export function renderNextSteps(report: Report): Markup {
  const lines = groupNextSteps(report).map(({ step: { action, option, cost }, checks }) => {
    const names = checks.map(({ id, version }) => html`<code>${id}</code> <span class="tag">${version}</span> `)
    return html`<li class="gap"><p>${action}: <code>${option}</code> (cost: ${cost})</p><details><summary>decides ${formatCount(checks.length, 'inconclusive check')}</summary><p>${names}</p></details></li>`
  })
  if (lines.length === 0) return html``
  const note = 'What you can do so that the inconclusive checks are decided.'
  return renderSection('next', 'Next steps', note, html`<ul class="card gaps">${lines}</ul>`)
}

import { groupChecksByReason, listLimitations, summariseChoices } from '../../report/grouping.ts'
import { groupNextSteps } from '../../report/next-steps.ts'
import type { Report } from '../../report/report.ts'
import { describeCoverage } from '../../report/requirements.ts'
import { shortenText } from '../../text/escape.ts'
import { formatCount, formatWholeNumber } from '../../text/wording.ts'
import { html, type Markup, renderSection } from './markup.ts'
import { versionFilterValuesOf } from './matrix.ts'
import { renderStatusGlyph } from './status.ts'

const MAX_TEXT_CHARACTERS = 600

/**
 * Renders a table of the open points of the contract (behaviour that it leaves open), with the behaviour of the
 * deployment at each.
 */
export function renderChoiceTable(report: Report): Markup {
  const rows = summariseChoices(report.openPoints).map(
    ({ id, operation, versions, value, says }) =>
      html`<tr data-item data-status="choice" data-version="${versions.flatMap((version) => version.split('+')).join(' ')}"><th scope="row"><code>${id}</code></th><td>${renderChoice(value, says)}</td><td class="where">${operation ?? 'all operations'} ${versions.map((version) => html`<span class="tag">${version}</span>`)}</td></tr>`,
  )
  if (rows.length === 0) return html``
  return renderSection(
    'choices',
    'Choices',
    'Behaviour that the interface document leaves open. It is reported and never fails the run.',
    html`<table class="card choices"><thead><tr><th scope="col">open point</th><th scope="col">choice</th><th scope="col">where</th></tr></thead><tbody>${rows}</tbody></table>`,
  )
}

/**
 * Values that are not shown after the sentence that describes them, because they repeat it or could be misread as its
 * negation, e.g. "search ignores case: no".
 */
const UNINFORMATIVE_VALUES = ['yes', 'no', 'none', 'absent']

/** Renders a choice of the deployment: a sentence if there is one, and the value unless the sentence contains it. */
function renderChoice(value: string, says: string | undefined): Markup {
  const shown = shortenText(value, MAX_TEXT_CHARACTERS)
  if (says === undefined) return html`<span class="value">${shown}</span>`
  if (says.endsWith(value) || UNINFORMATIVE_VALUES.includes(value))
    return html`<span class="says">${shortenText(says, MAX_TEXT_CHARACTERS)}</span>`
  return html`<span class="says">${shortenText(says, MAX_TEXT_CHARACTERS)}</span> <span class="value">${shown}</span>`
}

/** Renders what was not tested, and why. */
export function renderNotTestedList(report: Report): Markup {
  const groups = groupChecksByReason(report.checks).map(
    ({ status, reason, checks }) =>
      html`<li class="gap" data-item data-status="${status}" data-version="${versionFilterValuesOf(checks)}"><p>${renderStatusGlyph(status)} ${shortenText(reason, MAX_TEXT_CHARACTERS)}</p><details><summary>${formatCount(checks.length, 'check')}</summary><p>${checks.map(({ id, version }) => html`<code>${id}</code> <span class="tag">${version}</span> `)}</p></details></li>`,
  )
  const sentences = listLimitations(report).map(
    (sentence) =>
      html`<li class="gap" data-item data-status="note"><p>${shortenText(sentence, MAX_TEXT_CHARACTERS)}</p></li>`,
  )
  if (groups.length + sentences.length === 0) return html``
  return renderSection(
    'gaps',
    'Not tested',
    'What the verdict does not cover: a check that did not run never counts as passed.',
    html`<ul class="card gaps">${groups}${sentences}</ul>`,
  )
}

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

import {
  choices,
  groupByCaveat,
  groupByReason,
  sampledChecks,
  sentencesOfRun,
  whoTheyAre,
} from '../../report/grouping.ts'
import type { Report } from '../../report/report.ts'
import { counted } from '../../text/wording.ts'
import { shortened } from './excerpt.ts'
import { html, type Markup, section } from './markup.ts'
import { versionsOf } from './matrix.ts'
import { statusGlyph } from './status.ts'

const LONGEST = 600

/** Renders the choices at the open points. */
export function choiceTable(report: Report): Markup {
  const rows = choices(report.openPoints).map(
    ({ id, operation, versions, value, says }) =>
      html`<tr data-item data-status="choice" data-version="${versions.flatMap((version) => version.split('+')).join(' ')}"><th scope="row"><code>${id}</code></th><td>${chosen(value, says)}</td><td class="where">${operation ?? 'all operations'} ${versions.map((version) => html`<span class="tag">${version}</span>`)}</td></tr>`,
  )
  if (rows.length === 0) return html``
  return section(
    'choices',
    'Choices',
    'Behaviour that the interface document leaves open. It is reported and never fails the run.',
    html`<table class="card choices"><thead><tr><th scope="col">open point</th><th scope="col">choice</th><th scope="col">where</th></tr></thead><tbody>${rows}</tbody></table>`,
  )
}

/** Values that add nothing to the sentence and could be misread as denying it. */
const BARE = ['yes', 'no', 'none', 'absent']

/** The sentence, and the value if the sentence does not contain it. */
function chosen(value: string, says: string | undefined): Markup {
  const shown = shortened(value, LONGEST)
  if (says === undefined) return html`<span class="value">${shown}</span>`
  if (says.endsWith(value) || BARE.includes(value)) return html`<span class="says">${shortened(says, LONGEST)}</span>`
  return html`<span class="says">${shortened(says, LONGEST)}</span> <span class="value">${shown}</span>`
}

/** Renders what was not tested, and why. */
export function gapList(report: Report): Markup {
  const groups = groupByReason(report.checks).map(
    ({ status, reason, checks }) =>
      html`<li class="gap" data-item data-status="${status}" data-version="${versionsOf(checks)}"><p>${statusGlyph(status)} ${shortened(reason, LONGEST)}</p><details><summary>${counted(checks.length, 'check')}</summary><p>${checks.map(({ id, version }) => html`<code>${id}</code> <span class="tag">${version}</span> `)}</p></details></li>`,
  )
  const sentences = [
    ...sentencesOfRun(report),
    ...groupByCaveat(report.checks).map(({ reason, checks }) => `${whoTheyAre(checks)} passed, but: ${reason}`),
    ...sampledChecks(report.checks).map(
      ({ id, version, asked, sampledFrom }) => `${id} (${version}) tested ${asked} of ${sampledFrom ?? asked} inputs`,
    ),
  ].map((sentence) => html`<li class="gap" data-item data-status="note"><p>${shortened(sentence, LONGEST)}</p></li>`)
  if (groups.length + sentences.length === 0) return html``
  return section(
    'gaps',
    'Not tested',
    'What the verdict does not cover: a check that did not run never counts as passed.',
    html`<ul class="card gaps">${groups}${sentences}</ul>`,
  )
}

import type { Conclusion, Status } from '../../../suites/engine/check/verdict.ts'
import { conclusionGlyphs, statusGlyphs } from '../../report/glyphs.ts'
import { html, type Markup } from './markup.ts'

/** The statuses in the order of filters and bars. */
export const shownStatuses: readonly Status[] = ['fail', 'error', 'inconclusive', 'warn', 'not-applicable', 'pass']

export const statusNames: Readonly<Record<Status, string>> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'advice',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
  error: 'error',
}

/** For each conclusion of a run, the check status with the same colour. */
export const conclusionStatuses: Readonly<Record<Conclusion, Status>> = {
  conformant: 'pass',
  nonconformant: 'fail',
  inconclusive: 'inconclusive',
  partial: 'not-applicable',
}

/** Renders the glyph of a status with a text alternative. */
export const renderStatusGlyph = (status: Status): Markup =>
  html`<span class="glyph ${status}" role="img" aria-label="${statusNames[status]}">${statusGlyphs[status]}</span>`

export const renderConclusionGlyph = (conclusion: Conclusion): Markup =>
  html`<span class="glyph ${conclusionStatuses[conclusion]}" aria-hidden="true">${conclusionGlyphs[conclusion]}</span>`

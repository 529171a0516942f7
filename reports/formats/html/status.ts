import type { Conclusion, Status } from '../../../suites/engine/check/verdict.ts'
import { conclusionFigures, statusFigures } from '../../report/figures.ts'
import { html, type Markup } from './markup.ts'

/** The names of the statuses. */
export const statusNames: Readonly<Record<Status, string>> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'advice',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
  error: 'error',
}

/** The status with the colour of a conclusion. */
export const colourOf: Readonly<Record<Conclusion, Status>> = {
  conformant: 'pass',
  nonconformant: 'fail',
  inconclusive: 'inconclusive',
  partial: 'not-applicable',
}

/** A glyph with a text alternative. */
export const statusGlyph = (status: Status): Markup =>
  html`<span class="glyph ${status}" role="img" aria-label="${statusNames[status]}">${statusFigures[status]}</span>`

export const conclusionGlyph = (conclusion: Conclusion): Markup =>
  html`<span class="glyph ${colourOf[conclusion]}" aria-hidden="true">${conclusionFigures[conclusion]}</span>`

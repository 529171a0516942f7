import type { Conclusion, Status } from '../../suites/engine/check/verdict.ts'

/** All glyphs of the reports. */
export const figures = {
  rule: '─',
  bar: '│',
  dot: '·',
  ellipsis: '…',
} as const

/** The glyph of each status; they differ in shape, not only in colour. */
export const statusFigures: Readonly<Record<Status, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  inconclusive: '?',
  'not-applicable': '–',
  error: '‼',
}

/** The glyph of each conclusion. */
export const conclusionFigures: Readonly<Record<Conclusion, string>> = {
  conformant: statusFigures.pass,
  nonconformant: statusFigures.fail,
  inconclusive: statusFigures.inconclusive,
  partial: figures.ellipsis,
}

import type { Conclusion, Status } from '../../suites/engine/check/verdict.ts'

/** Every glyph that a report shows, in one table. */
export const figures = {
  rule: '─',
  bar: '│',
  dot: '·',
  ellipsis: '…',
} as const

/** One glyph per status: each differs in shape, so that nothing hangs on colour. */
export const statusFigures: Readonly<Record<Status, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  inconclusive: '?',
  'not-applicable': '–',
  error: '‼',
}

/** One glyph per conclusion. */
export const conclusionFigures: Readonly<Record<Conclusion, string>> = {
  conformant: statusFigures.pass,
  nonconformant: statusFigures.fail,
  inconclusive: statusFigures.inconclusive,
  partial: figures.ellipsis,
}

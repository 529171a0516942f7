import type { Conclusion, Status } from '../../suites/engine/check/verdict.ts'

export const glyphs = {
  rule: '─',
  bar: '│',
  dot: '·',
  ellipsis: '…',
} as const

/** The glyph of each status. Glyphs differ in shape, so that the statuses are recognised without colour. */
export const statusGlyphs: Readonly<Record<Status, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  inconclusive: '?',
  'not-applicable': '–',
  error: '‼',
}

export const conclusionGlyphs: Readonly<Record<Conclusion, string>> = {
  conformant: statusGlyphs.pass,
  nonconformant: statusGlyphs.fail,
  inconclusive: statusGlyphs.inconclusive,
  partial: glyphs.ellipsis,
}

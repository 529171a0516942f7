import type { InconclusiveKind } from '../../suites/engine/inconclusive.ts'

/** The kinds that reports leave out of a reason such as `limited: status 429`, because its text alone is clear. */
const OMITTED_KINDS: readonly InconclusiveKind[] = [
  'prerequisite',
  'unreadable',
  'unreachable',
  'limited',
  'budget',
  'interrupted',
  'drift',
  'nothing to ask',
  'withheld',
]

/** Divides a reason of report.json into its kind and the text after the colon, e.g. `limited: status 429`. */
export function parseReason(reason: string): { readonly kind: string; readonly text: string } {
  const [, kind = '', text = reason] = /^([a-z ]+): (.*)$/s.exec(reason) ?? []
  return { kind, text }
}

/**
 * Describes why a check is inconclusive. E.g. `prerequisite: lives/is-a-count (v3) failed` becomes `not tested, because
 * lives/is-a-count (v3) failed`.
 * @param reason a reason from report.json, which starts with its kind and a colon
 */
export function describeReason(reason: string): string {
  const { kind, text } = parseReason(reason)
  if (kind === 'prerequisite' && /^[a-z-]+\/[a-z-]+ \(/.test(text)) return `not tested, because ${text}`
  return OMITTED_KINDS.some((omitted) => omitted === kind) ? text : reason
}

/** Removes the versions from a reason, to compare the reasons of v2 and v3. */
export const removeVersionsFromReason = (reason: string): string =>
  reason.replace(/ \(v\d(?:\+v\d)?\)/g, '').replace(/\/v\d(?=\/)/g, '/v*')

/** Kinds of inconclusive reasons that a reader does not need: the sentence after the colon says it. */
const REASON_KIND_PREFIX = /^(?:prerequisite|unreadable|unreachable|limited|budget|interrupted): /

/**
 * Why a check is inconclusive, in words: `prerequisite: lives/is-a-count (v3) failed` becomes `not tested, because
 * lives/is-a-count (v3) failed`.
 * @param reason a reason from report.json, with its kind before a colon
 */
export function describeReason(reason: string): string {
  const [, needed] = /^prerequisite: ([a-z-]+\/[a-z-]+ \(.*)$/s.exec(reason) ?? []
  if (needed !== undefined) return `not tested, because ${needed}`
  return reason.replace(/^nothing to ask: /, 'nothing to test with: ').replace(REASON_KIND_PREFIX, '')
}

/** A reason without versions, to compare those of v2 and v3. */
export const removeVersions = (reason: string): string =>
  reason.replace(/ \(v\d(?:\+v\d)?\)/g, '').replace(/\/v\d(?=\/)/g, '/v*')

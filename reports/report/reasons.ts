/** Matches kinds of reasons that readers do not need, because the sentence after the colon says the same. */
const REASON_KIND_PREFIX = /^(?:prerequisite|unreadable|unreachable|limited|budget|interrupted): /

/**
 * Describes why a check is inconclusive. E.g. `prerequisite: lives/is-a-count (v3) failed` becomes `not tested, because
 * lives/is-a-count (v3) failed`.
 * @param reason a reason from report.json, with its kind before a colon
 */
export function describeReason(reason: string): string {
  const [, needed] = /^prerequisite: ([a-z-]+\/[a-z-]+ \(.*)$/s.exec(reason) ?? []
  if (needed !== undefined) return `not tested, because ${needed}`
  return reason.replace(/^nothing to ask: /, 'nothing to test with: ').replace(REASON_KIND_PREFIX, '')
}

/** Removes the versions from a reason, to compare the reasons of v2 and v3. */
export const removeVersions = (reason: string): string =>
  reason.replace(/ \(v\d(?:\+v\d)?\)/g, '').replace(/\/v\d(?=\/)/g, '/v*')

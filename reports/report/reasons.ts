/** Matches the kind at the start of a reason, e.g. `limited: `, if it adds nothing to the sentence after the colon. */
const REASON_KIND_PREFIX =
  /^(?:prerequisite|unreadable|unreachable|limited|budget|interrupted|drift|nothing to ask|withheld): /

/**
 * Describes why a check is inconclusive. E.g. `prerequisite: lives/is-a-count (v3) failed` becomes `not tested, because
 * lives/is-a-count (v3) failed`.
 * @param reason a reason from report.json, which starts with its kind and a colon
 */
export function describeReason(reason: string): string {
  const [, needed] = /^prerequisite: ([a-z-]+\/[a-z-]+ \(.*)$/s.exec(reason) ?? []
  if (needed !== undefined) return `not tested, because ${needed}`
  return reason.replace(REASON_KIND_PREFIX, '')
}

/** Removes the versions from a reason, to compare the reasons of v2 and v3. */
export const removeVersionsFromReason = (reason: string): string =>
  reason.replace(/ \(v\d(?:\+v\d)?\)/g, '').replace(/\/v\d(?=\/)/g, '/v*')

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

/** Matches a reason that ends with advice, by the first words of the advice. */
const ADVICE =
  /^(.*?)\. ((?:Serve the whole list|Serve all names|Add the name|Serve each element|Pin the place|If the strings at|If the arrays at|Call the member|Test again while)\b.*)$/s

/** Divides a reason into the cause, and the advice at its end if there is advice. */
export function splitOffAdvice(reason: string): { readonly cause: string; readonly advice?: string } {
  const [, cause, advice] = ADVICE.exec(reason) ?? []
  if (cause === undefined || advice === undefined) return { cause: reason }
  return { cause, advice: advice.charAt(0).toUpperCase() + advice.slice(1) }
}

/** Removes the versions from a reason, to compare the reasons of v2 and v3. */
export const removeVersionsFromReason = (reason: string): string =>
  reason.replace(/ \(v\d(?:\+v\d)?\)/g, '').replace(/\/v\d(?=\/)/g, '/v*')

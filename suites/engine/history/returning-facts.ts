/** A fact that is lost and found again, or found and lost again, has changed this often. */
const CHANGES_OF_A_RETURN = 2

/**
 * Returns whether a fact was lost and found again in a series of contents, or found and lost again. It may still be
 * permissible: the responses may be copies of different age.
 * @param contentsInOrder the contents of one resource in the order of the readings
 * @param factsOf returns the facts in a content, e.g. the listed names
 */
export function hasReturningFact(
  contentsInOrder: readonly string[],
  factsOf: (content: string) => readonly string[],
): boolean {
  const changes = new Map<string, number>()
  let before: ReadonlySet<string> | undefined
  for (const content of contentsInOrder) {
    const facts = new Set(factsOf(content))
    const changed = before ? [...before, ...facts].filter((fact) => before?.has(fact) !== facts.has(fact)) : []
    for (const fact of changed) {
      const count = (changes.get(fact) ?? 0) + 1
      if (count >= CHANGES_OF_A_RETURN) return true
      changes.set(fact, count)
    }
    before = facts
  }
  return false
}

/** A fact that is lost and found again, or found and lost again, has changed this often. */
const CHANGES_OF_A_RETURN = 2

/**
 * Returns the facts that were lost and found again in a series of contents, or found and lost again. That may be
 * permissible: the responses may be copies of different age.
 * @param contentsInOrder the contents of one resource in the order of the readings
 * @param factsOf returns the facts in a content, e.g. the listed names
 */
export function findReturningFacts(
  contentsInOrder: readonly string[],
  factsOf: (content: string) => readonly string[],
): readonly string[] {
  const changes = new Map<string, number>()
  const [first = new Set<string>(), ...later] = contentsInOrder.map((content) => new Set(factsOf(content)))
  let before = first
  for (const facts of later) {
    for (const fact of new Set([...before, ...facts]))
      if (before.has(fact) !== facts.has(fact)) changes.set(fact, (changes.get(fact) ?? 0) + 1)
    before = facts
  }
  return [...changes].filter(([, count]) => count >= CHANGES_OF_A_RETURN).map(([fact]) => fact)
}

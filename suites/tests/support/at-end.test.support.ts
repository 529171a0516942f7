type End = () => unknown

const ends = new Set<End>()

/**
 * Calls a function after all tests of the file, e.g. to close a server. vitest's hooks for a single test are no
 * alternative: they do not work in concurrent tests.
 */
export const callAfterTests = (end: End): void => void ends.add(end)

export async function callEndFunctions(): Promise<void> {
  const all = [...ends]
  ends.clear()
  await Promise.all(all.map((end) => end()))
}

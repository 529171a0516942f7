type End = () => unknown

const ends = new Set<End>()

/**
 * Ends a resource after all tests of the file. Tests may run concurrently, and then vitest does not know which of them
 * started it.
 */
export const callAfterTests = (end: End): void => void ends.add(end)

export async function endResources(): Promise<void> {
  const all = [...ends]
  ends.clear()
  await Promise.all(all.map((end) => end()))
}

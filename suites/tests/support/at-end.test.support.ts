type End = () => unknown

const ends = new Set<End>()

/**
 * Calls a function after all tests of the file, e.g. to close a server. Tests may run concurrently, so that the hooks
 * of a single test cannot be used.
 */
export const callAfterTests = (end: End): void => void ends.add(end)

export async function endResources(): Promise<void> {
  const all = [...ends]
  ends.clear()
  await Promise.all(all.map((end) => end()))
}

/** Longer texts come from the deployment and are mostly new. */
const [MOST, LONGEST] = [1000, 100]

/** Memoises a function of short texts: for results that are needed for the same few keys again and again. */
export function memoiseByText<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined || text.length > LONGEST) return before ?? make(text)
    const made = make(text)
    if (known.size >= MOST) known.clear()
    known.set(text, made)
    return made
  }
}

/** Longer texts are not memoised: they come from the deployment, and most occur once. */
const [MOST, LONGEST] = [1000, 100]

/** Memoises a function of short texts that is called with the same few keys again and again. */
export function memoiseByText<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined || text.length > LONGEST) return before ?? make(text)
    const result = make(text)
    if (known.size >= MOST) known.clear()
    known.set(text, result)
    return result
  }
}

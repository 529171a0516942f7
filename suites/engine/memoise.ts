/** Returns a function that computes a value on its first call, and returns the same value on later calls. */
export function computeOnce<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => (known ??= { value: compute() }).value
}

/**
 * Memoises a function of an object (e.g. of a list that many checks use) as long as the object exists. Only one result
 * per object is kept: if the other arguments change, it is computed once more.
 */
export function memoiseByObject<K extends object, A extends readonly unknown[], T>(
  compute: (key: K, ...others: A) => T,
): (key: K, ...others: A) => T {
  const latest = new WeakMap<K, { readonly others: A; readonly value: T }>()
  return (key, ...others) => {
    const known = latest.get(key)
    if (known?.others.every((one, nth) => one === others[nth])) return known.value
    const value = compute(key, ...others)
    latest.set(key, { others, value })
    return value
  }
}

/** Returns a function that computes a value on its first call for an object, whatever the other arguments of later calls. */
export function computeOncePerObject<K extends object, A extends readonly unknown[], T>(
  compute: (key: K, ...others: A) => T,
): (key: K, ...others: A) => T {
  const known = new WeakMap<K, { readonly value: T }>()
  return (key, ...others) => {
    const result = known.get(key) ?? { value: compute(key, ...others) }
    known.set(key, result)
    return result.value
  }
}

/**
 * The maximum number of memoised results, and the maximum length of the texts for which a result is kept. Longer texts
 * come from the deployment, and most of them occur once.
 */
const [MAX_TEXTS, MAX_TEXT_LENGTH] = [1000, 100]

/** Memoises a function of a short text. Useful if the same few texts recur often. */
export function memoiseByText<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined || text.length > MAX_TEXT_LENGTH) return before ?? make(text)
    const result = make(text)
    if (known.size >= MAX_TEXTS) known.clear()
    known.set(text, result)
    return result
  }
}

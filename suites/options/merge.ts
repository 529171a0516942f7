/**
 * Merges objects into a new one. Members that are objects are merged too. Of other members with the same name, the last
 * one is used.
 */
export function mergeObjects<A extends object, B extends object>(first: A, others: readonly B[]): A & B {
  const whole = new Map<string, unknown>(Object.entries(first))
  for (const [name, value] of others.flatMap((other) => Object.entries(other))) {
    const before = whole.get(name)
    whole.set(name, isRecord(before) && isRecord(value) ? mergeObjects(before, [value]) : value)
  }
  return Object.fromEntries(whole) as A & B // Every entry comes from one of the two objects.
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

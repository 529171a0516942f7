/**
 * All the objects in one. Of two objects by the same name both stay, of any other two values the later.
 *
 * @param first what the others are added to; stays as it is
 */
export function merged<A extends object, B extends object>(first: A, others: readonly B[]): A & B {
  const whole = new Map<string, unknown>(Object.entries(first))
  for (const [name, value] of others.flatMap((other) => Object.entries(other))) {
    const before = whole.get(name)
    whole.set(name, isRecord(before) && isRecord(value) ? merged(before, [value]) : value)
  }
  return Object.fromEntries(whole) as A & B // every entry comes from one of them
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

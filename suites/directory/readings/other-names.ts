import { createValueReader, type JsonPlace, valueAt } from './json.ts'

/** Indexes the other strings by which searches find the elements. */
export function createOtherNameLookup(
  elements: readonly unknown[],
  name: JsonPlace,
  otherNamePlaces: readonly JsonPlace[],
): (name: string) => readonly string[] {
  const others = otherNamePlaces.map(createValueReader)
  const namesOf = (element: unknown) =>
    others.map((other) => other(element)).filter((one): one is string => typeof one === 'string')
  const names = new Map(elements.map((element) => [valueAt(element, name), namesOf(element)]))
  return (one) => names.get(one) ?? []
}

/**
 * Returns the first name that differs from the string at a place which showed equal strings before, and this string.
 * Either may then be the name (R3.6), e.g. `O'Malley` and `O&#8217;Malley`.
 */
export function findFirstDifferingString(
  elements: readonly unknown[],
  name: JsonPlace,
  equalPlaces: readonly JsonPlace[],
): readonly [name: string, other: string] | undefined {
  const others = equalPlaces.map(createValueReader)
  if (others.length === 0) return undefined
  for (const element of elements) {
    const text = valueAt(element, name)
    const other = others.map((read) => read(element)).find((one) => typeof one === 'string' && one !== text)
    if (typeof text === 'string' && typeof other === 'string') return [text, other]
  }
  return undefined
}

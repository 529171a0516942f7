import { createValueReader, type JsonPlace, valueAt } from './json.ts'

/** Creates a lookup of strings, e.g. titles, by which only searches find an element. */
export function createSearchOnlyNameLookup(
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

/** Finds the first element whose strings differ at places that had equal strings, e.g. `O&#8217;Malley` (R3.6). */
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

import { arrayAt, createValueReader, type JsonPlace, valueAt, walkJson } from './json.ts'

const MAX_NAMES_BESIDE_LIST = 1_000

/**
 * Finds the names in the other arrays of an object that contains the list, e.g. in `others` of `{"best": […], "others":
 * […]}`.
 */
export function findNamesInOtherArrays(value: unknown, list: JsonPlace, name: JsonPlace): readonly string[] {
  if (list.length === 0 || Array.isArray(valueAt(value, list.slice(0, -1)))) return []
  const listArray = arrayAt(value, list)
  const others: (readonly unknown[])[] = []
  walkJson(
    value,
    list.length,
    (here) => !Array.isArray(here),
    (here) => void (Array.isArray(here) && here !== listArray && others.push(here)),
  )
  if (others.some(({ length }) => length > MAX_NAMES_BESIDE_LIST)) return []
  return others
    .flat()
    .map(createValueReader(name))
    .filter((one) => typeof one === 'string')
}

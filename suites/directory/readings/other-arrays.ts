import { arrayAt, createValueReader, type JsonPlace, valueAt, walkJson } from './json.ts'

/** The limit of names kept. */
const MAX_NAMES_BESIDE_LIST = 1_000

/** The names in other arrays of the envelope of a list: `{"best": […], "others": […]}`. */
export function findNamesInOtherArrays(value: unknown, list: JsonPlace, name: JsonPlace): readonly string[] {
  if (list.length === 0 || Array.isArray(valueAt(value, list.slice(0, -1)))) return []
  const own = arrayAt(value, list)
  const others: (readonly unknown[])[] = []
  walkJson(
    value,
    list.length,
    (here) => !Array.isArray(here),
    (here) => void (Array.isArray(here) && here !== own && others.push(here)),
  )
  if (others.some(({ length }) => length > MAX_NAMES_BESIDE_LIST)) return []
  return others
    .flat()
    .map(createValueReader(name))
    .filter((one) => typeof one === 'string')
}

import { arrayAt, at, type Place, reader, walk } from './json.ts'

/** The limit of names kept. */
const MOST_BESIDE = 1_000

/** The names in other arrays of the envelope of a list: `{"best": […], "others": […]}`. */
export function namesBeside(value: unknown, list: Place, name: Place): readonly string[] {
  if (list.length === 0 || Array.isArray(at(value, list.slice(0, -1)))) return []
  const own = arrayAt(value, list)
  const others: (readonly unknown[])[] = []
  walk(
    value,
    list.length,
    (here) => !Array.isArray(here),
    (here) => void (Array.isArray(here) && here !== own && others.push(here)),
  )
  if (others.some(({ length }) => length > MOST_BESIDE)) return []
  return others
    .flat()
    .map(reader(name))
    .filter((one) => typeof one === 'string')
}

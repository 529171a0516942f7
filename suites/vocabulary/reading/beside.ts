import { at, type Place, reader } from './json.ts'

/** More are not kept. */
const MOST_BESIDE = 1_000

/** The names that stand in other arrays beside a list: `{"best": […], "others": […]}`. */
export function namesBeside(value: unknown, list: Place, name: Place): readonly string[] {
  const around = at(value, list.slice(0, -1))
  if (list.length === 0 || Array.isArray(around) || typeof around !== 'object' || around === null) return []
  const others = Object.entries(around).flatMap(([key, one]): (readonly unknown[])[] =>
    key !== list.at(-1) && Array.isArray(one) ? [one] : [],
  )
  if (others.some(({ length }) => length > MOST_BESIDE)) return []
  return others
    .flat()
    .map(reader(name))
    .filter((one) => typeof one === 'string')
}

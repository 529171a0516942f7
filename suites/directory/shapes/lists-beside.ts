import { candidatesOf, stringsOf } from '../readings/candidates.ts'
import { pointer } from '../readings/json.ts'
import { folded } from '../shared/text.ts'
import { type Evidence, higher } from './place-evidence.ts'
import type { Cats } from './sights.ts'

const listOf = ({ first }: Evidence): string => pointer(first.list.place)

/**
 * Prefers the shortest of several lists with the requested names, if it lacks none of them: hits also stand among
 * suggestions, and the first hits among all.
 */
export function withLeast(places: readonly Evidence[]): readonly Evidence[] {
  const most = Math.max(...places.map(({ inputs }) => inputs))
  const [least, ...others] = places
    .filter(({ inputs }) => inputs === most)
    .toSorted((one, other) => one.size - other.size)
  if (!least || others.some((one) => lacksAny(least, one))) return places
  const shortest = new Set([least, ...others].filter(({ size }) => size === least.size).map(listOf))
  return places.filter((one) => shortest.has(listOf(one)))
}

/** Returns whether another list has, for the requested string, a name that contains it, while this one has none. */
const lacksAny = (one: Evidence, another: Evidence): boolean =>
  another.byInput.some(([input, names]) => {
    const own = new Set(one.byInput.flatMap(([asked, some]) => (asked === input ? some : [])))
    return names.some((name) => !own.has(name) && folded(name).includes(folded(input)))
  })

/**
 * Keeps the lists whose cats are found by a search for their breed and have one breed each (S-CAT-BREED): other lists
 * recommend cats of other breeds.
 */
export async function ofTheirBreed(
  places: readonly Evidence[],
  cats: Cats,
  searchFor: ((breed: string) => Promise<unknown>) | undefined,
): Promise<readonly Evidence[]> {
  const filled = places.filter((one) => one.known(cats) > 0)
  if (!searchFor || new Set(filled.filter(({ isAlwaysOne }) => !isAlwaysOne).map(listOf)).size < 2) return places
  const breeds = [...new Set(filled.flatMap(({ byInput }) => byInput.map(([breed]) => breed)))]
  const found = new Map(
    await Promise.all(breeds.map(async (breed) => [breed, textsIn(await searchFor(breed))] as const)),
  )
  const scores = new Map<string, readonly number[]>()
  for (const one of filled) {
    const score = [areFound(one, cats, found) ? 1 : 0, areShared(one) ? 0 : 1]
    const before = scores.get(listOf(one))
    if (!before || higher(before, score) > 0) scores.set(listOf(one), score)
  }
  const [best] = [...scores.values()].toSorted(higher)
  return best ? places.filter((one) => higher(scores.get(listOf(one)) ?? best, best) === 0) : places
}

const textsIn = (value: unknown): ReadonlySet<string> => new Set(candidatesOf(value, 'cat').flatMap(stringsOf))

/**
 * Returns whether a search for the requested string finds most of the cats there; one may have been added or removed
 * meanwhile.
 */
function areFound({ byInput }: Evidence, cats: Cats, found: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const known = byInput.flatMap(([breed, names]) =>
    names.filter((name) => cats.has(name)).map((name) => [breed, name] as const),
  )
  return known.filter(([breed, name]) => found.get(breed)?.has(name)).length * 3 > known.length * 2
}

/** Returns whether many of the names there stand there for several inputs. */
const areShared = ({ byInput }: Evidence): boolean => {
  const names = byInput.flatMap(([, some]) => [...new Set(some)])
  return new Set(names).size * 5 < names.length * 4
}

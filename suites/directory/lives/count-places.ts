import { INPUT_PLACEHOLDER, parseJsonPointer, toJsonPointer } from '../readings/json.ts'

interface CountOfCat {
  readonly place: string
  readonly cat: string
}

/** Returns whether a cat's count is at a place, in which a placeholder stands for the cat's name (R9.3). */
export function isCountAtPlace({ place, cat }: CountOfCat, usual: string): boolean {
  const tokens = parseJsonPointer(place)
  const usualTokens = parseJsonPointer(usual)
  if (tokens.length !== usualTokens.length) return false
  return usualTokens.every((usualToken, nth) => {
    const token = tokens[nth]
    return token === usualToken || (usualToken === INPUT_PLACEHOLDER && token === cat)
  })
}

/**
 * Returns the place of one count, with a placeholder where the places of both counts have the name of the cat. E.g.
 * `/cats/Tom/lives` of Tom and `/cats/Kit/lives` of Kit give a place of the form `/cats/…/lives`.
 */
function mergePlaces(one: CountOfCat, other: CountOfCat): string {
  if (one.place === other.place) return one.place
  const otherTokens = parseJsonPointer(other.place)
  return toJsonPointer(
    parseJsonPointer(one.place).map((token, nth) =>
      token === one.cat && token !== otherTokens[nth] && otherTokens[nth] === other.cat ? INPUT_PLACEHOLDER : token,
    ),
  )
}

/**
 * Returns the JSON Pointer that most counts share, with a placeholder for the cat's name; undefined if there are no
 * counts. All counts are compared, because a cat may have the name of a member, e.g. `data` in `{"data": {"data": 7}}`.
 */
export function findUsualPlace(counts: readonly CountOfCat[]): string | undefined {
  const places = counts.flatMap((one) => counts.map((other) => mergePlaces(one, other)))
  const share = (place: string) => counts.filter((count) => isCountAtPlace(count, place)).length
  return [...new Set(places)].toSorted((a, b) => share(b) - share(a))[0]
}

/**
 * The minimum number of cats whose counts have different keys, so that the keys may be those of the cats. With fewer
 * cats, a key such as `livesLeft` may be a misspelt `lives_left`.
 */
const MIN_CATS_WITH_OWN_KEYS = 3

/**
 * Returns whether the places of the counts of several cats are one place, in which a key identifies the cat, e.g.
 * `/entities/Q42/lives_left` with the id of the cat (R9.3): each part is equal for all cats, or another for each cat.
 */
export function areKeyedByCat(placeByCat: ReadonlyMap<string, string>): boolean {
  const places = [...placeByCat.values()].map(parseJsonPointer)
  const [first = []] = places
  const countAt = (nth: number) => new Set(places.map((tokens) => tokens[nth])).size
  const mayBeWrongNames = places.length < MIN_CATS_WITH_OWN_KEYS && countAt(first.length - 1) > 1
  return (
    !mayBeWrongNames &&
    places.every(({ length }) => length === first.length) &&
    first.every((_, nth) => [1, places.length].includes(countAt(nth)))
  )
}

import { type JsonPlace, valueAt } from './json.ts'
import { listKeys, normaliseKey } from './list-keys.ts'

const matchesAnyPattern = (patterns: readonly RegExp[], key = ''): boolean =>
  patterns.some((pattern) => pattern.test(normaliseKey(key)))

/** Returns whether it is the cat's own breed: it is beside the name, and no key says former, favourite or mother. */
export function isOwnBreed(place: JsonPlace, name: JsonPlace): boolean {
  const breed = place.findIndex((key) => matchesAnyPattern(listKeys.ownBreed, key))
  const above = place.slice(0, Math.max(0, breed))
  return breed >= 0 && above.every((key, depth) => key === name[depth] || matchesAnyPattern(listKeys.aboveBreed, key))
}

/** False for places deeper below the key of the breed, which may describe another breed, e.g. its ancestors. */
export function isOwnBreedByKey(place: JsonPlace): boolean {
  const below = place.slice(place.findIndex((key) => matchesAnyPattern(listKeys.ownBreed, key)) + 1)
  return below.every((key) => matchesAnyPattern(listKeys.withinBreed, key))
}

/**
 * The places where elements of cats may show their breeds, the likeliest first: most strings there are listed breeds,
 * below a key for a breed.
 * @param selectListedBreeds the listed breeds among some texts
 */
export function findBreedPlaces(
  places: readonly JsonPlace[],
  elements: readonly unknown[],
  name: JsonPlace,
  selectListedBreeds: (texts: readonly string[]) => ReadonlySet<string>,
): readonly JsonPlace[] {
  const seen = elements.slice(0, 100)
  const share = (place: JsonPlace) => {
    const shown = seen.map((element) => valueAt(element, place)).filter((text) => typeof text === 'string')
    const breeds = selectListedBreeds(shown)
    return shown.filter((text) => breeds.has(text)).length / seen.length
  }
  const scored = places.filter((place) => isOwnBreed(place, name)).map((place) => ({ place, share: share(place) }))
  const isName = ({ place }: (typeof scored)[number]) => Number(matchesAnyPattern(listKeys.breedName, place.at(-1)))
  return scored
    .filter((one) => one.share >= 0.5)
    .sort((a, b) => b.share - a.share || a.place.length - b.place.length || isName(b) - isName(a))
    .map(({ place }) => place)
}

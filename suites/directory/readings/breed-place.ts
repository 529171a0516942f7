import { at, type Place } from './json.ts'
import { listKeys, plainKey } from './list-keys.ts'

const isCalled = (patterns: readonly RegExp[], key = ''): boolean =>
  patterns.some((pattern) => pattern.test(plainKey(key)))

/** Returns whether it is the cat's own breed: it is beside the name, and no key says former, favourite or mother. */
export function isOwnBreed(place: Place, name: Place): boolean {
  const breed = place.findIndex((key) => isCalled(listKeys.ownBreed, key))
  const above = place.slice(0, Math.max(0, breed))
  return breed >= 0 && above.every((key, depth) => key === name[depth] || isCalled(listKeys.aboveBreed, key))
}

/** False for places deeper below the key of the breed, which may describe another breed, e.g. its ancestors. */
export function isSurelyBreed(place: Place): boolean {
  const below = place.slice(place.findIndex((key) => isCalled(listKeys.ownBreed, key)) + 1)
  return below.every((key) => isCalled(listKeys.withinBreed, key))
}

/**
 * The places where elements of cats may show their breeds, the likeliest first: most strings there are listed breeds,
 * below a key for a breed.
 * @param breedsAmong the listed breeds among some texts
 */
export function breedPlaces(
  places: readonly Place[],
  elements: readonly unknown[],
  name: Place,
  breedsAmong: (texts: readonly string[]) => ReadonlySet<string>,
): readonly Place[] {
  const seen = elements.slice(0, 100)
  const share = (place: Place) => {
    const shown = seen.map((element) => at(element, place)).filter((text) => typeof text === 'string')
    const breeds = breedsAmong(shown)
    return shown.filter((text) => breeds.has(text)).length / seen.length
  }
  const scored = places.filter((place) => isOwnBreed(place, name)).map((place) => ({ place, share: share(place) }))
  const isName = ({ place }: (typeof scored)[number]) => Number(isCalled(listKeys.breedName, place.at(-1)))
  return scored
    .filter((one) => one.share >= 0.5)
    .sort((a, b) => b.share - a.share || a.place.length - b.place.length || isName(b) - isName(a))
    .map(({ place }) => place)
}

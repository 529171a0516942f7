import { at, type Place } from './json.ts'
import { listKeys, plainKey } from './list-keys.ts'

const isCalled = (patterns: readonly RegExp[], key = ''): boolean =>
  patterns.some((pattern) => pattern.test(plainKey(key)))

/** A breed that stands elsewhere than the name, or is called a former, a favourite or a mother's, is not the cat's own. */
export function isOwnBreed(place: Place, name: Place): boolean {
  const breed = place.findIndex((key) => isCalled(listKeys.ownBreed, key))
  const above = place.slice(0, Math.max(0, breed))
  return breed >= 0 && above.every((key, depth) => key === name[depth] || isCalled(listKeys.aboveBreed, key))
}

/**
 * The place of a breed in the elements of a list of cats: where most strings below a key that says breed are listed breeds.
 * @param breedsAmong says which of some texts are breeds
 */
export function breedPlace(
  places: readonly Place[],
  elements: readonly unknown[],
  name: Place,
  breedsAmong: (texts: readonly string[]) => ReadonlySet<string>,
): Place | undefined {
  const seen = elements.slice(0, 100)
  const share = (place: Place) => {
    const shown = seen.map((element) => at(element, place)).filter((text) => typeof text === 'string')
    const breeds = breedsAmong(shown)
    return shown.filter((text) => breeds.has(text)).length / seen.length
  }
  const scored = places.filter((place) => isOwnBreed(place, name)).map((place) => ({ place, share: share(place) }))
  const isName = ({ place }: (typeof scored)[number]) => Number(isCalled(listKeys.breedName, place.at(-1)))
  return scored
    .sort((a, b) => b.share - a.share || a.place.length - b.place.length || isName(b) - isName(a))
    .find((one) => one.share >= 0.5)?.place
}

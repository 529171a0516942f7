import { type JsonPlace, normaliseKey, valueAt } from './json.ts'

/** Patterns of keys for the breed of a cat, without punctuation and in lower case. Each pattern has its own test. */
export const knownBreedKeys = {
  /** Keys of the cat's own breed, not e.g. of a former breed or of its mother's breed. */
  ownBreed: [/^(cat)?breed(name|id|slug|code|key|uuid|href|url)?$/, /^race(name|id|slug)?$/],
  /** Keys between `breed` and its name, e.g. in JSON:API. Below other keys there may be another breed. */
  withinBreed: [/^(name|title|id)$/, /^data$/, /^attributes$/],
  /** Keys above `breed`, if the breed is not in the object with the cat's name, e.g. in JSON:API or HAL. */
  aboveBreed: [/^relationships$/, /^embedded$/, /^links$/],
}

const matchesAnyPattern = (patterns: readonly RegExp[], key = ''): boolean =>
  patterns.some((pattern) => pattern.test(normaliseKey(key)))

/**
 * Returns whether a place is that of the cat's own breed: the keys above it are those above the name, or known not to
 * mean e.g. a former breed or the breed of the mother.
 */
export function isPlaceOfOwnBreed(place: JsonPlace, name: JsonPlace): boolean {
  const breed = place.findIndex((key) => matchesAnyPattern(knownBreedKeys.ownBreed, key))
  const above = place.slice(0, Math.max(0, breed))
  return (
    breed >= 0 && above.every((key, depth) => key === name[depth] || matchesAnyPattern(knownBreedKeys.aboveBreed, key))
  )
}

/**
 * Returns whether a place is that of `breed`, or e.g. `/breed/name`. Other keys below may show the breed of an
 * ancestor.
 */
export function isPlaceWithinBreed(place: JsonPlace): boolean {
  const below = place.slice(place.findIndex((key) => matchesAnyPattern(knownBreedKeys.ownBreed, key)) + 1)
  return below.every((key) => matchesAnyPattern(knownBreedKeys.withinBreed, key))
}

/** The number of elements in which places of breeds are looked for. */
const SAMPLED_ELEMENTS = 100

/**
 * Finds the places that may show the breed, the likeliest first. Their keys mean breed, and at least half of the
 * elements have a listed breed there.
 */
export function findBreedPlaces(
  places: readonly JsonPlace[],
  elements: readonly unknown[],
  name: JsonPlace,
  selectListedBreeds: (texts: readonly string[]) => ReadonlySet<string>,
): readonly JsonPlace[] {
  const sampled = elements.slice(0, SAMPLED_ELEMENTS)
  const share = (place: JsonPlace) => {
    const texts = sampled.map((element) => valueAt(element, place)).filter((text) => typeof text === 'string')
    const breeds = selectListedBreeds(texts)
    return texts.filter((text) => breeds.has(text)).length / sampled.length
  }
  const scored = places
    .filter((place) => isPlaceOfOwnBreed(place, name))
    .map((place) => ({ place, share: share(place) }))
  return scored
    .filter((one) => one.share >= 0.5)
    .sort((a, b) => b.share - a.share || a.place.length - b.place.length)
    .map(({ place }) => place)
}

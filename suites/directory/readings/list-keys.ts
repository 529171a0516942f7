import { memoiseByText } from '../../engine/memoise.ts'

/**
 * Returns a key in lower case, without spaces and punctuation, so that `hydra:member`, `HydraMember` and `hydra_member`
 * are equal.
 */
export const normaliseKey = memoiseByText((key) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))

/** Keys for the breed of a cat, as patterns of normalised keys. The tests have a row for each pattern. */
export const breedKeyPatterns = {
  /** Keys of the cat's own breed, neither a former one nor its mother's. */
  ownBreed: [/^(cat)?breed(name|id|slug|code|key|uuid|href|url)?$/, /^race(name|id|slug)?$/],
  /** Keys of the breed's name, if other breeds such as its ancestors are beside it. */
  breedName: [/^name$/],
  /** Keys between the breed and its name, e.g. in JSON:API and HAL. Below other keys there may be another breed. */
  withinBreed: [/^(name|title|id)$/, /^data$/, /^attributes$/],
  /** Keys above the breed, if it is beside the object with the cat's name, e.g. in JSON:API and HAL. */
  aboveBreed: [/^relationships$/, /^embedded$/, /^links$/],
}

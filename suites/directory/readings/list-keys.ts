import { memoiseByText } from '../../engine/memoise.ts'

/** Returns a key in lower case, without punctuation: `hydra:member` and `HydraMember` become equal. */
export const normaliseKey = memoiseByText((key) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))

/** Patterns of keys for the breed of a cat, without punctuation and in lower case. Each pattern has its own test. */
export const breedKeyPatterns = {
  /** Keys of the cat's own breed, not e.g. of a former breed or of its mother's breed. */
  ownBreed: [/^(cat)?breed(name|id|slug|code|key|uuid|href|url)?$/, /^race(name|id|slug)?$/],
  /** Keys of the breed's name, used to choose between several strings that are listed breeds. */
  breedName: [/^name$/],
  /** Keys between `breed` and its name, e.g. in JSON:API. Below other keys there may be another breed. */
  withinBreed: [/^(name|title|id)$/, /^data$/, /^attributes$/],
  /** Keys above `breed`, if the breed is not in the object with the cat's name, e.g. in JSON:API or HAL. */
  aboveBreed: [/^relationships$/, /^embedded$/, /^links$/],
}

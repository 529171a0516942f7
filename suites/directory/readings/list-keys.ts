import { memoiseByText } from '../shared/memoise.ts'

/** A key without case, spaces and punctuation: `hydra:member`, `HydraMember` and `hydra_member` are equal. */
export const normaliseKey = memoiseByText((key) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))

/** Keys for the breed of a cat: patterns of plain keys, each of which has a row in the tests. */
export const listKeys = {
  /** The breed of a cat itself, neither a former one nor its mother's. */
  ownBreed: [/^(cat)?breed(name|id|slug|code|key|uuid|href|url)?$/, /^race(name|id|slug)?$/],
  /** Its name, if it contains other breeds such as its ancestors. */
  breedName: [/^name$/],
  /** Keys between it and its name: JSON:API, HAL. Other keys may contain another breed. */
  withinBreed: [/^(name|title|id)$/, /^data$/, /^attributes$/],
  /** Keys above it beside the object with the name: JSON:API, HAL. */
  aboveBreed: [/^relationships$/, /^embedded$/, /^links$/],
}

import { remembering } from '../shared/memoise.ts'

/** A key without case, blanks and punctuation: `hydra:member`, `HydraMember` and `hydra_member` are one. */
export const plainKey = remembering((key) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))

/** What deployments call the breed of a cat: patterns of plain keys, each of which has a row in the tests. */
export const listKeys = {
  /** The breed of a cat, and neither a former one nor her mother's. */
  ownBreed: [/^(cat)?breed(name|id|slug|code|key|uuid|href|url)?$/, /^race(name|id|slug)?$/],
  /** Its name, where it holds other breeds: those that it came from, or the one that it is a kind of. */
  breedName: [/^name$/],
  /** Stand between it and its name: JSON:API, HAL. What other keys hold may be another breed. */
  withinBreed: [/^(name|title|id)$/, /^data$/, /^attributes$/],
  /** Stand above it beside what holds the name: JSON:API, HAL. */
  aboveBreed: [/^relationships$/, /^embedded$/, /^links$/],
}

export { quoted } from '../../engine/quoted.ts'

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * Folds a text as most searches compare it: case folded, compatibility-decomposed, marks removed. ß and ẞ become ss,
 * and ı becomes i.
 */
export const folded = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase()

/** A name without case, accents, spaces, punctuation and normalisation form (O-NAME-MATCH). */
export const essential = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]/gu, '')

/** The names by essential form: one name, or several with equal forms. */
const essences = new WeakMap<readonly string[], ReadonlyMap<string, string | string[]>>()

function byEssence(listed: readonly string[]): ReadonlyMap<string, string | string[]> {
  const known = essences.get(listed)
  if (known) return known
  const groups = new Map<string, string | string[]>()
  for (const name of listed) {
    const essence = essential(name)
    const group = groups.get(essence)
    if (Array.isArray(group)) group.push(name)
    else groups.set(essence, group === undefined ? name : [group, name])
  }
  essences.set(listed, groups)
  return groups
}

/** The limit of characters for which the essential forms are kept. */
const MOST_CHARACTERS_HELD = 1_000_000

const isHeavy = (names: readonly string[]): boolean =>
  names.reduce((sum, { length }) => sum + length, 0) > MOST_CHARACTERS_HELD

/** The texts that match one of the names in essential form. */
export function textsInEssence(texts: readonly string[], listed: readonly string[]): ReadonlySet<string> {
  const isListed = isHeavy(listed) ? essencesFound(texts, listed) : byEssence(listed)
  return new Set(texts.filter((text) => isListed.has(essential(text))))
}

function essencesFound(texts: readonly string[], listed: readonly string[]): ReadonlySet<string> {
  const sought = new Set(texts.map(essential))
  const found = new Set<string>()
  for (const name of listed) {
    const essence = essential(name)
    if (sought.has(essence)) found.add(essence)
  }
  return found
}

/** The listed name that a text matches: the equal one, else the only one with an equal essential form. */
export function meant(name: string, listed: readonly string[]): string | undefined {
  const essence = essential(name)
  const alike = [byEssence(listed).get(essence) ?? []].flat()
  if (alike.includes(name)) return name
  return essence !== '' && alike.length === 1 ? alike[0] : undefined
}

export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

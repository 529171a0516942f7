export { quoted } from '../../engine/quoted.ts'

export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * Folds a text as most searches compare it: case folded, compatibility-decomposed, marks removed. ß and ẞ become ss,
 * and ı becomes i.
 */
export const foldText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase()

/** A name without case, accents, spaces, punctuation and normalisation form (O-NAME-MATCH). */
export const essentialFormOf = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, '')

/** The names by essential form: one name, or several with equal forms. */
const namesByEssentialForm = new WeakMap<readonly string[], ReadonlyMap<string, string | string[]>>()

function indexByEssentialForm(listed: readonly string[]): ReadonlyMap<string, string | string[]> {
  const known = namesByEssentialForm.get(listed)
  if (known) return known
  const groups = new Map<string, string | string[]>()
  for (const name of listed) {
    const essence = essentialFormOf(name)
    const group = groups.get(essence)
    if (Array.isArray(group)) group.push(name)
    else groups.set(essence, group === undefined ? name : [group, name])
  }
  namesByEssentialForm.set(listed, groups)
  return groups
}

/** The limit of characters for which the essential forms are kept. */
const MAX_CHARACTERS_HELD = 1_000_000

const isMemoryHeavy = (names: readonly string[]): boolean =>
  names.reduce((sum, { length }) => sum + length, 0) > MAX_CHARACTERS_HELD

/** The texts that match one of the names in essential form. */
export function textsMatchingNames(texts: readonly string[], listed: readonly string[]): ReadonlySet<string> {
  const isListed = isMemoryHeavy(listed) ? findMatchingTexts(texts, listed) : indexByEssentialForm(listed)
  return new Set(texts.filter((text) => isListed.has(essentialFormOf(text))))
}

function findMatchingTexts(texts: readonly string[], listed: readonly string[]): ReadonlySet<string> {
  const sought = new Set(texts.map(essentialFormOf))
  const found = new Set<string>()
  for (const name of listed) {
    const essence = essentialFormOf(name)
    if (sought.has(essence)) found.add(essence)
  }
  return found
}

/** The listed name that a text matches: the equal one, else the only one with an equal essential form. */
export function findMeantName(name: string, listed: readonly string[]): string | undefined {
  const essence = essentialFormOf(name)
  const alike = [indexByEssentialForm(listed).get(essence) ?? []].flat()
  if (alike.includes(name)) return name
  return essence !== '' && alike.length === 1 ? alike[0] : undefined
}

export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

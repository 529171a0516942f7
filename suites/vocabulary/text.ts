export { quoted } from '../engine/quoted.ts'

/** Letters compared as most searches compare them: case folded, compatibility-decomposed, marks removed. */
export const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** What is left of a name when case, accents, blanks, punctuation and normalisation are set aside (O-NAME-MATCH). */
export const essential = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]/gu, '')

/** Names by what they are in essence. */
const essences = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>()

function byEssence(listed: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const known = essences.get(listed)
  if (known) return known
  const groups = new Map<string, string[]>()
  for (const name of listed) {
    const group = groups.get(essential(name))
    if (group) group.push(name)
    else groups.set(essential(name), [name])
  }
  essences.set(listed, groups)
  return groups
}

/** The listed name that is meant: the same, else the only one that is the same in essence. */
export function meant(name: string, listed: readonly string[]): string | undefined {
  const essence = essential(name)
  const alike = byEssence(listed).get(essence) ?? []
  if (alike.includes(name)) return name
  return essence !== '' && alike.length === 1 ? alike[0] : undefined
}

export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

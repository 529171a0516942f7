import { memoiseByObject } from '../../engine/memoise.ts'

export { quote as quoted } from '../../engine/quoted.ts'

export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * Folds a text as most searches compare it: case folded, compatibility-decomposed, marks removed. ß and ẞ become ss,
 * and ı becomes i.
 */
export const foldText = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : removeAccents(text).toLowerCase().toUpperCase().toLowerCase()

/** Removes case, accents, spaces, punctuation and normalisation form from a name (O-NAME-MATCH). */
export const essentialFormOf = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, '')

/** The listed names by essential form; several names may have the same form. */
const indexByEssentialForm = memoiseByObject((listed: readonly string[]): ReadonlyMap<string, string | string[]> => {
  const groups = new Map<string, string | string[]>()
  for (const name of listed) {
    const form = essentialFormOf(name)
    const group = groups.get(form)
    if (Array.isArray(group)) group.push(name)
    else groups.set(form, group === undefined ? name : [group, name])
  }
  return groups
})

/** Returns the texts whose essential form is that of a listed name. */
export function findTextsMatchingNames(texts: readonly string[], listed: readonly string[]): ReadonlySet<string> {
  const forms = indexByEssentialForm(listed)
  return new Set(texts.filter((text) => forms.has(essentialFormOf(text))))
}

/** Finds the listed name that a text means: the equal one, else the only one with the same essential form. */
export function findListedName(name: string, listed: readonly string[]): string | undefined {
  const form = essentialFormOf(name)
  const withSameForm = [indexByEssentialForm(listed).get(form) ?? []].flat()
  if (withSameForm.includes(name)) return name
  return form !== '' && withSameForm.length === 1 ? withSameForm[0] : undefined
}

export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

export const removeAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** Returns the text in upper case if it is in lower case, else in lower case. */
export const swapCase = (text: string): string =>
  text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()

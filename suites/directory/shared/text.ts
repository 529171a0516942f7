import { memoiseByObject } from '../../engine/memoise.ts'

export { quote as quoted } from '../../engine/quoted.ts'

/** Formats a count with its noun, e.g. `1 cat` or `2 cats`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Removes differences of case, accents and compatibility forms, as most searches do. ß becomes ss, and ı becomes i. */
export const foldText = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : removeAccents(text).toLowerCase().toUpperCase().toLowerCase()

/** Reduces a name to letters and digits, e.g. `Maine Coon` to `mainecoon`. Equal results mean the same name. */
export const essentialFormOf = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, '')

/** Maps each essential form, e.g. `mainecoon` for `Maine Coon`, to the listed names with this form: usually one. */
const indexByEssentialForm = memoiseByObject((listed: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const groups = new Map<string, string[]>()
  for (const name of listed) {
    const form = essentialFormOf(name)
    const group = groups.get(form)
    if (group) group.push(name)
    else groups.set(form, [name])
  }
  return groups
})

/** Returns the texts that match a listed name, apart from case, accents, white space and punctuation. */
export function findTextsMatchingNames(texts: readonly string[], listed: readonly string[]): ReadonlySet<string> {
  const forms = indexByEssentialForm(listed)
  return new Set(texts.filter((text) => forms.has(essentialFormOf(text))))
}

/**
 * Finds the listed name that a text means: the equal one, else the only one with the same essential form; undefined if
 * there is none, or several.
 */
export function findListedName(name: string, listed: readonly string[]): string | undefined {
  const form = essentialFormOf(name)
  const withSameForm = indexByEssentialForm(listed).get(form) ?? []
  if (withSameForm.includes(name)) return name
  return form !== '' && withSameForm.length === 1 ? withSameForm[0] : undefined
}

const HTML_ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
)

/** Decodes the entities that escaping for HTML produces, e.g. `&amp;` and `&#39;`. */
const decodeHtmlEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]+));/gi, (entity, decimal, hex, name) =>
    name === undefined
      ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
      : (HTML_ENTITIES.get(name) ?? entity),
  )

/** Finds the listed name that was probably altered to this name: differently written, or escaped for HTML. */
export const findOriginalName = (altered: string, listed: readonly string[]): string | undefined =>
  findListedName(altered, listed) ?? findListedName(decodeHtmlEntities(altered), listed)

export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

export const removeAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** Converts a text in lower case to upper case, and any other text to lower case. */
export const changeCase = (text: string): string =>
  text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()

/** Letters compared as most searches compare them: case folded, compatibility-decomposed, marks removed. */
export const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** What is left of a name when case, accents, blanks, punctuation and normalisation are set aside (O-NAME-MATCH). */
export const essential = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]/gu, '')

/** The listed name that is meant: the same, else the only one that is the same in essence. */
export function meant(name: string, listed: readonly string[]): string | undefined {
  if (listed.includes(name)) return name
  const alike = essential(name) === '' ? [] : listed.filter((one) => essential(one) === essential(name))
  return alike.length === 1 ? alike[0] : undefined
}

export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** How people are shown an input: in quotes, what cannot be seen escaped. */
export const quoted = (text: string): string => {
  const shown = [...text].length > 60 ? `${[...text].slice(0, 40).join('')}… (${[...text].length} characters)` : text
  return JSON.stringify(shown).replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

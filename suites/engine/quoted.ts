/** How people are shown an input: in quotes, what cannot be seen escaped. */
export const quoted = (text: string): string => {
  if (/^[\w ]{0,60}$/.test(text)) return `"${text}"` // most are
  const characters = [...text]
  const shown = characters.length > 60 ? `${characters.slice(0, 40).join('')}… (${characters.length} characters)` : text
  return `"${shown.replace(/["\\]/g, '\\$&').replace(UNSEEN, codePoint)}"`
}

/** The same that reports escape, in the same way: a finding shows a name alike wherever it stands. */
const UNSEEN =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

const codePoint = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`

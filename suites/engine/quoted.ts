/** Quotes a text for messages. Invisible characters are escaped, and long texts are shortened. */
export const quote = (text: string): string => {
  if (/^[\w ]{0,60}$/.test(text)) return `"${text}"` // Fast path: most inputs need no escaping.
  const characters = [...text]
  const shortened =
    characters.length > 60 ? `${characters.slice(0, 40).join('')}… (${characters.length} characters)` : text
  return `"${shortened.replace(/["\\]/g, '\\$&').replace(INVISIBLE, codePoint)}"`
}

/** Matches the characters that are escaped. Reports escape the same ones, so that a name looks the same everywhere. */
const INVISIBLE =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

const codePoint = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`

/** Quotes a text for messages. Invisible characters are escaped, and long texts are shortened. */
export const quote = (text: string): string => {
  if (/^[\w ]{0,60}$/.test(text)) return `"${text}"` // Fast path: most inputs need no escaping.
  const characters = [...text]
  const isLong = characters.length > 60
  const shown = isLong ? `${characters.slice(0, 40).join('')}…` : text
  const quoted = `"${shown.replace(/["\\]/g, '\\$&').replace(INVISIBLE, codePoint)}"`
  return isLong ? `${quoted} (${characters.length} characters)` : quoted
}

/** Matches the characters that are escaped. Reports escape the same ones, so that a name looks the same everywhere. */
const INVISIBLE =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

const codePoint = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`

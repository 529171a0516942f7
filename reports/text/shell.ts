import { removeUserinfo } from './escape.ts'

/**
 * Functions that quote words for a POSIX shell in printable ASCII, so that they can be shown and pasted anywhere. Other
 * bytes are written as octal escapes in $'…' (POSIX 2024; bash, zsh and ksh), because \x differs between shells.
 * Libraries for quoting leave these bytes as they are.
 */

/** Quotes a word even if it needs no quotes. `it's` becomes `'it'\''s'`. */
export function quoteForShell(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : quoteAsAnsiC(text)
}

function quoteAsAnsiC(text: string): string {
  // The HTTP client sends each character up to U+00FF as one byte, and a text with other characters as UTF-8.
  const bytes = Buffer.from(text, /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf8')
  return `$'${[...bytes].map(formatAnsiByte).join('')}'`
}

function formatAnsiByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (character === "'" || character === '\\') return `\\${character}`
  return byte >= 0x20 && byte <= 0x7e ? character : `\\${byte.toString(8).padStart(3, '0')}`
}

/** Quotes a word only if it has characters that a shell would interpret. */
export function quoteForShellIfNeeded(text: string): string {
  return /^[A-Za-z0-9_%+:,./-][A-Za-z0-9_%+:,./@=-]*$/.test(text) ? text : quoteForShell(text)
}

/** The text that replaces a secret. */
const MASKED_VALUE = '***'

/**
 * Quotes a header as one word: `'Name: value'`, or `"Name: $NAME"` if its value is masked.
 * @param name the name of the header
 * @param value the value of the header, or `MASKED_VALUE`
 */
export function quoteHeader(name: string, value: string): string {
  if (value !== MASKED_VALUE) return quoteForShell(`${name}: ${value}`)
  const variable = name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')
    .replace(/^(?=[0-9])/, '_')
  return /^[A-Za-z0-9_-]+$/.test(name) ? `"${name}: $${variable}"` : `${quoteForShell(`${name}: `)}"$${variable}"`
}

/**
 * Quotes an argument of a command that repeats a run. Removes userinfo from URLs, and replaces the value of a masked
 * header by a shell variable.
 */
export function quoteReplayArgument(text: string): string {
  const [, name] = /^([^\s:]+): \*\*\*$/.exec(text) ?? []
  return name === undefined ? quoteForShellIfNeeded(removeUserinfo(text)) : quoteHeader(name, MASKED_VALUE)
}

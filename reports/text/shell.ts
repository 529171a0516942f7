import { withoutUserinfo } from './escape.ts'

/*
 * Words for a POSIX shell, in printable ASCII only, so that they can be shown anywhere and pasted from anywhere.
 * Bytes beyond that stand in $'…' (POSIX 2024; bash, zsh and ksh have it), in octal: \x differs between shells.
 * By hand, because shell-quote writes controls and what is beyond ASCII as they are.
 */

/** Always in quotes: `'it'\''s'`. */
export function shellQuoted(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : ansiQuoted(text)
}

function ansiQuoted(text: string): string {
  // The HTTP client sends a character up to U+00FF as that one byte; a text with others can only have been UTF-8.
  const bytes = Buffer.from(text, /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf8')
  return `$'${[...bytes].map(ansiByte).join('')}'`
}

function ansiByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (character === "'" || character === '\\') return `\\${character}`
  return byte >= 0x20 && byte <= 0x7e ? character : `\\${byte.toString(8).padStart(3, '0')}`
}

/** Quoted only where a shell would read something into it. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_%+:,./-][A-Za-z0-9_%+:,./@=-]*$/.test(text) ? text : shellQuoted(text)
}

/** The value that stands for a secret, wherever a secret was. */
export const mask = '***'

/**
 * A header as one word: `'Name: value'`, and `"Name: $NAME"` for a masked one, to be filled in by the reader.
 * @param name a header name
 * @param value its value, or the mask
 */
export function headerWord(name: string, value: string): string {
  if (value !== mask) return shellQuoted(`${name}: ${value}`)
  const variable = name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')
    .replace(/^(?=[0-9])/, '_')
  return /^[A-Za-z0-9_-]+$/.test(name) ? `"${name}: $${variable}"` : `${shellQuoted(`${name}: `)}"$${variable}"`
}

/** One argument of a replay line: like `shellWord`, without userinfo, and a masked header as a variable. */
export function replayArgument(text: string): string {
  const [, name] = /^([^\s:]+): \*\*\*$/.exec(text) ?? []
  return name === undefined ? shellWord(withoutUserinfo(text)) : headerWord(name, mask)
}

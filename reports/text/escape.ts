import { formatWholeNumber } from './wording.ts'

/**
 * Functions that escape text for terminals, XML, Markdown and JSON. They accept any string, including lone surrogates
 * and NUL. Invisible characters are made visible, because two names that differ only by a joiner must not look equal in
 * a finding. Libraries for XML and Markdown leave them invisible.
 */

// Matches invisible characters, e.g. controls, joiners and unusual spaces. `\p{Cs}` matches only lone surrogates.
const INVISIBLE_CHARACTER =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

// Matches any text except common visible characters of one column. It is tested first, because INVISIBLE_CHARACTER
// takes long to match.
const NON_PLAIN_TEXT = /[^\x20-\x7e\xa1-\xac\xae-\xff\u2010-\u2027\u203c\u2500\u2502\u2713\u2717]+/g

/** Returns whether each UTF-16 unit of the text is a visible character of one column. */
export function hasOnlySingleColumnCharacters(text: string): boolean {
  return text.search(NON_PLAIN_TEXT) === -1
}

/** Replaces invisible characters, except the given ones. */
function replaceInvisible(text: string, kept: string, replace: (character: string) => string): string {
  const shown = (character: string) => (kept.includes(character) ? character : replace(character))
  return text.replace(NON_PLAIN_TEXT, (run) => (run === '\n' ? shown(run) : run.replace(INVISIBLE_CHARACTER, shown)))
}

function formatCodePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
}

/**
 * Matches commands of CI systems in the output of a job: `##[…]` and `##vso[…]` (Azure Pipelines), `##teamcity[…]`, and
 * `::…::` (GitHub Actions).
 */
const CI_COMMAND = /#(?=#(?:vso|teamcity)?\[)|:(?=:[a-z][\w-]*(?:\s[^\r\n]*?)?::)/gi

/**
 * Escapes one line for a terminal, so that it cannot move the cursor, change colours, reorder text or contain commands
 * for CI systems.
 */
export function escapeTerminal(text: string): string {
  return replaceInvisible(text, '', formatCodePoint).replace(CI_COMMAND, formatCodePoint)
}

/** Escapes each line for a terminal, and keeps the line ends. */
export const escapeTerminalLines = (text: string): string => text.split('\n').map(escapeTerminal).join('\n')

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\t': '&#9;',
  '\n': '&#10;',
}

function escapeMarkup(text: string, kept: string): string {
  return replaceInvisible(text, '\t\n', formatCodePoint)
    .replace(CI_COMMAND, formatCodePoint)
    .replace(/[&<>"'\t\n]/g, (character) => (kept.includes(character) ? character : (XML_ENTITIES[character] ?? '')))
}

/** Escapes the text of an XML 1.0 element. Characters that XML forbids even as references become `\u{…}`. */
export function escapeXml(text: string): string {
  return escapeMarkup(text, '\t\n')
}

/** Escapes a quoted XML 1.0 attribute. Line ends are encoded, because a parser would normalise them. */
export function escapeXmlAttribute(text: string): string {
  return escapeMarkup(text, '')
}

/** Escapes text in Markdown (CommonMark, and GitHub's tables, links and mathematics). */
export function escapeMarkdown(text: string): string {
  return escapeTerminal(text).replace(/[\\`*_{}[\]()<>#+\-.!|~&:@=$^"]/g, '\\$&')
}

/** Formats any text as a Markdown code span, also within a table. */
export function formatMarkdownCode(text: string): string {
  const shown = escapeTerminal(text).replaceAll('|', '\\u{7C}')
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = shown === '' || /^[` ]|[` ]$/.test(shown) ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

/**
 * Escapes invisible characters in a JSON text, so that it can be shown in a terminal. Parsing it gives the same value.
 */
export function escapeJson(json: string): string {
  return replaceInvisible(json, '\n', (character) =>
    character.replace(/[^]/g, (unit) => `\\u${formatHex(unit.charCodeAt(0))}`),
  )
}

function formatHex(unit: number): string {
  return unit.toString(16).padStart(4, '0')
}

let segmenter: Intl.Segmenter | undefined

/** Splits text into user-perceived characters. Avoids the segmenter where possible, because it takes 10 ms to load. */
export function splitGraphemes(text: string): string[] {
  if (hasOnlySingleColumnCharacters(text)) return text.split('')
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/**
 * Returns the start of a text, cut between user-perceived characters.
 * @param limit the maximum number of UTF-16 units, because combining marks can be stacked without end
 */
export function takeExcerpt(text: string, limit: number): { text: string; omitted: number } {
  if (text.length <= limit) return { text, omitted: 0 }
  let end = 0
  for (const character of splitGraphemes(text.slice(0, limit + 64))) {
    if (end + character.length > limit) break
    end += character.length
  }
  if (end === 0) end = isSurrogatePairAt(text, limit - 1) ? limit - 1 : limit
  let omitted = 0
  for (const _ of text.slice(end)) omitted++
  return { text: text.slice(0, end), omitted }
}

function isSurrogatePairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff
}

/** The maximum number of omitted characters for which a note about them would be longer. */
const MAX_UNNOTED_CHARACTERS = 20

/** Shortens a text like `takeExcerpt`, and says how much is missing. Escape the result for its destination. */
export function shortenText(text: string, limit: number): string {
  const { text: beginning, omitted } = takeExcerpt(text, limit)
  if (omitted <= MAX_UNNOTED_CHARACTERS) return text
  return `${beginning}… (${formatWholeNumber(omitted)} more characters)`
}

/** Removes `user:password@` from an absolute URL, because reports must not contain credentials. */
export function removeUserinfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1')
}

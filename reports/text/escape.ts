import { wholeNumber } from './wording.ts'

/*
 * One function per landing place, each pure and total: any string goes in, lone surrogates and NUL included.
 * What cannot be seen is shown: two names that differ only by a joiner must not look alike in a finding.
 * By hand, because escapers for XML and Markdown let it through unseen, or drop it.
 */

// Controls, format characters (bidi, joiners, tags), lone surrogates, separators, blanks other than the plain one,
// everything that is drawn as nothing, and noncharacters. With `u`, \p{Cs} matches lone surrogates only.
const unseen =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

// The classes above take long to compile and to match; most characters of most texts need not come near them.
// Plain are those that are seen, one column each, and make no character as people see them with one beside it.
const notPlain = /[^\x20-\x7e\xa1-\xac\xae-\xff\u2010-\u2027\u203c\u2500\u2502\u2713\u2717]+/g

/** Whether each UTF-16 unit is a character as people see them, one column wide; of most texts it is so. */
export function isPlain(text: string): boolean {
  return text.search(notPlain) === -1
}

/** Replaces what cannot be seen, but for some characters that are kept. */
function replaceUnseen(text: string, kept: string, replace: (character: string) => string): string {
  const shown = (character: string) => (kept.includes(character) ? character : replace(character))
  return text.replace(notPlain, (run) => (run === '\n' ? shown(run) : run.replace(unseen, shown)))
}

function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
}

/*
 * What CI systems obey wherever it stands in what a job writes: `##[…]` and `##vso[…]` (Azure Pipelines),
 * `##teamcity[…]`, and `::…::` (GitHub Actions).
 */
const command = /#(?=#(?:vso|teamcity)?\[)|:(?=:[a-z][\w-]*(?:\s[^\r\n]*?)?::)/gi

/** For a terminal: one line of text that moves no cursor, changes no colour, reorders nothing and commands no CI system. */
export function escapeTerminal(text: string): string {
  return replaceUnseen(text, '', codePoint).replace(command, codePoint)
}

const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\t': '&#9;',
  '\n': '&#10;',
}

function escapeMarkup(text: string, kept: string): string {
  return replaceUnseen(text, '\t\n', codePoint)
    .replace(command, codePoint)
    .replace(/[&<>"'\t\n]/g, (character) => (kept.includes(character) ? character : (xmlEntities[character] ?? '')))
}

/** For the text of an XML 1.0 element. Characters that XML forbids even as references are replaced by `\u{…}`. */
export function escapeXml(text: string): string {
  return escapeMarkup(text, '\t\n')
}

/** For a quoted XML 1.0 attribute: as the text, and line ends survive the parser's normalisation. */
export function escapeXmlAttribute(text: string): string {
  return escapeMarkup(text, '')
}

/** For running Markdown (CommonMark and GitHub's tables, links, mathematics): nothing in it is markup. */
export function escapeMarkdown(text: string): string {
  return escapeTerminal(text).replace(/[\\`*_{}[\]()<>#+\-.!|~&:@=$^"]/g, '\\$&')
}

/** For Markdown where the text is code: a code span that holds any text, also inside a table. */
export function markdownCode(text: string): string {
  const shown = escapeTerminal(text).replaceAll('|', '\\u{7C}')
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = shown === '' || /^[` ]|[` ]$/.test(shown) ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

/** For a JSON text that JSON.stringify wrote: the same value, and a terminal can show it. */
export function escapeJson(json: string): string {
  return replaceUnseen(json, '\n', (character) => character.replace(/[^]/g, (unit) => `\\u${hex(unit.charCodeAt(0))}`))
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0')
}

let segmenter: Intl.Segmenter | undefined

/** Cuts text into characters as people see them. (To load what knows them takes 10 ms; most texts do not need it.) */
export function graphemes(text: string): string[] {
  if (isPlain(text)) return text.split('')
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/**
 * The beginning of a text, cut between characters as people see them.
 * @param limit the most UTF-16 units to keep: unlike characters, they bound the size (marks can be stacked without end)
 * @returns the beginning, and how many code points were left out
 */
export function excerpt(text: string, limit: number): { text: string; omitted: number } {
  if (text.length <= limit) return { text, omitted: 0 }
  let end = 0
  for (const character of graphemes(text.slice(0, limit + 64))) {
    if (end + character.length > limit) break
    end += character.length
  }
  if (end === 0) end = isPairAt(text, limit - 1) ? limit - 1 : limit
  let omitted = 0
  for (const _ of text.slice(end)) omitted++
  return { text: text.slice(0, end), omitted }
}

function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff
}

/** As `excerpt`, in one string that says how much is missing. Escape it for where it lands. */
export function shorten(text: string, limit: number): string {
  const { text: beginning, omitted } = excerpt(text, limit)
  return omitted === 0 ? beginning : `${beginning}… (${wholeNumber(omitted)} more characters)`
}

/** An absolute URL without `user:password@`: a report never shows it. */
export function withoutUserinfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1')
}

type LinkField = readonly [name: string, value: string]

/** The maximum length of all Link header fields together. The HTTP client undici accepts 16 KiB of header fields. */
const MAX_LINK_CHARACTERS = 1 << 14

/** Matches a link in `<>`, a quoted string, a delimiter or a token, in linear time. */
const LEXEMES = /<([^<>]*)>|"((?:[^"\\]|\\.)*)"?|[,;=]|[^<",;=\s]+/g

/**
 * Finds the target of `Link: <…>; rel="next"` (RFC 8288 section 3); undefined if there is none. No library is used:
 * those that were tried stop at the first malformed link, or misread a parameter without a value.
 */
export function findNextLink(fields: readonly LinkField[]): string | undefined {
  const values = fields.filter(([name]) => name.toLowerCase() === 'link').map(([, value]) => value)
  let target: string | undefined
  let [parameter, previous, isRelated] = ['', '', false]
  for (const [lexeme, reference, quoted] of values.join(', ').slice(0, MAX_LINK_CHARACTERS).matchAll(LEXEMES)) {
    if (reference !== undefined) [target, isRelated] = [reference, false]
    else if (lexeme === ',') target = undefined
    else if (previous === ';') parameter = lexeme.toLowerCase()
    else if (previous === '=' && parameter === 'rel' && !isRelated) {
      // If a link has several `rel` parameters, only the first counts (RFC 8288).
      isRelated = true
      const relations = (quoted ?? lexeme).toLowerCase().split(/\s+/)
      if (target !== undefined && relations.includes('next')) return target
    }
    previous = lexeme
  }
  return undefined
}

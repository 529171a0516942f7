type Field = readonly [name: string, value: string]

/** The number of characters of the Link fields that are read: undici takes 16 KiB of fields. */
const LONGEST = 1 << 14

/** `<reference>`, a quoted string, a delimiter, a token: none reads on to where another begins, so reading is linear. */
const LEXEMES = /<([^<>]*)>|"((?:[^"\\]|\\.)*)"?|[,;=]|[^<",;=\s]+/g

/**
 * The target of `Link: <…>; rel="next"` (RFC 8288 section 3), from all Link fields together.
 * By hand: the libraries give up at the first link that is malformed, or misread a parameter without a value.
 */
export function nextLink(fields: readonly Field[]): string | undefined {
  const values = fields.filter(([name]) => name.toLowerCase() === 'link').map(([, value]) => value)
  let target: string | undefined
  let [parameter, previous, isRelated] = ['', '', false]
  for (const [lexeme, reference, quoted] of values.join(', ').slice(0, LONGEST).matchAll(LEXEMES)) {
    if (reference !== undefined) [target, isRelated] = [reference, false]
    else if (lexeme === ',') target = undefined
    else if (previous === ';') parameter = lexeme.toLowerCase()
    else if (previous === '=' && parameter === 'rel' && !isRelated) {
      // Only the first rel of a link counts.
      isRelated = true
      const relations = (quoted ?? lexeme).toLowerCase().split(/\s+/)
      if (target !== undefined && relations.includes('next')) return target
    }
    previous = lexeme
  }
  return undefined
}

/** The text that replaces a secret in reports. */
export const MASK_TEXT = '***'

/** The minimum length of secrets to mask. Shorter strings also occur in ordinary text. */
const MIN_SECRET_LENGTH = 4
/** The minimum length of a parameter value to mask, e.g. in a cookie. */
const MIN_PARAMETER_LENGTH = 6

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
const percent = (bytes: Buffer): string => [...bytes].map((byte) => `%(?:25)*${hex(byte)}`).join('')

/** The HTML entities of the characters that occur in credentials, e.g. `lt` for `<`. */
const HTML_ENTITIES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  `&amp <lt >gt "quot 'apos /sol \\bsol |vert,verbar +plus =equals _lowbar,UnderBar .period :colon ;semi ,comma !excl #num
  $dollar %percnt (lpar )rpar *ast,midast ?quest @commat [lsqb,lbrack ]rsqb,rbrack ^Hat \`grave {lcub,lbrace }rcub,rbrace`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 1), entry.slice(1).split(',')]),
)

const codePointOf = (character: string): number => character.codePointAt(0) ?? 0

/** Matches the `&` at the start of an HTML entity, even if it is escaped as `&amp;` itself. */
const AMPERSAND = '&(?:amp;)*'

/**
 * The ways in which a response may spell one character of a secret, e.g. `%2F` for a slash. Each function returns a
 * regular expression for a character. The tests have a case for each of them.
 */
export const CHARACTER_SPELLINGS: readonly ((character: string) => string | undefined)[] = [
  (character) => escaped(character),
  // URL encoding, e.g. `%41` for `A`, or `%2541` if it was encoded twice.
  (character) => percent(Buffer.from(character)),
  (character) => percent(Buffer.from(character, 'latin1')),
  (character) => (character === ' ' ? '\\+' : undefined),
  // JSON escapes: `"` and `\` must be escaped, and `/` may be.
  (character) => (/["\\/]/.test(character) ? `\\\\+${escaped(character)}` : undefined),
  (character) => `\\\\+u${codePointOf(character).toString(16).padStart(4, '0')}`,
  (character) => `\\\\+u\\{0*${codePointOf(character).toString(16)}\\}`,
  (character) => HTML_ENTITIES[character] && `${AMPERSAND}(?:${HTML_ENTITIES[character].join('|')});`,
  (character) => `${AMPERSAND}#0*${codePointOf(character)};?`,
  (character) => `${AMPERSAND}#x0*${codePointOf(character).toString(16)};?`,
  // Hexadecimal digits, e.g. 746f6b, 74 6f 6b, 74:6f:6b or \x74\x6f\x6b for `tok`.
  (character) => [...Buffer.from(character)].map((byte) => `(?:\\\\+x)?${hex(byte)}(?:[ :-](?=[\\da-f]{2}))?`).join(''),
]

/** Patterns for all spellings of a character, e.g. `%2F` for `/`. Each matches at a given position only (flag `y`). */
type CharacterPatterns = readonly RegExp[]

function patternsOf(character: string): CharacterPatterns {
  const ways = new Set(CHARACTER_SPELLINGS.flatMap((spell) => spell(character) ?? []))
  return [...ways].map((source) => new RegExp(source, 'iuy'))
}

const unquoted = (text: string): string => text.trim().replace(/^"(.*)"$/s, '$1')

/**
 * Returns the values of parameters such as `name=value`, e.g. in cookies and in credentials (RFC 9110, section 11.4).
 */
const parametersOf = (text: string): readonly string[] =>
  [...text.matchAll(/[\w-]+\s*=\s*("(?:[^"\\]|\\.)*"|[^;,\s]+)/g)].map(([, value = '']) => unquoted(value))

/** Returns the secrets in Basic credentials: user and password as one string, and the password alone (RFC 7617). */
function basicPartsOf(value: string): readonly string[] {
  const coded = /^Basic +(\S+)$/i.exec(value)?.[1]
  if (coded === undefined) return []
  const pair = Buffer.from(coded, 'base64').toString('utf8')
  return [pair, pair.slice(pair.indexOf(':') + 1)]
}

/** Returns the value of a header, and its parts that are secrets by themselves. */
function secretsIn(value: string): readonly string[] {
  const credentials = value.replace(/^[A-Za-z][\w-]* +/, '')
  const credentialForms = [value, credentials, ...basicPartsOf(value)].filter(
    ({ length }) => length >= MIN_SECRET_LENGTH,
  )
  return [...credentialForms, ...parametersOf(value).filter(({ length }) => length >= MIN_PARAMETER_LENGTH)]
}

/** The number of bits in one digit of base64. */
const BITS_OF_BASE64 = 6

/**
 * Returns the base64 digits of a secret in the middle of a longer text, for each of the three alignments. The first and
 * last digits are left out, because they depend on the neighbouring text. Unmasked, they reveal two to four bits.
 */
const base64PartsOf = (secret: Buffer): readonly string[] =>
  [0, 1, 2].map((alignment) => {
    const coded = Buffer.concat([Buffer.alloc(alignment), secret]).toString('base64')
    const bits = 8 * alignment
    return coded.slice(Math.ceil(bits / BITS_OF_BASE64), Math.floor((bits + 8 * secret.length) / BITS_OF_BASE64))
  })

/** Returns a secret as it is, in base64, and in the URL-safe alphabet of base64. */
function encodedFormsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const base64 = [bytes.toString('base64').replace(/=+$/, ''), ...base64PartsOf(bytes)]
  const base64url = base64.map((digits) => digits.replaceAll('+', '-').replaceAll('/', '_'))
  return [secret, ...base64, ...base64url].filter(({ length }) => length >= MIN_SECRET_LENGTH)
}

/**
 * Matches the place at which a text was cut (its end, or an ellipsis), and an incomplete spelling of a character before
 * it, e.g. `%4`.
 */
const CUT_PLACE = /([\da-f]|%[\da-f]{0,3}|\\+(?:x[\da-f]?|u\{?[\da-f]{0,5})?|&(?:amp;)*#?\w{0,8})?[\ufffd"']*(?:…|$)/iy

/**
 * Finds all spellings of a character that start at one of the given positions.
 * @returns the positions at which these spellings end
 */
function endsOf(character: CharacterPatterns, text: string, places: ReadonlySet<number>): Set<number> {
  const ends = new Set<number>()
  for (const place of places)
    for (const pattern of character) {
      pattern.lastIndex = place
      if (pattern.test(text)) ends.add(pattern.lastIndex)
    }
  return ends
}

/**
 * Returns the end of a secret that starts at `start`, even if the text is cut within it; undefined if there is no
 * secret.
 */
function endOfSecret(text: string, start: number, secret: readonly CharacterPatterns[]): number | undefined {
  let places = new Set([start])
  for (const [nth, character] of secret.entries()) {
    const ends = endsOf(character, text, places)
    if (ends.size === 0) return nth >= MIN_SECRET_LENGTH ? findCut(text, places) : undefined
    places = ends
  }
  return Math.max(...places)
}

/** Returns the place at which the text was cut within a secret; undefined if it was not cut. */
function findCut(text: string, places: ReadonlySet<number>): number | undefined {
  for (const place of places) {
    CUT_PLACE.lastIndex = place
    const cut = CUT_PLACE.exec(text)
    if (cut) return place + (cut[1]?.length ?? 0)
  }
  return undefined
}

/** Returns a pattern for any spelling of a character. */
const anyOf = (character: CharacterPatterns): string => character.map(({ source }) => source).join('|')

/** Masks all occurrences of one secret. */
function maskOne(text: string, secret: readonly CharacterPatterns[], starts: RegExp): string {
  let [masked, done] = ['', 0]
  for (const { index } of text.matchAll(starts)) {
    const end = index < done ? undefined : endOfSecret(text, index, secret)
    if (end === undefined) continue
    masked += text.slice(done, index) + MASK_TEXT
    done = end
  }
  return masked + text.slice(done)
}

/**
 * Creates a function that masks secrets in text. Reports need it, because a deployment may echo the headers that it
 * receives.
 * @param headers the names and values of all secret headers; parts of the values are masked too
 */
export function createSecretMasker(headers: Readonly<Record<string, string>>): (text: string) => string {
  const secrets = [...new Set(Object.values(headers).flatMap(secretsIn).flatMap(encodedFormsOf))]
  const patterns = new Map([...new Set(secrets.join(''))].map((character) => [character, patternsOf(character)]))
  const all = secrets
    .sort((a, b) => b.length - a.length)
    .map((secret) => [...secret].flatMap((character) => [patterns.get(character) ?? []]))
    .map((secret) => {
      const [first = [], second = []] = secret
      return { secret, starts: new RegExp(`(?=(?:${anyOf(first)})(?:${anyOf(second)}))`, 'giu') }
    })
  return (text) => all.reduce((masked, { secret, starts }) => maskOne(masked, secret, starts), text)
}

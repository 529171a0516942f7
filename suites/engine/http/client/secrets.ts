/** What stands in a report where a secret stood. */
export const MASK = '***'

/** Too short to be told from ordinary text; of the parts of a credential, shorter ones are words. */
const SHORTEST = 4
const SHORTEST_PART = 6

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
const percent = (bytes: Buffer): string => [...bytes].map((byte) => `%${hex(byte)}`).join('')

const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** The ways in which a deployment may write a character of a secret: each has a row in the tests. */
export const SPELLINGS: readonly ((character: string) => string | undefined)[] = [
  (character) => escaped(character),
  (character) => percent(Buffer.from(character)),
  (character) => percent(Buffer.from(character, 'latin1')),
  (character) => (character === ' ' ? '\\+' : undefined),
  // JSON: what must be escaped in strings, and the solidus, which may be.
  (character) => (/["\\/]/.test(character) ? `\\\\+${escaped(character)}` : undefined),
  (character) => `\\\\+u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  (character) => (entities[character] === undefined ? undefined : `&${entities[character]};`),
  (character) => `&#0*${character.codePointAt(0) ?? 0};`,
  (character) => `&#x0*${(character.codePointAt(0) ?? 0).toString(16)};`,
]

/** What a character of a secret may look like, at a place; longer spellings come before shorter ones. */
function patternOf(character: string): RegExp {
  const ways = SPELLINGS.flatMap((spell) => spell(character) ?? [])
  return new RegExp([...new Set(ways)].sort((a, b) => b.length - a.length).join('|'), 'iuy')
}

const unquoted = (text: string): string => text.trim().replace(/^"(.*)"$/s, '$1')

/** The values of `name=value` parameters, as of cookies and of credentials with a scheme (RFC 9110 section 11.4). */
const parametersOf = (text: string): readonly string[] =>
  [...text.matchAll(/[\w-]+\s*=\s*("(?:[^"\\]|\\.)*"|[^;,\s]+)/g)].map(([, value = '']) => unquoted(value))

/** User and password, and the password alone (RFC 7617). */
function basicPartsOf(value: string): readonly string[] {
  const coded = /^Basic +(\S+)$/i.exec(value)?.[1]
  if (coded === undefined) return []
  const pair = Buffer.from(coded, 'base64').toString('utf8')
  return [pair, pair.slice(pair.indexOf(':') + 1)]
}

/** A header's value, and what in it is a secret by itself. */
function secretsIn(value: string): readonly string[] {
  const credentials = value.replace(/^[A-Za-z][\w-]* +/, '')
  const whole = [value, credentials, ...basicPartsOf(value)].filter(({ length }) => length >= SHORTEST)
  return [...whole, ...parametersOf(value).filter(({ length }) => length >= SHORTEST_PART)]
}

/** A secret as it is, and in base64 in both alphabets. */
const codings = (secret: string): readonly string[] =>
  [secret, Buffer.from(secret).toString('base64').replace(/=+$/, ''), Buffer.from(secret).toString('base64url')].filter(
    ({ length }) => length >= SHORTEST,
  )

/** Where texts are cut, perhaps in the middle of a spelling: at their end, or before what says so. */
const CUT = /(?:%[\da-f]?|\\+(?:u[\da-f]{0,3})?|&#?\w{0,6})?[\ufffd"']*(?:…|$)/iy

/** Where the spelling that begins here ends: all of a secret, or as much of it as a cut left. */
function endOfSecret(text: string, start: number, secret: readonly RegExp[]): number | undefined {
  let at = start
  for (const [nth, pattern] of secret.entries()) {
    pattern.lastIndex = at
    if (pattern.test(text)) at = pattern.lastIndex
    else {
      CUT.lastIndex = at
      return nth >= SHORTEST && CUT.test(text) ? at : undefined
    }
  }
  return at
}

function maskOne(text: string, secret: readonly RegExp[]): string {
  const [first, second] = secret
  if (!first || !second) return text
  const starts = new RegExp(`(?=(?:${first.source})(?:${second.source}))`, 'giu')
  let [masked, done] = ['', 0]
  for (const { index } of text.matchAll(starts)) {
    const end = index < done ? undefined : endOfSecret(text, index, secret)
    if (end === undefined) continue
    masked += text.slice(done, index) + MASK
    done = end
  }
  return masked + text.slice(done)
}

/**
 * Makes a function that masks secrets in text, for what a deployment echoes ends in reports too.
 * @param headers name and value of every secret header; their parts count as well
 */
export function masking(headers: Readonly<Record<string, string>>): (text: string) => string {
  const secrets = [...new Set(Object.values(headers).flatMap(secretsIn).flatMap(codings))]
  const patterns = new Map([...new Set(secrets.join(''))].map((character) => [character, patternOf(character)]))
  const all = secrets
    .sort((a, b) => b.length - a.length)
    .map((secret) => [...secret].flatMap((character) => patterns.get(character) ?? []))
  return (text) => all.reduce(maskOne, text)
}

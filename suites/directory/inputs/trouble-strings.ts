/** Strings that break code which does not expect them. Single characters come first, so that they are shown alone. */

/**
 * Characters that are special to SQL LIKE, SQL or regular expressions, but not to query languages for people (R8.9).
 */
export const specialCharacters = ['%', '_', "'", '\\', '.', '^', '$', '[', ']'] as const

/** Ordinary punctuation. A special character may find the same cats as these in its place (R8.9). */
export const ordinaryPunctuation = [',', ';', '!', '=', '@'] as const

const syntaxCharacters = ['"', '*', '?', '+', '(', '/', '|){}~:>`']
const invisibleCharacters = [' ', '\n', '\u0000', '\u0301']
/** Rare characters, combined in one string. If it fails, shrinking finds the character. */
const rareCharacters = ['\t\r\u0001\u0008\u001b\u007f\u0085\u00a0\u200b\u2028\u202e\ufeff\ufffd\uffff\ue000']
const unusualLetters = ['é', '😺', 'ßİﬁΩش𝒳\u{10ffff}']
const percentEncodedStrings = ['%25', '%00']
/** An input for which a pattern with nested repetition runs practically for ever. */
const BACKTRACKING_INPUT = `${'a'.repeat(40)}!`
/** Strings that make a condition true if they become part of a query of SQL or MongoDB (ruling 8). */
export const injectionStrings = [
  "' OR '1'='1",
  "' OR 1=1 -- ",
  '{"$ne": null}',
  '{"$gt": ""}',
  '" OR "1"="1',
  "') OR ('1'='1",
]
/** Code in SQL, query documents, full-text search, templates and patterns. */
const codeStrings = ["' OR '1'='1", '{"$ne": null}', '<script>alert(1)</script>', '(a+)+$', BACKTRACKING_INPUT]
/** Strings that have a meaning at the start or the end, in shells, formats or paths. */
const boundaryStrings = ['=x', 'x\\'] as const
const prefixedStrings = ['x:y.json', '../x'] as const
/** Strings that a parser which guesses types reads as another type. */
const typedValues = ['null', '99999999999999999999']
/** Digits beyond 32 bits, and a character that counts as a digit but is no number. */
const numberStrings = ['9999999999', '²'] as const
/** Members of every object in JavaScript or Python: a lookup in an object finds them. */
const objectMembers = ['constructor', '__proto__'] as const
const combinedCharacters = ['👩‍👩‍👧‍👦', 'e\u0301']

/** Lengths of tested strings of plain letters, in `q` and in a path. */
export const queryLengths = [64, 256, 1024, 8192] as const
export const nameLengths = [256, 1024] as const

/**
 * Strings with the usual lengths of columns and buffers, in characters and in octets: a service that checks the wrong
 * unit fails at one of them. Strings of plain letters come first, so that a failure caused by length alone is shown
 * with them.
 */
const lettersByLength = queryLengths.map((count) => 'a'.repeat(count))
const textsByOctets = {
  least: repeatAtOddOctets('é', 62),
  middle: repeatAtOddOctets('é', 254),
  most: repeatAtOddOctets('é', 1022),
  units: repeatAtOddOctets('😺', 126),
}

/**
 * Repeats a character of two or four octets after a single octet, so that a power of two of octets ends within a
 * character.
 */
export function repeatAtOddOctets(character: string, count: number): string {
  return `x${character.repeat(count)}`
}

/** More words than the limits of expressions in databases or clauses in full-text search: SQLite 1000, Lucene 1024. */
const manyWords = 'ab '.repeat(1100)
const longStrings = [...lettersByLength, manyWords]

/** ASCII letters unlike the name of any cat. They must not find every cat of another script (R8.4). */
export const LETTERS_IN_NO_NAME = 'zqxjkvwpqz'

/** Plain letters and digits show best how a search matches. */
const plainStrings = [...'xl0', LETTERS_IN_NO_NAME]

/** Letters of several scripts, emoji, and the syntax of queries and templates, combined in one string. */
const MIXED_TROUBLE_STRING = `AND "x'\\'y" שไ한हカＡ’“…€🇳🇱👍🏽❤️{0}%(n)s$1 :x\r\n[a TO b] x~y@z^2\t\${jndi:http://x}  {{ AND`

/** Trouble strings for queries: one of every kind, and single letters. */
export const queryTroubleStrings: readonly string[] = [
  ...plainStrings,
  ...specialCharacters,
  ...syntaxCharacters,
  ...invisibleCharacters,
  ...rareCharacters,
  ...unusualLetters,
  ...percentEncodedStrings,
  ...codeStrings,
  ...typedValues,
  ...combinedCharacters,
  // Comes before the long strings, because a mixed string shrinks better than a repeated character.
  MIXED_TROUBLE_STRING,
  ...longStrings,
]

/** Strings in the form of ids: RFC 9562 and MongoDB. */
const UUID = '3f2b8c1e-9d4a-4c57-8e21-6a0f5b7d9c13'
const OBJECT_ID = '64f1c2a9e4b0d3a7c8f5e612'

/**
 * Two strings that rarely expose a defect. Each is sent to one of the two versions, because versions mostly share their
 * code.
 */
type AlternatingPair = readonly [first: string, second: string]

/**
 * Pairs of queries: operators alone, continued SQL, invalid numbers and dates, members of every object, and too many
 * digits.
 */
export const alternatingQueries: readonly AlternatingPair[] = [
  boundaryStrings,
  ['../x', 'x:y.json'],
  ['-', '<'],
  ['&', '#'],
  ['я', '猫'],
  ['..', '%2F'],
  ['.*', '${7*7}{{7*7}}'],
  ['[a-', 'a+b'],
  ['مرحبا', ';'],
  numberStrings,
  objectMembers,
  ['OR', 'NOT'],
  ['NEAR(', 'AND'],
  ["' UNION SELECT null --", "'); --"],
  ['{"$gt": ""}', "') OR ('1'='1"],
  ['%s%n', 'a%zb'],
  ['NaN', 'true'],
  ['0x1F', 'Infinity'],
  ['false', '@x'],
  ['x--', '-x'],
  ['1e999', '-1'],
  ['toString', '2024-02-30'],
  ['undefined', UUID],
  [OBJECT_ID, 'no'],
  ['9'.repeat(5000), `${'1'.repeat(40)}!`],
  [textsByOctets.least, textsByOctets.middle],
  [textsByOctets.most, textsByOctets.units],
]

export const alternatingSegments: readonly AlternatingPair[] = [
  boundaryStrings,
  ['\\', '&'],
  ['?', ';'],
  ['_', '.'],
  ['\u0301', 'null'],
  ['[(', '#<$^|'],
  ['{}~`,!=@:', '..\\cats'],
  ['${7*7}', '99999999999999999999'],
  ['%00', 'all'],
  ['é猫😺', 'ßİﬁΩяش𝒳\u{10ffff}'],
  ['%25', '%2F'],
  ['@x', '%2e%2e%2fcats'],
  numberStrings,
  objectMembers,
  ['toString', '-1'],
  [UUID, OBJECT_ID],
  ['undefined', 'no'],
  [textsByOctets.middle, textsByOctets.least],
]

/**
 * Trouble strings for path segments. Those with a meaning in paths and lookups are single, the others grouped; a
 * failing group is shrunk.
 */
export const segmentTroubleStrings: readonly string[] = [
  '%',
  "'",
  '"',
  '/',
  '+',
  '*',
  ' ',
  '\n',
  '\u0000',
  '..',
  '0',
  '1',
  '\t\r\u0001\u0008\u001b\u007f\u0085\u00a0\u200b\u202e\ufeff\ufffd\uffff\ue000',
  '%s%n',
  '../cats',
  "' OR '1'='1",
  '{"$ne": null}',
  BACKTRACKING_INPUT,
  ...prefixedStrings,
  '-x',
  'x--',
  'true',
  'NaN',
  ...combinedCharacters,
  ...nameLengths.map((count) => 'a'.repeat(count)),
  MIXED_TROUBLE_STRING,
]

/** Puts many trouble strings between two others, so that one request tests all of them. */
const combineTroubleStrings = (beginning: string, end: string): string =>
  `${beginning}' UNION SELECT null --'); x\\wx"\\%_*?+-&#/;:<>[](){"$ne": null}|^$~\`!,=@.${BACKTRACKING_INPUT}\n\u0000\té я猫😺%s%n${end}`

/** Several trouble strings in one, for quick effort; a failing one is shrunk. */
export const COMBINED_TROUBLE_STRINGS = {
  query: combineTroubleStrings('{"$ne": null}', 'x\\'),
  segment: combineTroubleStrings('../x', 'x--'),
  cat: combineTroubleStrings('@x/../', 'x\\'),
  words: `=x ${manyWords}`,
  parameters: 'q=a&q=b&q[]=a&q[$ne]=a',
} as const

/** Malformed percent-encoding, sent as it is (R13.11). */
export const malformedEncodings: readonly string[] = ['%', '%zz', '%FF', '%C3%28', 'a%', '%u0041', '%ED%A0%80']

/** Query strings with q absent, empty, twice, as a list or as an object (R13.15). */
export const oddQueryStrings: readonly string[] = ['', 'q=', 'q=a&q=b', 'q[]=a', 'q[$ne]=a']

/** Characters that are special to SQL, LIKE or regular expressions, but not to query languages (R8.9). */
export const specialCharacters = ['%', '_', "'", '\\', '.', '^', '$', '[', ']'] as const

/** Ordinary punctuation. The results of special characters are compared with its results (R8.9). */
export const ordinaryPunctuation = [',', ';', '!', '=', '@'] as const

const syntaxCharacters = ['"', '*', '?', '+', '(', '/', '|){}~:>`']
const invisibleCharacters = [' ', '\n', '\u0000', '\u0301']
/** Rare characters, combined in one string. If the string fails, shrinking isolates the character. */
const rareCharacters = ['\t\r\u0001\u0008\u001b\u007f\u0085\u00a0\u200b\u2028\u202e\ufeff\ufffd\uffff\ue000']
const unusualLetters = ['é', '😺', 'ßİﬁΩش𝒳\u{10ffff}']
/**
 * Strings that look percent-encoded. Their `%` is encoded in turn, so that only a service that decodes twice changes
 * them.
 */
const percentEncodedStrings = ['%25', '%00']
/** An input for which a regular expression with nested repetition, e.g. `(a+)+$`, practically never ends. */
const BACKTRACKING_INPUT = `${'a'.repeat(40)}!`
/** Strings that make a condition true if a service inserts them into a query of SQL or MongoDB (ruling 8). */
export const injectionStrings = [
  "' OR '1'='1",
  "' OR 1=1 -- ",
  '{"$ne": null}',
  '{"$gt": ""}',
  '" OR "1"="1',
  "') OR ('1'='1",
]
/**
 * An HTML tag. A service that removes tags searches for the empty string instead, and finds every cat. Many names have
 * no `l`, so that these hits share no character with the query.
 */
const HTML_TAG = '<ll>'
const codeStrings = [...injectionStrings, HTML_TAG, '(a+)+$', BACKTRACKING_INPUT]
/** Strings with a meaning at the start or end of a text, e.g. a formula or an escape. */
const boundaryStrings = ['=x', 'x\\'] as const
const prefixedStrings = ['x:y.json', '../x'] as const
/** Strings that a parser may read as another type, e.g. as null or as a number. */
const typedValues = ['null', '99999999999999999999']
/** Digits beyond 32 bits, and a character that Unicode counts as a digit although it cannot be parsed as a number. */
const numberStrings = ['9999999999', '²'] as const
/** Members that every object in JavaScript has. A service that looks names up in an object finds them. */
const objectMembers = ['constructor', '__proto__'] as const
const combinedCharacters = ['👩‍👩‍👧‍👦', 'e\u0301']

/** The lengths of the tested strings of plain letters, in queries and in path segments. */
export const queryLengths = [64, 256, 1024, 8192] as const
export const nameLengths = [256, 1024] as const

/**
 * The usual lengths of database columns and buffers; `textsByOctets` has these lengths in octets. Plain letters come
 * first, so that the report shows these if length alone causes a failure.
 */
const lettersByLength = queryLengths.map((count) => 'a'.repeat(count))
const textsByOctets = {
  least: repeatAfterOneOctet('é', 62),
  middle: repeatAfterOneOctet('é', 254),
  most: repeatAfterOneOctet('é', 1022),
  units: repeatAfterOneOctet('😺', 126),
}

/** Repeats a character after a single octet, so that a buffer of a power of two ends within a character. */
export function repeatAfterOneOctet(character: string, count: number): string {
  return `x${character.repeat(count)}`
}

/** More words than SQLite allows as terms (1000) and Lucene as clauses (1024). */
const manyWords = 'ab '.repeat(1100)
const longStrings = [...lettersByLength, manyWords]

/** Letters that no name contains in this order. They must not find every cat of another script (R8.4). */
export const LETTERS_IN_NO_NAME = 'zqxjkvwpqz'

/**
 * Plain strings, which show best how a search matches. A database that compares text with numbers (`'Tom' = 00` in SQL)
 * finds every name with `00`. With `0`, a search that tolerates errors may find every name, too (R8.12).
 */
const plainStrings = [...'xl0', '00', LETTERS_IN_NO_NAME]

/** Letters of several scripts, emoji, and the syntax of queries and templates, combined in one string. */
const MIXED_TROUBLE_STRING = `AND "x'\\'y" שไ한हカＡ’“…€🇳🇱👍🏽❤️{0}%(n)s$1 :x\r\n[a TO b] x~y@z^2\t\${jndi:http://x}  {{ AND`

/** Trouble strings for queries. Single characters come first, so that a report shows the simplest one. */
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
  // Comes before the long strings: a mixed string that fails shrinks to a better example.
  MIXED_TROUBLE_STRING,
  ...longStrings,
]

/** Strings in the form of usual ids: a UUID (RFC 9562) and an ObjectId of MongoDB. */
const UUID = '3f2b8c1e-9d4a-4c57-8e21-6a0f5b7d9c13'
const OBJECT_ID = '64f1c2a9e4b0d3a7c8f5e612'

/**
 * Two strings that rarely expose a defect. One is sent to v2, the other to v3; the seed decides which. With `--effort
 * thorough`, each version is sent both.
 */
type PairForV2AndV3 = readonly [first: string, second: string]

/** Pairs of queries, e.g. operators without operands, parts of SQL, and invalid numbers or dates. */
export const queryPairsForV2AndV3: readonly PairForV2AndV3[] = [
  boundaryStrings,
  ['../x', 'x:y.json'],
  ['-', '<script>alert(1)</script>'],
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

export const segmentPairsForV2AndV3: readonly PairForV2AndV3[] = [
  boundaryStrings,
  ['_', '.'],
  ['\u0301', 'null'],
  ['[(\\?', '#<$^|&;'],
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

/** Trouble strings for path segments. Those without a meaning in paths are grouped; a failing group is shrunk. */
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

/** Puts many trouble strings between two others, so that a single request tests all of them. */
const combineTroubleStrings = (beginning: string, end: string): string =>
  `${beginning}' UNION SELECT null --'); x\\wx"\\%_*?+-&#/;:<>[](){"$ne": null}|^$~\`!,=@.${BACKTRACKING_INPUT}\n\u0000\té я猫😺%s%n${end}`

/** Trouble strings combined in one, to save requests with `--effort quick`. A failing combination is shrunk. */
export const COMBINED_TROUBLE_STRINGS = {
  query: combineTroubleStrings('{"$ne": null}', 'x\\'),
  segment: combineTroubleStrings('../x', 'x--'),
  cat: combineTroubleStrings('@x/../', 'x\\'),
  words: `=x ${manyWords}`,
  parameters: 'q=a&q=b&q[]=a&q[$ne]=a',
} as const

/** Malformed percent-encoding. It is sent without further encoding (R13.11). */
export const malformedEncodings: readonly string[] = ['%', '%zz', '%FF', '%C3%28', 'a%', '%u0041', '%ED%A0%80']

/** Query strings in which `q` is absent, empty, given twice, a list or an object (R13.15). */
export const unusualQueryStrings: readonly string[] = ['', 'q=', 'q=a&q=b', 'q[]=a', 'q[$ne]=a']

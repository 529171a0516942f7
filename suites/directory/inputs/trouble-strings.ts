/**
 * Characters that are special to SQL, its LIKE operator or regular expressions, but not to the query languages of
 * search boxes (R8.9).
 */
export const specialCharacters = ['%', '_', "'", '\\', '.', '^', '$', '[', ']'] as const

/**
 * Ordinary punctuation. A query with a special character may find the same cats as the query with one of these
 * characters in its place (R8.9).
 */
export const ordinaryPunctuation = [',', ';', '!', '=', '@'] as const

const syntaxCharacters = ['"', '*', '?', '+', '(', '/', '|){}~:>`']
const invisibleCharacters = [' ', '\n', '\u0000', '\u0301']
/** Rare characters, combined in one string. If the string fails, shrinking isolates the character. */
const rareCharacters = ['\t\r\u0001\u0008\u001b\u007f\u0085\u00a0\u200b\u2028\u202e\ufeff\ufffd\uffff\ue000']
const unusualLetters = ['é', '😺', 'ßİﬁΩش𝒳\u{10ffff}']
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
const codeStrings = [...injectionStrings, '<script>alert(1)</script>', '(a+)+$', BACKTRACKING_INPUT]
/**
 * Strings with a special meaning at the start or the end of a text, e.g. a formula, an escape or a command-line option.
 */
const boundaryStrings = ['=x', 'x\\'] as const
const prefixedStrings = ['x:y.json', '../x'] as const
/** Strings that a parser may read as another type, e.g. as null or as a number. */
const typedValues = ['null', '99999999999999999999']
/** Digits beyond 32 bits, and a character that Unicode counts as a digit although it cannot be parsed as a number. */
const numberStrings = ['9999999999', '²'] as const
/** Members that every object in JavaScript has: a lookup by name in an object finds them. */
const objectMembers = ['constructor', '__proto__'] as const
const combinedCharacters = ['👩‍👩‍👧‍👦', 'e\u0301']

/** The lengths of the tested strings of plain letters, in queries and in path segments. */
export const queryLengths = [64, 256, 1024, 8192] as const
export const nameLengths = [256, 1024] as const

/**
 * Strings with the usual lengths of database columns and buffers. `textsByOctets` has these lengths in octets, for
 * services that count octets instead of characters. Strings of plain letters come first: if length alone causes a
 * failure, the report shows these.
 */
const lettersByLength = queryLengths.map((count) => 'a'.repeat(count))
const textsByOctets = {
  least: repeatAfterOneOctet('é', 62),
  middle: repeatAfterOneOctet('é', 254),
  most: repeatAfterOneOctet('é', 1022),
  units: repeatAfterOneOctet('😺', 126),
}

/**
 * Repeats a multi-byte character after a single octet. A buffer whose size is a power of two then ends within a
 * character.
 */
export function repeatAfterOneOctet(character: string, count: number): string {
  return `x${character.repeat(count)}`
}

/**
 * A string with more words than SQLite allows as terms in an expression (1000) and Lucene as clauses in a query (1024).
 */
const manyWords = 'ab '.repeat(1100)
const longStrings = [...lettersByLength, manyWords]

/**
 * ASCII letters that no name contains in this order. A search for them must not find every cat whose name is in another
 * script (R8.4).
 */
export const LETTERS_IN_NO_NAME = 'zqxjkvwpqz'

/**
 * Plain letters and digits, whose results show best how a search matches. A search for `00` must not find names without
 * a zero, as in SQL where `'Tom' = 00` is true; error tolerance explains such results of a search for `0` (R8.12).
 */
const plainStrings = [...'xl0', '00', LETTERS_IN_NO_NAME]

/** Letters of several scripts, emoji, and the syntax of queries and templates, combined in one string. */
const MIXED_TROUBLE_STRING = `AND "x'\\'y" שไ한हカＡ’“…€🇳🇱👍🏽❤️{0}%(n)s$1 :x\r\n[a TO b] x~y@z^2\t\${jndi:http://x}  {{ AND`

/**
 * Trouble strings (strings that often cause failures) for queries. Single characters come first, so that a report shows
 * the simplest failing string.
 */
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
 * Two strings that rarely expose a defect. Each is sent to one of the two versions only, because versions usually share
 * their code.
 */
type PairSplitByVersion = readonly [first: string, second: string]

/**
 * Pairs of queries, e.g. operators without operands, parts of SQL, invalid numbers or dates, and numbers with too many
 * digits.
 */
export const queriesSplitByVersion: readonly PairSplitByVersion[] = [
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

export const segmentsSplitByVersion: readonly PairSplitByVersion[] = [
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
 * Trouble strings (strings that often cause failures) for path segments. Those with a meaning in paths and lookups are
 * separate; the others are grouped, and a failing group is shrunk.
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

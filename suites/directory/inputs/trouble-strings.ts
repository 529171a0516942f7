/** Strings that break what was not written with them in mind. Single characters first: what fails alone is shown alone. */

/** Characters that are special to SQL LIKE, SQL or regular expressions, but to no query language offered to people (R8.9). */
export const specials = ['%', '_', "'", '\\', '.', '^', '$', '[', ']'] as const

/** Ordinary punctuation: special characters may find what it finds in the same place (R8.9). */
export const unremarkable = [',', ';', '!', '=', '@'] as const

const syntax = ['"', '*', '?', '+', '(', '/', '|){}~:>`']
const invisible = [' ', '\n', '\u0000', '\u0301']
/** Rarely met, and tried together: what fails is taken apart. */
const unseen = ['\t\r\u0001\u0008\u001b\u007f\u0085\u00a0\u200b\u2028\u202e\ufeff\ufffd\uffff\ue000']
const letters = ['é', '😺', 'ßİﬁΩش𝒳\u{10ffff}']
const encoded = ['%25', '%00']
/** What a pattern with a repetition in a repetition is tried on for longer than anyone waits. */
const BACKTRACKED = `${'a'.repeat(40)}!`
/** Strings that make a condition true if they become part of a query of SQL or MongoDB (ruling 8). */
export const injections = [
  "' OR '1'='1",
  "' OR 1=1 -- ",
  '{"$ne": null}',
  '{"$gt": ""}',
  '" OR "1"="1',
  "') OR ('1'='1",
]
/** As they are written: in SQL, in documents that are queries, in full-text search, in templates, in patterns. */
const code = ["' OR '1'='1", '{"$ne": null}', '<script>alert(1)</script>', '(a+)+$', BACKTRACKED]
/** At the beginning or the end they may mean something: to shells, to formats, to paths. */
const ends = ['=x', 'x\\'] as const
const affixed = ['x:y.json', '../x'] as const
/** What a parser that guesses takes for a value of another type. */
const values = ['null', '99999999999999999999']
/** Digits that fill 64 bits and not 32, and what counts as a digit and is none. */
const numerals = ['9999999999', '²'] as const
/** What every object has, and so has every object that names are looked up in. */
const members = ['constructor', '__proto__'] as const
const joined = ['👩‍👩‍👧‍👦', 'e\u0301']

/** How many plain letters are tried in q, and in a path. */
export const queryLengths = [64, 256, 1024, 8192] as const
export const nameLengths = [256, 1024] as const

/**
 * On either side of the lengths that columns and buffers have, in characters and in octets: what is short enough in
 * one and too long in the other is refused by nobody who counts the wrong ones. The plainest first: what fails for its
 * length alone is then cut short, not taken apart.
 */
const lengths = queryLengths.map((count) => 'a'.repeat(count))
const inOctets = {
  least: afterOneOctet('é', 62),
  middle: afterOneOctet('é', 254),
  most: afterOneOctet('é', 1022),
  units: afterOneOctet('😺', 126),
}

/** So many characters of two or four octets: a power of two of octets ends within one. */
export function afterOneOctet(character: string, count: number): string {
  return `x${character.repeat(count)}`
}

/** More words than an expression of a database has branches, or a full-text search has clauses: SQLite 1000, Lucene 1024. */
const words = 'ab '.repeat(1100)
const long = [...lengths, words]

/** ASCII letters like no name of a cat: they must not find every cat of another script (R8.4). */
export const UNLIKE_ANY = 'zqxjkvwpqz'

/** How a search matches is told by letters as by nothing else. */
const alphanumeric = [...'fmxlo07', UNLIKE_ANY]

/**
 * Seldom met, and tried together: quotes within quotes, scripts and signs that a code page lacks, the syntax of formats,
 * templates and query languages. As short as most columns are long; what fails is taken apart.
 */
const MIXED = `AND "x'\\'y" שไ한हカＡ’“…€🇳🇱👍🏽❤️{0}%(n)s$1 :x\r\n[a TO b] x~y@z^2\t\${jndi:http://x}  {{ AND`

/** For q: every kind of trouble, and letters alone. */
export const queryTroubles: readonly string[] = [
  ...alphanumeric,
  ...specials,
  ...syntax,
  ...invisible,
  ...unseen,
  ...letters,
  ...encoded,
  ...code,
  ...values,
  ...joined,
  // What fails is made smaller of this, not of what is one thing many times.
  MIXED,
  ...long,
]

/** What is looked up as an id, and has the form of one: RFC 9562, and MongoDB's. */
const UUID = '3f2b8c1e-9d4a-4c57-8e21-6a0f5b7d9c13'
const OBJECT_ID = '64f1c2a9e4b0d3a7c8f5e612'

/** Two strings that few services fall over: each is put to one of two versions, which are mostly made of the same. */
type InTurn = readonly [first: string, second: string]

/** Operators alone, SQL that goes on, what is no number and no date, what every object has, and too many digits. */
export const queriesInTurn: readonly InTurn[] = [
  ends,
  affixed,
  ['-', '<'],
  ['&', '#'],
  ['я', '猫'],
  ['..', '%2F'],
  ['.*', '${7*7}{{7*7}}'],
  ['[a-', 'a+b'],
  ['مرحبا', ';'],
  numerals,
  members,
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
  [inOctets.least, inOctets.middle],
  [inOctets.most, inOctets.units],
]

export const segmentsInTurn: readonly InTurn[] = [
  ends,
  ['\\', '&'],
  ['?', ';'],
  ['*', '_'],
  ['\u0301', '.'],
  ['all', 'null'],
  ['[(', '#<$^|'],
  ['{}~`,!=@:', '..\\cats'],
  ['${7*7}', '@x'],
  ['99999999999999999999', '%00'],
  numerals,
  members,
  ['toString', '-1'],
  [UUID, OBJECT_ID],
  ['undefined', 'no'],
  [inOctets.middle, inOctets.least],
]

/** For a path segment: what is special to a path and to what looks names up, the rest in groups; a group that fails is taken apart. */
export const segmentTroubles: readonly string[] = [
  '%',
  "'",
  '"',
  '/',
  '+',
  ' ',
  '\n',
  '\u0000',
  'é猫😺',
  '..',
  '0',
  '1',
  '\t\r\u0001\u0008\u001b\u007f\u0085\u00a0\u200b\u202e\ufeff\ufffd\uffff\ue000',
  'ßİﬁΩяش𝒳\u{10ffff}',
  '%25',
  '%2F',
  '%s%n',
  '../cats',
  "' OR '1'='1",
  '{"$ne": null}',
  BACKTRACKED,
  ...affixed,
  '-x',
  'x--',
  'true',
  'NaN',
  ...joined,
  ...nameLengths.map((count) => 'a'.repeat(count)),
  MIXED,
]

/** Many troubles between a beginning and an end that are troubles too: what falls over one of them falls over this. */
const atOnce = (beginning: string, end: string): string =>
  `${beginning}' UNION SELECT null --'); x\\wx"\\%_*?+-&#/;:<>[](){"$ne": null}|^$~\`!,=@.${BACKTRACKED}\n\u0000\té я猫😺%s%n${end}`

/** As many troubles as go together, for where few strings are tried; what fails is taken apart. */
export const SOME_AT_ONCE = {
  query: atOnce('{"$ne": null}', 'x\\'),
  segment: atOnce('../x', 'x--'),
  cat: atOnce('@x/../', 'x\\'),
  words: `=x ${words}`,
  parameters: 'q=a&q=b&q[]=a&q[$ne]=a',
} as const

/** Malformed percent-encoding, sent as it is (R13.11). */
export const malformed: readonly string[] = ['%', '%zz', '%FF', '%C3%28', 'a%', '%u0041', '%ED%A0%80']

/** Query strings with q absent, empty, twice, as a list or as an object (R13.15). */
export const oddQueryStrings: readonly string[] = ['', 'q=', 'q=a&q=b', 'q[]=a', 'q[$ne]=a']

/** Strings that break what was not written with them in mind. Single characters first: what fails alone is shown alone. */

/** Special to SQL LIKE, SQL and regular expressions, but to no query language that people are offered (ruling 8). */
export const specials = ['%', '_', "'", '\\', '.', '^', '$', '[', ']'] as const

/** Punctuation that is special to nothing: what it finds, the special ones may find (ruling 8). */
export const unremarkable = [',', ';', '!', '=', '@'] as const

const syntax = ['"', '*', '?', '+', '-', '|', '(', ')', '{', '}', '~', ':', '/', '&', '#', '<', '>', '`']
const invisible = [' ', '\t', '\n', '\r', '\u0000', '\u00a0', '\u0301']
/** Rarely met, and tried together: what fails is taken apart. */
const unseen = ['\u0001\u0008\u001b\u007f\u0085\u200b\u2028\u202e\ufeff\ufffd\uffff\ue000']
const letters = ['é', 'ß', 'İ', 'ﬁ', 'Ω', 'я', '猫', 'ش', '😺', '𝒳', '\u{10ffff}']
const encoded = ['..', '%25', '%20', '%2F', '%00', '%s%n', 'a+b', 'a b', 'a&b=c', 'a#b', 'a;b']
const code = [
  "' OR '1'='1",
  "'; --",
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '.*',
  '(',
  '[a-',
  '(a+)+$',
  'a{1,99999}',
]
const names = ['__proto__', 'constructor', 'prototype', 'null', '99999999999999999999']
const joined = ['👩‍👩‍👧‍👦', 'e\u0301', 'Z\u0351\u036b\u0343', 'مرحبا', '日本語の猫', '\u202eabc']
/** The plainest first: what fails for its length alone is then cut short, not taken apart. */
const long = [
  'a'.repeat(256),
  'a'.repeat(2000),
  'é'.repeat(300),
  '😺'.repeat(200),
  '%'.repeat(500),
  'ab '.repeat(400),
  'a'.repeat(5000),
]

const alphanumeric = [...'qxzjkvwbfaeo0']

/** For q: every kind of trouble, and every letter alone. */
export const queryTroubles: readonly string[] = [
  ...specials,
  ...unremarkable,
  ...syntax,
  ...invisible,
  ...unseen,
  ...letters,
  ...alphanumeric,
  ...encoded,
  ...code,
  ...names,
  ...joined,
  ...long,
]

/** For a path segment: what is special to a path and to what looks names up, the rest in groups; a group that fails is taken apart. */
export const segmentTroubles: readonly string[] = [
  '%',
  "'",
  '"',
  '\\',
  '/',
  '+',
  '&',
  '#',
  '?',
  ';',
  '*',
  '_',
  '<',
  ' ',
  '\n',
  '\u0000',
  'é',
  '猫',
  '😺',
  '\u0301',
  '..',
  '.',
  '0',
  'all',
  '[',
  '(',
  '$^|',
  '{}~`',
  ',!=@:',
  '\t\r\u0001\u0008\u001b\u007f\u0085\ufffd\uffff\ue000',
  '\u00a0\u200b\u202e\ufeff',
  'ßİﬁΩяش𝒳\u{10ffff}',
  '%25',
  '%2F',
  '%00',
  '../cats',
  '..\\cats',
  "' OR '1'='1",
  '${7*7}',
  '.*',
  '(a+)+$',
  ...names,
  ...joined.slice(0, 2),
  'a'.repeat(256),
  'a'.repeat(2000),
  'é'.repeat(300),
]

/** Malformed percent-encoding, sent as it stands (ruling 13). */
export const malformed: readonly string[] = ['%', '%zz', '%FF', '%C3%28', '%E0%A4', 'a%', '%u0041', '%ED%A0%80']

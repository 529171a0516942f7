import type { DiagnosisRule } from './diagnoses.ts'

/** The failing inputs of a violation as texts, and the texts for which the check passed. */
export interface TestedInputs {
  readonly failing: readonly string[]
  readonly passing: readonly string[]
  /** True if the deployment lists all failing inputs as names, and other names pass. */
  readonly areListed: boolean
  /** True if the deployment lists all failing inputs as names, but finds nothing for them. */
  readonly areMissed: boolean
  /** True if the failing inputs are listed names for which a search returned a 2xx and an empty result. */
  readonly isEmptySearch: boolean
  /** The position of the inputs in the URL. */
  readonly part: 'path' | 'query'
  readonly isServerError: boolean
}

const allContain = ({ failing }: TestedInputs, character: string): boolean =>
  failing.length > 0 && failing.every((text) => text.includes(character))

const onlyFailingContain = (inputs: TestedInputs, character: string): boolean =>
  allContain(inputs, character) && !inputs.passing.some((text) => text.includes(character))

/** Returns whether listed names are not found in this part of the URL, and only these contain one of the characters. */
const areMissedFor = (inputs: TestedInputs, part: TestedInputs['part'], characters: string): boolean =>
  inputs.areMissed && inputs.part === part && [...characters].some((character) => onlyFailingContain(inputs, character))

/** Characters with a meaning in regular expressions, except the dot, which matches itself. */
const HAS_PATTERN_SYNTAX = /[()[\]{}*+?^$|\\]/

/** Returns whether a text is a valid regular expression. Does not run it, because one from a deployment may never end. */
function isValidPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

/** Returns whether a text is an invalid regular expression, with and without anchors, e.g. `C++`. */
const isInvalidPattern = (text: string): boolean => !isValidPattern(text) && !isValidPattern(`^${text}$`)

/** Returns whether the failing inputs would be misread as regular expressions, and those that pass would not. */
const areMisreadAsPatterns = ({ failing, passing, areMissed }: TestedInputs): boolean =>
  failing.length > 0 &&
  failing.every((text) => HAS_PATTERN_SYNTAX.test(text)) &&
  !passing.some((text) => (areMissed ? HAS_PATTERN_SYNTAX.test(text) : isInvalidPattern(text)))

/** Characters that query languages of search engines read as operators. */
const OPERATORS = '-"~*:!()[]{}|^<>'

/**
 * The rules for causes that one character suggests, because all failing inputs contain it, in the order of their
 * priority.
 */
export const characterDiagnosisRules: readonly DiagnosisRule<TestedInputs>[] = [
  {
    id: 'nul',
    symptom: 'status 5xx for strings that contain U+0000',
    fix: 'Refuse a string that contains U+0000 with 400. PostgreSQL and libraries in C do not accept it in a text.',
    applies: (inputs) => inputs.isServerError && allContain(inputs, '\0'),
  },
  {
    id: 'sql-by-concatenation',
    symptom: 'status 5xx for strings that contain an apostrophe',
    fix: 'The string probably becomes part of an SQL statement, which allows SQL injection. Use bound parameters (prepared statements) in every query; do not put strings into the text of a statement.',
    // U+0000 counts too: like an unescaped apostrophe, it makes an SQL statement invalid.
    applies: ({ isServerError, failing }) =>
      isServerError && failing.some((text) => text.includes("'")) && failing.every((text) => /['\0]/.test(text)),
  },
  {
    id: 'percent-sign-fails',
    symptom: 'status 5xx only for strings that contain a percent sign',
    fix: 'The string is probably decoded a second time, or used as a format string. Decode each octet once (the parameters of most frameworks are already decoded), and pass strings to logging and formatting functions only as arguments, never as the format (Python `%`, C `printf`, Go `Printf`).',
    applies: (inputs) => inputs.isServerError && onlyFailingContain(inputs, '%'),
  },
  {
    id: 'encoded-slash',
    symptom: 'nothing is found for listed names with a slash in the path',
    fix: 'The encoded slash `%2F` is probably decoded before the route is chosen. Apache: `AllowEncodedSlashes NoDecode`; nginx: `proxy_pass` without a URI part; Tomcat: `encodedSolidusHandling="passthrough"`; Flask: `<path:name>`; Spring Security: `StrictHttpFirewall.setAllowUrlEncodedSlash(true)`.',
    applies: (inputs) => areMissedFor(inputs, 'path', '/'),
  },
  {
    id: 'encoded-backslash',
    symptom: 'nothing is found for listed names with a backslash in the path',
    fix: 'The encoded backslash `%5C` is probably decoded before the route is chosen, and then taken for a slash (.NET, IIS and `new URL` in JavaScript do so). Choose the route by the path as it was received, and decode the name after that.',
    applies: (inputs) => areMissedFor(inputs, 'path', '\\'),
  },
  {
    id: 'matrix-parameter',
    symptom: 'a name in the path is cut at a semicolon',
    fix: 'The part after the semicolon is probably taken for a matrix parameter. Choose the route by the path as it was received, in which the semicolon is `%3B`, and decode the name after that. Spring: `UrlPathHelper.setRemoveSemicolonContent(false)` and `StrictHttpFirewall.setAllowSemicolon(true)`.',
    applies: (inputs) => inputs.part === 'path' && !inputs.isServerError && onlyFailingContain(inputs, ';'),
  },
  {
    id: 'plus-sign',
    symptom: 'nothing is found for listed names with a plus sign',
    fix: 'The plus sign probably becomes a space. In a path, `+` is an ordinary character (Java: not `URLDecoder`; Python: `unquote`, not `unquote_plus`; PHP: `rawurldecode`, not `urldecode`). In a query, `%2B` is a plus sign: decode it only once.',
    applies: (inputs) => areMissedFor(inputs, inputs.part, '+'),
  },
  {
    id: 'decoded-twice',
    symptom: 'nothing is found for listed names with a percent sign',
    fix: 'The string is probably decoded twice. Decode each octet once: the parameters of most frameworks are already decoded (Express: `req.params` and `req.query`). nginx: `proxy_pass` without a URI part.',
    applies: (inputs) => areMissedFor(inputs, inputs.part, '%'),
  },
  {
    id: 'question-mark',
    symptom: 'nothing is found for listed names with a question mark or U+FFFD',
    fix: 'If the question marks in the names stand where other characters were, the names were converted to a character set that lacks those characters: use UTF-8 everywhere (MySQL: `utf8mb4`; Java: `StandardCharsets.UTF_8` in every converter), and repair the stored names. If the names really contain question marks, `%3F` is probably decoded before the path is separated from the query.',
    applies: (inputs) => areMissedFor(inputs, inputs.part, '?') || areMissedFor(inputs, inputs.part, '\ufffd'),
  },
  {
    id: 'decoded-before-split',
    symptom: 'a search finds nothing for listed names with an ampersand, a hash, an equals sign or a semicolon',
    fix: 'The query string is probably decoded before it is split into parameters. Split it first, at `&` only, and decode each value after that. The query parser of your framework does so; a proxy that decodes URLs does not.',
    applies: (inputs) => areMissedFor(inputs, 'query', '&#=;'),
  },
  {
    id: 'escape-character',
    symptom: 'a search finds nothing for listed names with a backslash',
    fix: 'The backslash is probably read as an escape character, as in patterns of SQL `LIKE`, regular expressions and query languages. Put a second backslash before it, or use a comparison that takes the text literally.',
    applies: (inputs) => areMissedFor(inputs, 'query', '\\'),
  },
  {
    id: 'unescaped-pattern',
    symptom: 'status 5xx, or nothing found, for strings with special characters of regular expressions',
    fix: 'The string is probably used as a regular expression, or as a part of one. Compare the texts with `=`, or escape the string first (JavaScript: `RegExp.escape`; Python: `re.escape`; Java: `Pattern.quote`; MongoDB: no `$regex`).',
    applies: (inputs) => (inputs.isServerError || inputs.areMissed) && areMisreadAsPatterns(inputs),
  },
  {
    id: 'query-operators',
    symptom: 'a search finds nothing for listed names with a character that query languages use as an operator',
    fix: 'The search probably reads characters of the query as operators, e.g. `-` as NOT. Use a search that takes the text literally (Elasticsearch: `match` instead of `query_string`; PostgreSQL: `plainto_tsquery` instead of `to_tsquery`; MySQL: `IN NATURAL LANGUAGE MODE`), or put quotation marks around it (SQLite FTS5).',
    applies: (inputs) => inputs.isEmptySearch && areMissedFor(inputs, 'query', OPERATORS),
  },
]

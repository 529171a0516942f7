import type { Encoding } from '../shared/encodings.ts'
import type { Alterations } from './alterations.ts'
import { COMBINED_TROUBLE_STRINGS, LETTERS_IN_NO_NAME, repeatAfterOneOctet } from './trouble-strings.ts'

/** The position of a special character in a query: within a name, alone, or in a piece of SQL. */
export type SpecialCharacterUse =
  | ('%' | '_' | '.' | '\\w' | '%hex' | '[]' | '^' | '$')
  | ('before &' | 'before #' | 'SQL' | 'SQL comment' | 'alone' | 'anchor alone')

/** The inputs of each kind that quick effort may select, e.g. the name of an alteration. */
export interface InputsByKind {
  readonly query: string
  readonly alteredQuery: keyof Alterations['queries']
  readonly special: SpecialCharacterUse
  readonly malformed: string
  readonly queryString: string
  readonly breed: string
  readonly alteredBreed: keyof Alterations['breeds']
  readonly cat: string
  readonly plusForSpace: 'breed' | 'query'
  readonly encodedBreed: Encoding
  readonly encodedQuery: Encoding
}

export type InputKind = keyof InputsByKind

/** The versions to which an input is sent: `both` if their responses are compared. */
export type VersionsForInput = 'both' | 'v2' | 'v3'

export type QuickInput = {
  readonly [K in InputKind]: readonly [kind: K, versions: VersionsForInput, what: InputsByKind[K]]
}[InputKind]

const { query, segment, cat, words, parameters } = COMBINED_TROUBLE_STRINGS
const emoji = (count: number): string => repeatAfterOneOctet('😺', count)

/**
 * Creates a string of a given length with a trouble string at its beginning, and one at its end if wanted. If it fails,
 * shrinking isolates the cause.
 */
const padBetween = (length: number, beginning: string, end = ''): string =>
  beginning.padEnd(length - end.length, 'a') + end

/**
 * A letter that many names lack, and that sounds like no other letter. A search for it shows whether `q` is ignored.
 */
export const PLAIN_QUERY = 'l'

/**
 * The inputs sent with `--effort quick`, those that reveal the most mutants per request first. Inputs that rarely
 * reveal a mutant are sent to a single version, because versions usually share their code.
 */
export const QUICK_INPUTS: readonly QuickInput[] = [
  // The first two inputs are sent with any effort (`ALWAYS_SENT_INPUTS`).
  ['query', 'both', PLAIN_QUERY],
  ['queryString', 'both', 'q='],
  ['query', 'both', query],
  ['breed', 'both', segment],
  ['cat', 'v3', cat],
  ['malformed', 'both', '%'],
  ['special', 'both', '_'],
  ['query', 'v3', LETTERS_IN_NO_NAME],
  ['alteredBreed', 'both', 'lowerCase'],
  ['alteredQuery', 'both', 'oneLetterMore'],
  ['encodedBreed', 'v2', 'every octet'],
  ['encodedBreed', 'v3', 'lower-case hex'],
  ['encodedQuery', 'v2', 'lower-case hex'],
  ['encodedQuery', 'v3', 'every octet'],
  ['alteredBreed', 'v2', 'threeLetters'],
  ['alteredBreed', 'v3', 'initial'],
  ['special', 'both', 'SQL'],
  ['special', 'v3', 'before &'],
  ['special', 'v2', 'before #'],
  ['special', 'v2', '.'],
  ['special', 'both', 'anchor alone'],
  ['query', 'v2', 'a'.repeat(1024)],
  ['query', 'v3', 'a'.repeat(8192)],
  ['alteredBreed', 'v3', 'afterHash'],
  ['alteredBreed', 'v2', 'afterNul'],
  ['alteredBreed', 'v2', 'plural'],
  ['alteredBreed', 'v3', 'lastLetterMissing'],
  ['alteredBreed', 'v3', 'afterQuestionMark'],
  ['alteredBreed', 'v2', 'withExtension'],
  ['alteredBreed', 'v2', 'afterSemicolon'],
  ['alteredBreed', 'v3', 'afterComma'],
  ['alteredBreed', 'v2', 'swappedLetters'],
  ['breed', 'v3', '0'],
  ['special', 'v2', '\\w'],
  ['special', 'v3', '[]'],
  ['alteredQuery', 'both', 'secondLetterMissing'],
  ['alteredQuery', 'both', 'unaccented'],
  ['alteredBreed', 'both', 'unaccented'],
  ['query', 'v3', ' '],
  ['alteredBreed', 'both', 'stepsInPath'],
  ['query', 'v3', '*'],
  ['alteredBreed', 'v3', 'lastWord'],
  ['query', 'v3', 'x:y.json'],
  ['breed', 'v3', '__proto__'],
  ['queryString', 'both', parameters],
  ['query', 'v3', emoji(64)],
  ['query', 'v2', `[a]${emoji(256)}`],
  ['breed', 'v2', padBetween(1024, 'x', '.json')],
  ['breed', 'v3', padBetween(1024, '-x')],
  ['cat', 'v3', padBetween(1024, '=x')],
  ['cat', 'v3', emoji(64)],
  ['cat', 'v3', '__proto__'],
  ['query', 'v2', words],
  ['queryString', 'both', ''],
  ['alteredBreed', 'v2', 'firstWord'],
  ['alteredBreed', 'v3', 'encodedTwice'],
  ['alteredBreed', 'v3', 'wildcard'],
  ['breed', 'v3', ' '],
  ['breed', 'v2', '%'],
  ['query', 'v3', padBetween(256, '@x')],
  ['query', 'v2', padBetween(64, 'x', '--')],
  ['alteredBreed', 'both', 'upperCase'],
  ['query', 'v3', '-x'],
  ['query', 'v3', 'a%zb'],
  ['query', 'v2', '__proto__'],
  ['query', 'v2', 'NEAR('],
  ['query', 'v2', 'OR'],
  ['query', 'v3', 'AND'],
  ['query', 'v3', 'NOT'],
  ['query', 'v3', 'true'],
  ['query', 'v3', 'null'],
  ['query', 'v2', 'NaN'],
  ['query', 'v2', '0x1F'],
  ['cat', 'v3', 'null'],
  ['breed', 'v2', emoji(64)],
  ['breed', 'v2', 'true'],
  ['breed', 'v3', 'NaN'],
  ['query', 'v2', 'false'],
  ['query', 'v3', 'Infinity'],
  ['special', 'v3', '%hex'],
  ['alteredBreed', 'both', 'padded'],
  ['alteredQuery', 'both', 'firstWord'],
  ['alteredQuery', 'both', 'wordsReversed'],
  ['alteredQuery', 'both', 'longest'],
  ['alteredQuery', 'both', 'afterNul'],
  ['alteredQuery', 'both', 'firstLetterMissing'],
  ['alteredQuery', 'both', 'otherCase'],
  ['alteredQuery', 'both', 'threeLetters'],
  ['alteredBreed', 'both', 'decomposed'],
  ['query', 'both', '\\'],
  ['plusForSpace', 'both', 'query'],
  ['plusForSpace', 'both', 'breed'],
]

/** Inputs that are sent with any effort, and therefore not counted in the budget. */
export const ALWAYS_SENT_INPUTS = QUICK_INPUTS.slice(0, 2)

/** Inputs that are tested even if the budget is used up: without them, some check would have no input. */
export const MINIMUM_INPUTS = [
  ...QUICK_INPUTS.slice(0, 7),
  ...QUICK_INPUTS.filter(
    ([, , what]) => what === 'SQL' || what === 'anchor alone' || what === 'stepsInPath' || what === 'oneLetterMore',
  ),
]

/** Returns the strings of a kind among the quick inputs, whatever the version. */
export const selectQuickStrings = (kind: 'query' | 'breed' | 'cat' | 'queryString' | 'malformed'): readonly string[] =>
  QUICK_INPUTS.flatMap(([of, , what]) => (of === kind ? [what] : []))

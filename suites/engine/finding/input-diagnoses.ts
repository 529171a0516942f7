import { characterDiagnosisRules, type TestedInputs } from './character-diagnoses.ts'
import { type ConfirmedViolation, collectFailedInputs, listedInputsOf } from './check-record.ts'
import {
  findCommonTraits,
  findMinimalTraits,
  hasLetterOrDigit,
  hasNonAsciiCapital,
  NOT_COMPOSED_PHRASE,
  NOT_DECOMPOSED_PHRASE,
  SIMILARITY_PHRASES,
} from './common-traits.ts'
import type { DiagnosisRule } from './diagnoses.ts'

/** With fewer passing inputs, the absence of a trait is no evidence. */
const MIN_PASSED_INPUTS = 5

/** Columns and buffers are rarely shorter than this. If shorter names fail, there is another cause. */
const MIN_COLUMN_LENGTH = 8

/** Matches names whose characters no layer of a service treats specially. A dot may begin e.g. a format suffix. */
const ORDINARY_NAME = /^[A-Za-z0-9 '-]+$/

/** Matches names that percent-encoding leaves as they are, so that wrong decoding cannot make them unknown. */
const NAME_WITHOUT_ENCODING = /^[\w.~-]+$/

/** Returns whether all names have ordinary characters, and no trait that the passing names lack, e.g. an apostrophe. */
const areOrdinary = ({ failing, passing }: TestedInputs): boolean =>
  failing.every((name) => ORDINARY_NAME.test(name)) && findMinimalTraits(failing, passing).length === 0

/** Returns whether the clearest trait of the failing names is that they are longer, or shorter, than all others. */
const differInLength = ({ failing, passing }: TestedInputs, word: 'longer' | 'shorter'): boolean =>
  findCommonTraits(failing, passing)[0]?.startsWith(`are ${word} than`) === true

const ASCII_TEXT = /^[\0-\x7f]*$/

/**
 * Returns the inputs whose lengths are compared: if all failing inputs are ASCII, only the passing ones in ASCII. A
 * minimum length often applies only to these, because indexes split texts of other scripts into shorter parts.
 */
const keepSameScript = (inputs: TestedInputs): TestedInputs =>
  inputs.failing.every((text) => ASCII_TEXT.test(text))
    ? { ...inputs, passing: inputs.passing.filter((text) => ASCII_TEXT.test(text)) }
    : inputs

/** Returns whether one of the traits is the clearest of the failing names. */
const haveTrait = ({ failing, passing }: TestedInputs, traits: readonly string[]): boolean =>
  traits.includes(findCommonTraits(failing, passing)[0] ?? '')

/** The rules for causes that the failing inputs suggest, compared with those that pass, in the order of their priority. */
export const inputDiagnosisRules: readonly DiagnosisRule<TestedInputs>[] = [
  {
    id: 'long-names',
    symptom: `nothing is found for listed names longer than all others (and than ${MIN_COLUMN_LENGTH} characters)`,
    fix: 'Something probably limits the length of the string: the strings that fail are longer than the others. Look for a column or an index that cuts texts (`VARCHAR(n)`, a prefix index), a buffer of fixed size, a cache key that is cut, or a maximum length of a route parameter or query.',
    applies: (missed) =>
      missed.areMissed &&
      differInLength(missed, 'longer') &&
      missed.failing.every((name) => [...name].length > MIN_COLUMN_LENGTH),
  },
  {
    id: 'short-names',
    symptom: 'a search finds nothing for listed names shorter than all others',
    fix: 'The search index probably leaves out short words, or the search ignores them. Lower the minimum length (MySQL: `innodb_ft_min_token_size`; Sphinx: `min_word_len`; Elasticsearch: `min_gram` of the analyser), or compare whole names too.',
    applies: (missed) => missed.isEmptySearch && differInLength(keepSameScript(missed), 'shorter'),
  },
  {
    id: 'names-of-signs',
    symptom: 'a search finds nothing for listed names that have neither a letter nor a digit',
    fix: 'The analyser of the search index probably drops signs, so that nothing is left of these names. Index the whole name too (Elasticsearch: a `keyword` field; Solr: `string`; PostgreSQL: compare with `=` too).',
    applies: ({ isEmptySearch, failing, passing }) =>
      isEmptySearch && !failing.some(hasLetterOrDigit) && passing.every(hasLetterOrDigit),
  },
  {
    id: 'ascii-case-folding',
    symptom: 'a search finds nothing for listed names with a capital letter that is not ASCII',
    fix: 'The query and the names are probably converted to lower case by different functions, of which one knows only ASCII (SQLite: `LOWER` and `LIKE` without the ICU extension; C: `tolower`). Use the same function for both, and store its result in a column of its own.',
    applies: ({ isEmptySearch, failing, passing }) =>
      isEmptySearch && failing.every(hasNonAsciiCapital) && !passing.some(hasNonAsciiCapital),
  },
  {
    id: 'normalisation-forms',
    symptom: 'nothing is found for listed names in another Unicode normalisation form than all others',
    fix: "The service probably converts the string to one normalisation form, but compares it with names that are stored in another. Convert both to the same form (JavaScript: `normalize('NFC')`; Python: `unicodedata.normalize`; Go: `norm.NFC`), or neither.",
    applies: (inputs) => inputs.areMissed && haveTrait(inputs, [NOT_COMPOSED_PHRASE, NOT_DECOMPOSED_PHRASE]),
  },
  {
    id: 'similar-names',
    symptom: 'requests fail only for listed names that differ from other listed names only by case or accents',
    fix: 'The look-up probably ignores case or accents, and so finds several names. Compare the whole name exactly (Django: `name=` instead of `name__iexact=`; MySQL: a collation that ends in `_bin`; SQL Server: one with `_CS_AS`; PostgreSQL: no `citext`).',
    applies: (inputs) => inputs.areListed && haveTrait(inputs, SIMILARITY_PHRASES),
  },
  {
    id: 'skipped-words',
    symptom: 'a search finds nothing for a few listed names that differ from the others in no character or length',
    fix: 'The search finds other names with the same kinds of characters, so decoding is probably not the cause. If the missing names are common words, the analyser drops stop words: turn this off (Elasticsearch: no `stop` filter; MySQL: `innodb_ft_enable_stopword=OFF`; PostgreSQL: the configuration `simple`). Otherwise the index lacks the missing names: rebuild it.',
    applies: (missed) => missed.isEmptySearch && areOrdinary(missed),
  },
]

const isClientError = (status: number): boolean => status >= 400 && status < 500

/** Describes the failing inputs of a violation, for the rules that compare them with the inputs that pass. */
function describeTestedInputs(confirmed: ConfirmedViolation): TestedInputs {
  const { passedInputs: passing, shownExchanges } = confirmed
  const all = collectFailedInputs(confirmed)
  const [shown] = shownExchanges
  const status = shown?.outcome.status ?? 0
  const isEmpty = status >= 200 && status < 300 && !/\[\s*[^\s\]]/.test(shown?.excerpt ?? '')
  const areListed = listedInputsOf(confirmed).length === all.length && passing.length >= MIN_PASSED_INPUTS
  const part = shown?.request.target.includes('?') === true ? 'query' : 'path'
  return {
    passing,
    part,
    failing: all.flatMap(({ input }) => input ?? []),
    areListed,
    areMissed: areListed && (isEmpty || isClientError(status)),
    isEmptySearch: areListed && isEmpty && part === 'query',
    isServerError: status >= 500,
  }
}

const findRule = (rules: readonly DiagnosisRule<TestedInputs>[], inputs: TestedInputs) =>
  rules.find(({ applies }) => applies(inputs))

/** Returns the rule for the cause that a character of all failing inputs suggests; undefined if there is none. */
export const findCharacterDiagnosis = (confirmed: ConfirmedViolation): DiagnosisRule<TestedInputs> | undefined =>
  findRule(characterDiagnosisRules, describeTestedInputs(confirmed))

/**
 * Returns advice on the cause of a violation: the cause that the responses suggest, else the one that the failing inputs
 * suggest, else the one that the check knows. Returns undefined if there is none: then the general advice applies.
 */
export function adviseOnCause(confirmed: ConfirmedViolation): string | undefined {
  if (confirmed.fix !== undefined) return confirmed.fix
  const { contradiction } = confirmed.violation
  const inputs = describeTestedInputs(confirmed)
  const [shown = ''] = listedInputsOf(confirmed)
  const [first = [], ...others] = collectFailedInputs(confirmed).map(
    ({ violation }) => violation.contradiction.inputFixes ?? [],
  )
  return (
    findRule(inputDiagnosisRules, inputs)?.fix ??
    contradiction.fix ??
    first.find((one) => others.every((fixes) => fixes.includes(one))) ??
    findRule(characterDiagnosisRules, inputs)?.fix ??
    (NAME_WITHOUT_ENCODING.test(shown) || (inputs.areMissed && areOrdinary(inputs))
      ? contradiction.fixForOrdinaryInputs
      : undefined)
  )
}

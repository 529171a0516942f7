import { parseArgs } from 'node:util'
import { type Option, takesValue, valueSourceOf } from './option.ts'
import { allOptions, optionTable } from './table.ts'
import { findMostSimilarWord, throwUsageError, UsageError } from './usage-error.ts'

/**
 * The values on the command line, by flag, e.g. `--only`. A flag that takes no value, e.g. `--strict`, has one empty
 * text.
 */
export type FlagValues = ReadonlyMap<string, readonly string[]>

/**
 * Reads the command line. Uses the grammar of `parseArgs` but not its strict mode, which takes the `-5` of `--seed -5`
 * for an option, and silently uses the last value of an option that is given twice.
 */
export function readCommandLine(argv: readonly string[]): FlagValues {
  const options = Object.fromEntries(
    allOptions.map((option) => [option.flag.slice(2), { type: takesValue(option) ? 'string' : 'boolean' } as const]),
  )
  const { tokens } = parseArgs({
    args: argv.map((word, index) => expandAlias(word, index, argv.length)),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const flags = new Map<string, string[]>()
  const add = (option: Option, text: string): void => {
    const before = flags.get(option.flag) ?? []
    if (before.length > 0 && takesValue(option) && !option.isRepeatable) {
      throwUsageError(valueSourceOf(option, true), 'was given more than once.', 'one value', 'remove all but one')
    }
    flags.set(option.flag, [...before, text])
  }
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1]
    if (token.kind === 'positional') {
      // Treats the id in `--replay FILE ID` like the value of --only.
      if (previous?.kind === 'option' && previous.rawName === optionTable.replayFile.flag)
        add(optionTable.only, token.value)
      else refusePositional(token.value, argv.slice(0, token.index))
    }
    if (token.kind !== 'option') continue
    const option = allOptions.find(({ flag }) => flag === token.rawName) ?? refuseUnknownFlag(token.rawName)
    add(option, requireOptionText(option, token.value, token.inlineValue === true))
  }
  return flags
}

const FLAG_ALIASES: Readonly<Record<string, string>> = { '-h': '--help', '-v': '--version', '-V': '--version' }
const COMMAND_WORDS: Readonly<Record<string, string>> = { help: '--help', version: '--version' }

/**
 * Replaces common spellings, such as `-h` and `help`, by the option. A word without dashes must be the only argument.
 */
const expandAlias = (word: string, index: number, length: number): string =>
  (index === 0 && length === 1 ? COMMAND_WORDS[word] : undefined) ??
  (index === 0 ? FLAG_ALIASES[word] : undefined) ??
  word

/**
 * Returns the text of an option's value; an empty text if the option takes no value. Refuses a value that is missing,
 * empty or superfluous.
 * @param isInline true if the text follows the flag after `=`, e.g. `--seed=5`
 */
function requireOptionText(option: Option, text: string | undefined, isInline: boolean): string {
  const source = valueSourceOf(option, true)
  if (!takesValue(option)) {
    if (text !== undefined) throwUsageError(source, 'takes no value.', `${option.flag} without a value`)
    return ''
  }
  // A dash is the start of the next option, unless a digit follows: then it is a negative number.
  if (text === undefined || (!isInline && /^-(?!\d)/.test(text)))
    throwUsageError(source, 'the value is missing.', option.usage)
  if (text.trim() === '') throwUsageError(source, 'the value is empty.', option.usage)
  return text
}

const SAFE_URL = /^https?:\/\/[\w.-]+(:\d+)?(\/[\w./-]*)?$/i
const LOCAL_ADDRESS = /^(localhost|[\d.]+)(:\d+)?(\/[\w./-]*)?$/i

/**
 * Refuses an argument that belongs to no option. Shows it only if it cannot be a secret, e.g. a token whose option was
 * forgotten.
 */
function refusePositional(value: string, before: readonly string[]): never {
  const isAfterSecret = before.some((argument) => /^--(header|token)\b/.test(argument))
  const url = LOCAL_ADDRESS.test(value) ? `http://${value}` : value
  const isWord = /^[a-z]{1,12}$/i.test(value)
  const quotes = isAfterSecret ? " If the value contains spaces, put it in quotation marks: --header 'Name: value'" : ''
  throw new UsageError({
    where: `argument ${before.length + 1}`,
    what: `unexpected argument${isWord && !isAfterSecret ? ` ${JSON.stringify(value)}` : ''}.`,
    expected: 'only options and their values',
    advice: before.includes('--')
      ? 'remove the -- before the options'
      : /^[a-z][a-z-]*\/[a-z-]*$/.test(value)
        ? `did you mean --only ${value}, or --explain ${value}?`
        : !isAfterSecret && SAFE_URL.test(url)
          ? `did you mean --base-url ${url}?`
          : `put the name of the option before the value, e.g. --base-url URL.${quotes}`,
  })
}

function refuseUnknownFlag(flag: string): never {
  const known = allOptions.map((option) => option.flag)
  const isShort = !flag.startsWith('--')
  // For a short flag, e.g. `-b`, advises the last option with the same first letter.
  const nearest = isShort
    ? known.findLast((long) => long.startsWith(`-${flag.toLowerCase()}`))
    : findMostSimilarWord(flag, known)
  const advice = nearest ? `did you mean ${nearest}?` : 'run cat-directory-conformance --help'
  throw new UsageError({
    where: flag,
    what: 'there is no such option.',
    expected: 'one of the options that --help shows',
    advice,
  })
}

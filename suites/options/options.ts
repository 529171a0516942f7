import type { OptionFromEnvironment } from '../../reports/report/report.ts'
import { readCommandLine } from './command-line.ts'
import { type DefaultOptions, defaultOptions } from './defaults.ts'
import {
  addDotenvLine,
  type Environment,
  readProxies,
  refuseNoEnvFileInDotenv,
  refuseUnknownVariables,
} from './environment.ts'
import { findOverruledTargetOption, listEnvironmentOptions, refuseEmptyVariables } from './environment-options.ts'
import { mergeObjects } from './merge.ts'
import { environmentVariableOf, type Option, takesValue, valueSourceOf } from './option.ts'
import { isOptionGiven, parseOptionValues, type RawOptions } from './raw-options.ts'
import { allOptions, type CommandMode, type OptionFields, optionTable } from './table.ts'
import { throwUsageError, type ValueSource } from './usage-error.ts'

export { type Environment, loadEnvironment } from './environment.ts'
export { addVariableNameToError } from './environment-options.ts'
export { helpText } from './help.ts'
export { findMostSimilarWord, quoteArgument, UsageError } from './usage-error.ts'

/** The parsed options of the command, with defaults. */
export type Options = OptionFields &
  DefaultOptions & {
    readonly mode: 'run' | CommandMode
    /** The options to include in the command that reports print to repeat a finding. */
    readonly replayOptions: readonly string[]
    /** The options that were set by environment variables or `.env`, not on the command line. */
    readonly outside: readonly OptionFromEnvironment[]
  }

/**
 * Parses the command line and the environment. The command line takes precedence.
 * @param argv the arguments, without the interpreter and the script
 * @param env the result of `loadEnvironment`, which also contains the proxy variables
 * @throws {UsageError} for any argument or variable that is unknown or invalid
 */
export function parseOptions(argv: readonly string[], env: Environment): Options {
  try {
    return parseArguments(argv, env)
  } catch (error) {
    throw addDotenvLine(error, env)
  }
}

function parseArguments(argv: readonly string[], env: Environment): Options {
  const raw = { flags: readCommandLine(argv), env }
  const mode = selectMode(raw)
  // Ignores all other arguments, so that even invalid ones do not prevent the help.
  if (mode === 'help' || mode === 'version') return { ...defaultOptions, mode, replayOptions: [], outside: [] }
  refuseUnknownVariables(env)
  refuseNoEnvFileInDotenv(env)
  refuseEmptyVariables(raw)
  const overruled = findOverruledTargetOption(raw)
  const given = allOptions.filter((option) => option !== overruled).flatMap((option) => parseFieldsSetBy(option, raw))
  refuseContradictions(raw)
  refusePinningPartialRun(raw)
  refuseWatchConflicts(raw)
  refuseReplayConflicts(raw)
  const options = mergeObjects(defaultOptions, [{ transport: { proxies: readProxies(env) } }, ...given])
  return {
    ...options,
    mode,
    replayOptions: allOptions.flatMap((option) => listReplayOptions(option, raw)),
    outside: listEnvironmentOptions(raw, overruled).filter(
      ({ option }) => !isOptionGiven(replay, raw) || isUsedByReplay(option),
    ),
  }
}

/** Returns, for each value that is given for an option, the members of the parsed options that it sets. */
function parseFieldsSetBy(option: Option<OptionFields, CommandMode>, raw: RawOptions): readonly OptionFields[] {
  if (!('becomes' in option)) return []
  if (!takesValue(option)) return isOptionGiven(option, raw) ? [option.becomes()] : []
  const values = parseOptionValues(option, raw)
  const drawn = values.length === 0 && option.draw ? [option.draw()] : []
  return [...values, ...drawn].map((value) => option.becomes(value))
}

function listReplayOptions(option: Option<OptionFields, CommandMode>, raw: RawOptions): readonly string[] {
  if (!takesValue(option) || !option.isReplayed) return []
  const changed = parseOptionValues(option, raw)
    .map(String)
    .filter((value) => value !== String(option.default))
  return changed.flatMap((value) => [option.flag, value])
}

const modeOptions = allOptions.flatMap((option) =>
  'mode' in option && option.mode ? [{ option, mode: option.mode }] : [],
)

function selectMode(raw: RawOptions): Options['mode'] {
  const typed = modeOptions.filter(({ option }) => raw.flags.has(option.flag))
  const isTyped = typed.length > 0
  const selected = isTyped ? typed : modeOptions.filter(({ option }) => isOptionGiven(option, raw))
  for (const first of ['help', 'version'] as const) if (selected.some(({ mode }) => mode === first)) return first
  const [one, other] = selected
  if (one === undefined || other === undefined) return one?.mode ?? 'run'
  return refuseCombination(valueSourceOf(other.option, isTyped), valueSourceOf(one.option, isTyped))
}

function refuseContradictions(raw: RawOptions): void {
  const { baseUrl, http2, cert, key, path, only, seed, header } = optionTable
  const source = (option: Option) => valueSourceOf(option, raw.flags.has(option.flag))
  if (isOptionGiven(cert, raw) !== isOptionGiven(key, raw)) {
    const [given, missing] = isOptionGiven(key, raw) ? [key, cert] : [cert, key]
    throwUsageError(
      source(given),
      `${missing.flag} is missing.`,
      'a certificate and its key together',
      `${missing.flag} FILE`,
    )
  }
  const [url] = parseOptionValues(baseUrl, raw)
  if (isOptionGiven(http2, raw) && url?.startsWith('http:'))
    throwUsageError(
      source(http2),
      'HTTP/2 is only used with TLS, but the base URL begins with http:.',
      'a base URL that begins with https:',
      'remove --http2, or use https:',
    )
  const [counterexample] = parseOptionValues(path, raw)
  if (counterexample !== undefined && !(isOptionGiven(only, raw) && isOptionGiven(seed, raw))) {
    const expected = 'the check, the seed and the path of a counterexample together'
    throwUsageError(source(path), 'needs --only and --seed.', expected, `--only ID --seed N --path ${counterexample}`)
  }
  // Ignores environment variables: they may be meant for other runs, which do compare.
  if (raw.flags.has(againstHeader.flag) && !isOptionGiven(against, raw)) {
    const advice = `${against.flag} URL, or leave out ${againstHeader.flag}`
    throwUsageError(
      source(againstHeader),
      `needs ${against.flag}.`,
      'the other deployment, and the headers that are sent to it',
      advice,
    )
  }
  const names = parseOptionValues(header, raw).map(({ name }) => name.toLowerCase())
  const repeatedName = names.find((name, index) => names.indexOf(name) < index)
  if (repeatedName)
    throwUsageError(
      source(header),
      `${repeatedName} was given twice.`,
      'each header once',
      'join both values with a comma',
    )
  const [one, other] = [token, tokenCommand].filter((option) => isOptionGiven(option, raw))
  if (one && (other || names.includes('authorization'))) {
    const { name } = source(one)
    throwUsageError(
      source(other ?? header),
      `sets the header Authorization, but ${name} sets it too.`,
      'only one of the two',
      `leave out ${name}`,
    )
  }
}

/**
 * Refuses --pin together with selected checks: such a run observes no open points of the contract, so a profile would
 * be empty. Ignores environment variables, which may be meant for whole runs.
 */
function refusePinningPartialRun(raw: RawOptions): void {
  const { pin, only } = optionTable
  if (!raw.flags.has(pin.flag) || !isOptionGiven(only, raw)) return
  const { name } = valueSourceOf(only, raw.flags.has(only.flag))
  throwUsageError(
    valueSourceOf(pin, true),
    `cannot be combined with ${name}.`,
    'a run of all checks',
    `leave out ${name}`,
  )
}

const refuseCombination = (source: ValueSource, { name }: ValueSource): never =>
  throwUsageError(
    source,
    `cannot be combined with ${name}.`,
    'only one of the two options',
    'use the two options in separate runs',
  )

/**
 * Refuses --watch together with options that compare or write a file once, or with the embedded service, which never
 * changes.
 */
function refuseWatchConflicts(raw: RawOptions): void {
  const { watch, baseUrl, against, replay, pin, writeKnown, recordHistory } = optionTable
  if (!isOptionGiven(watch, raw)) return
  const source = valueSourceOf(watch, raw.flags.has(watch.flag))
  const once = [against, replay, pin, writeKnown, recordHistory].find((option) => isOptionGiven(option, raw))
  if (once) refuseCombination(source, valueSourceOf(once, raw.flags.has(once.flag)))
  if (!isOptionGiven(baseUrl, raw)) {
    const what = 'a base URL is missing: the embedded reference service never changes.'
    throwUsageError(
      source,
      what,
      'the URL of your own deployment',
      `--base-url http://localhost:3000 ${watch.flag} PATH`,
    )
  }
}

const { againstHeader, against, replay } = optionTable
const { baseUrl, versions, header, token, tokenCommand, ca, cert, key, insecure, http2, strings } = optionTable
const { timeout, concurrency, rate, retries, only, maxRequests, maxTime, wait, noRequestId, plan, noEnvFile } =
  optionTable

/**
 * The options that `--replay` uses: the deployment, and how requests are sent. Everything else is in the saved report.
 */
const REPLAY_OPTIONS: readonly Option[] = [
  ...[replay, baseUrl, versions, header, token, tokenCommand, ca, cert, key, insecure, http2, strings],
  ...[timeout, concurrency, rate, retries, only, maxRequests, maxTime, wait, noRequestId, plan, noEnvFile],
]

const isUsedByReplay = (flag: string): boolean => REPLAY_OPTIONS.some((option) => option.flag === flag)

/**
 * Refuses options that --replay would ignore. Environment variables are allowed, because they may be meant for other
 * runs.
 */
function refuseReplayConflicts(raw: RawOptions): void {
  if (!isOptionGiven(replay, raw)) return
  const unused = allOptions.find((option) => !REPLAY_OPTIONS.includes(option) && raw.flags.has(option.flag))
  if (unused) refuseCombination(valueSourceOf(replay, raw.flags.has(replay.flag)), valueSourceOf(unused, true))
}

const { profile, pin, known, writeKnown, strict, choices, reportDir, events, record } = optionTable

/** The options of the command `judge-recording`, which sends no request. */
const RECORDING_OPTIONS: readonly Option[] = [
  ...[profile, pin, known, writeKnown, strict, choices, reportDir, events, record, only, maxTime, noEnvFile],
]

/**
 * Parses the options of the command `judge-recording`. Ignores variables for other options: they are meant for runs
 * against a deployment.
 * @throws {UsageError} for an option that decides which requests are sent, because the recording contains them already
 */
export function parseRecordingOptions(argv: readonly string[], env: Environment): Options {
  const raw = { flags: readCommandLine(argv), env }
  const unused = allOptions.find((option) => !RECORDING_OPTIONS.includes(option) && raw.flags.has(option.flag))
  if (unused)
    refuseCombination(valueSourceOf(unused, true), { name: 'judge-recording', example: '', withValue: String })
  const variables = RECORDING_OPTIONS.map(environmentVariableOf)
  const used = Object.entries(env).filter(([name, value]) => variables.includes(name) && value?.trim())
  return { ...parseOptions(argv, Object.fromEntries(used)), outside: [] }
}

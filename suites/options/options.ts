import type { OptionFromEnvironment } from '../../reports/report/report.ts'
import { readCommandLine } from './command-line.ts'
import {
  findOptionWithoutEffect,
  findOverruledTargetOption,
  JUDGE_RECORDING_OPTIONS,
  REPLAY_OPTIONS,
  refuseCombination,
  refuseConflicts,
} from './conflicts.ts'
import { dotenvAssignmentOf, type Environment, readProxies, refuseInvalidVariables } from './environment.ts'
import { environmentVariableOf, fieldsSetBy, type Option, takesValue, valueSourceOf } from './option.ts'
import { isOptionGiven, parseOptionValues, type RawOptions, valueSourceIn } from './raw-options.ts'
import {
  allOptions,
  type CommandMode,
  type DefaultOptions,
  defaultOptions,
  type OptionFields,
  optionTable,
} from './table.ts'
import { UsageError } from './usage-error.ts'

export { type Environment, loadEnvironment } from './environment.ts'
export { buildHelpText } from './help.ts'
export { findMostSimilarWord, quoteArgument, UsageError } from './usage-error.ts'

/** The parsed options of the command, with defaults. */
export type Options = OptionFields &
  DefaultOptions & {
    readonly mode: 'run' | CommandMode
    /** The arguments to include in the command that reports print to repeat a finding, e.g. `['--timeout', '5000']`. */
    readonly replayOptions: readonly string[]
    /** The options that environment variables or `.env` set, not the command line. */
    readonly outsideOptions: readonly OptionFromEnvironment[]
  }

/**
 * Parses the command line and the environment. The command line takes precedence.
 * @param env the result of `loadEnvironment`, which also contains the proxy variables
 */
export function parseOptions(argv: readonly string[], env: Environment): Options {
  const raw = { flags: readCommandLine(argv), env }
  const mode = selectMode(raw)
  // Ignores all other arguments: the help must appear even if they are invalid.
  if (mode === 'help' || mode === 'version') return { ...defaultOptions, mode, replayOptions: [], outsideOptions: [] }
  refuseInvalidVariables(env)
  const overruled = findOverruledTargetOption(raw)
  const used = allOptions.filter((option) => option !== overruled)
  const given = used.flatMap((option) => parseGivenFields(option, raw))
  refuseConflicts(raw)
  const isReplay = isOptionGiven(optionTable.replayFile, raw)
  const effective = isReplay ? used.filter((option) => REPLAY_OPTIONS.includes(option)) : used
  return {
    ...mergeObjects(defaultOptions, [{ transport: { proxies: readProxies(env) } }, ...given]),
    mode,
    replayOptions: allOptions.flatMap((option) => listReplayOptions(option, raw)),
    outsideOptions: listEnvironmentOptions(raw, effective),
  }
}

/** Returns, for each value that is given for an option, the fields of the parsed options that it sets. */
function parseGivenFields(option: Option, raw: RawOptions): readonly OptionFields[] {
  if (!takesValue(option)) return !option.isMode && isOptionGiven(option, raw) ? [fieldsSetBy(option, true)] : []
  const values = parseOptionValues(option, raw)
  const drawn = values.length === 0 && option.drawDefault ? [option.drawDefault()] : []
  return [...values, ...drawn].map((value) => fieldsSetBy(option, value))
}

/** Returns the arguments that repeat an option if it does not have its default, e.g. `['--timeout', '5000']`. */
function listReplayOptions(option: Option, raw: RawOptions): readonly string[] {
  if (!takesValue(option) || !option.isReplayed) return []
  const changed = parseOptionValues(option, raw)
    .map(String)
    .filter((value) => value !== String(option.default))
  return changed.flatMap((value) => [option.flag, value])
}

/**
 * Returns the mode that the options select; `run` if they select none. Refuses two modes, except with help or version.
 */
function selectMode(raw: RawOptions): Options['mode'] {
  const modes = allOptions.filter((option) => option.isMode)
  const typed = modes.filter(({ flag }) => raw.flags.has(flag))
  const selected = typed.length > 0 ? typed : modes.filter((option) => isOptionGiven(option, raw))
  const { help, version } = optionTable
  for (const first of [help, version]) if (selected.includes(first)) return first.field
  const [one, other] = selected
  if (one && other) refuseCombination(valueSourceIn(other, raw), valueSourceIn(one, raw))
  return one ? (one.field as CommandMode) : 'run' // All selected options are modes.
}

/**
 * Parses the options of the command `judge-recording`. Ignores variables for other options: they are meant for runs
 * against a deployment.
 */
export function parseJudgeRecordingOptions(argv: readonly string[], env: Environment): Options {
  const unused = findOptionWithoutEffect(JUDGE_RECORDING_OPTIONS, readCommandLine(argv))
  if (unused) refuseCombination(valueSourceOf(unused, true), { name: 'judge-recording' })
  const variables = JUDGE_RECORDING_OPTIONS.map(environmentVariableOf)
  const used = Object.entries(env).filter(([name, value]) => variables.includes(name) && value?.trim())
  return { ...parseOptions(argv, Object.fromEntries(used)), outsideOptions: [] }
}

const MAX_VALUE_CHARACTERS = 120

/** Lists the options that environment variables or `.env` set, and the command line does not. */
function listEnvironmentOptions(raw: RawOptions, used: readonly Option[]): readonly OptionFromEnvironment[] {
  return used
    .filter((option) => !raw.flags.has(option.flag) && isOptionGiven(option, raw))
    .map((option) => ({ option: option.flag, source: describeSource(option, raw), ...formatValue(option, raw) }))
}

/**
 * Adds the name of the variable to a usage error about an option that a variable set. Errors that are found after
 * parsing name only the option. Returns all other errors unchanged.
 */
export function addVariableNameToError(error: unknown, outsideOptions: readonly OptionFromEnvironment[]): unknown {
  if (!(error instanceof UsageError)) return error
  const [flag = '', ...rest] = error.misuse.where.split(' ')
  const source = outsideOptions.find(({ option }) => option === flag)?.source
  const option = allOptions.find((one) => one.flag === flag)
  if (source === undefined || option === undefined) return error
  const line = source === 'environment' ? [] : [`(${source})`]
  const where = [environmentVariableOf(option), ...line, ...rest].join(' ')
  return new UsageError({ ...error.misuse, where })
}

function describeSource(option: Option, { env }: RawOptions): string {
  const line = dotenvAssignmentOf(env, environmentVariableOf(option))?.line
  return line === undefined ? 'environment' : `.env, line ${line}`
}

function formatValue(option: Option, { env }: RawOptions): Pick<OptionFromEnvironment, 'value'> {
  if (!takesValue(option) || option.isSecret) return {}
  return { value: (env[environmentVariableOf(option)] ?? '').trim().slice(0, MAX_VALUE_CHARACTERS) }
}

/**
 * Merges objects into a new one. Members that are objects are merged too. Of other members with the same name, the last
 * one is used.
 */
function mergeObjects<A extends object, B extends object>(first: A, others: readonly B[]): A & B {
  const whole = new Map<string, unknown>(Object.entries(first))
  for (const [name, value] of others.flatMap((other) => Object.entries(other))) {
    const before = whole.get(name)
    whole.set(name, isRecord(before) && isRecord(value) ? mergeObjects(before, [value]) : value)
  }
  return Object.fromEntries(whole) as A & B // Every entry comes from one of the two objects.
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

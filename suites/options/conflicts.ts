import type { FlagValues } from './command-line.ts'
import { dotenvAssignmentOf } from './environment.ts'
import { environmentVariableOf, isDecisiveOption, type Option, valueSourceOf } from './option.ts'
import { isOptionGiven, parseOptionValues, type RawOptions, valueSourceIn } from './raw-options.ts'
import { allOptions, optionTable } from './table.ts'
import { throwUsageError, type ValueSource } from './usage-error.ts'

const { baseUrl, embedded, versions, header, token, tokenCommand, ca, cert, key, insecure, http2 } = optionTable
const { timeoutMs, concurrency, requestsPerSecond, retries, maxRequests, maxTimeSeconds, waitSeconds } = optionTable
const { only, seed, path, strings, noRequestId, plan, noEnvFile, strict, choices, reportDir, events } = optionTable
const { against, againstHeader, replayFile, watch, record, recordHistoryFile } = optionTable
const { profileFile, pinFile, knownFile, writeKnownFile } = optionTable

/** Throws a usage error about an option, `source`, that cannot be combined with another option or a command. */
export const refuseCombination = (
  source: ValueSource,
  { name: otherName }: Pick<ValueSource, 'name'>,
  advice = 'use the two options in separate runs',
  expected = 'only one of the two options',
): never => throwUsageError(source, `cannot be combined with ${otherName}.`, expected, advice)

/** Throws a usage error if options contradict each other, if one needs another one, or if one has no effect. */
export function refuseConflicts(raw: RawOptions): void {
  refuseEmptyVariables(raw)
  refuseIncompleteOptions(raw)
  refuseRepeatedHeaders(raw)
  refusePinningPartialRun(raw)
  refuseWatchConflicts(raw)
  const unused = isOptionGiven(replayFile, raw) && findOptionWithoutEffect(REPLAY_OPTIONS, raw.flags)
  if (unused) refuseCombination(valueSourceIn(replayFile, raw), valueSourceIn(unused, raw))
}

/**
 * Refuses empty environment variables that decide what is judged. CI systems set a variable to the empty text if its
 * secret is undefined.
 */
function refuseEmptyVariables({ flags, env }: RawOptions): void {
  for (const option of allOptions.filter(isDecisiveOption)) {
    const name = environmentVariableOf(option)
    const isEmpty = env[name] !== undefined && env[name].trim() === ''
    if (!isEmpty || flags.has(option.flag) || dotenvAssignmentOf(env, name)) continue
    const source = valueSourceOf(option, false)
    throwUsageError(
      source,
      'the variable is set, but its value is empty.',
      `a value (${option.placeholder}), or an unset variable`,
      `${source.example}, or unset ${name}`,
    )
  }
}

/** Refuses options that have no effect, or a wrong one, without another option. */
function refuseIncompleteOptions(raw: RawOptions): void {
  const isGiven = (option: Option) => isOptionGiven(option, raw)
  if (isGiven(cert) !== isGiven(key)) {
    const [given, missing] = isGiven(key) ? [key, cert] : [cert, key]
    throwUsageError(
      valueSourceIn(given, raw),
      `${missing.flag} is missing.`,
      'a certificate and its key together',
      `${missing.flag} FILE`,
    )
  }
  const [url] = parseOptionValues(baseUrl, raw)
  if (isGiven(http2) && url?.startsWith('http:'))
    throwUsageError(
      valueSourceIn(http2, raw),
      'HTTP/2 is only used with TLS, but the base URL begins with http:.',
      'a base URL that begins with https:',
      'remove --http2, or use https:',
    )
  const [counterexample] = parseOptionValues(path, raw)
  if (counterexample !== undefined && !(isGiven(only) && isGiven(seed))) {
    const expected = 'the check, the seed and the path of a counterexample together'
    const advice = `--only ID --seed N --path ${counterexample}`
    throwUsageError(valueSourceIn(path, raw), 'needs --only and --seed.', expected, advice)
  }
  // Ignores the environment variable: it may be meant for other runs, which have --against.
  if (raw.flags.has(againstHeader.flag) && !isGiven(against)) {
    const expected = 'the other deployment, and the headers that are sent to it'
    const advice = `${against.flag} URL, or leave out ${againstHeader.flag}`
    throwUsageError(valueSourceIn(againstHeader, raw), `needs ${against.flag}.`, expected, advice)
  }
}

function refuseRepeatedHeaders(raw: RawOptions): void {
  const names = parseOptionValues(header, raw).map(({ name }) => name.toLowerCase())
  const repeatedName = names.find((name, index) => names.indexOf(name) < index)
  if (repeatedName)
    throwUsageError(
      valueSourceIn(header, raw),
      `${repeatedName} was given twice.`,
      'each header once',
      'join both values with a comma',
    )
  const [one, other] = [token, tokenCommand].filter((option) => isOptionGiven(option, raw))
  if (!one || !(other || names.includes('authorization'))) return
  const { name } = valueSourceIn(one, raw)
  const what = `sets the header Authorization, but ${name} sets it too.`
  throwUsageError(valueSourceIn(other ?? header, raw), what, 'only one of the two', `leave out ${name}`)
}

/**
 * Refuses --pin together with selected checks: such a run observes no open points of the contract, so a profile would
 * be empty. Ignores environment variables, which may be meant for whole runs.
 */
function refusePinningPartialRun(raw: RawOptions): void {
  if (!raw.flags.has(pinFile.flag) || !isOptionGiven(only, raw)) return
  const selection = valueSourceIn(only, raw)
  refuseCombination(valueSourceIn(pinFile, raw), selection, `leave out ${selection.name}`, 'a run of all checks')
}

/**
 * Refuses --watch together with options that compare or write a file once, or with the embedded service, which never
 * changes.
 */
function refuseWatchConflicts(raw: RawOptions): void {
  if (!isOptionGiven(watch, raw)) return
  const source = valueSourceIn(watch, raw)
  const singleRunOption = [against, replayFile, pinFile, writeKnownFile, recordHistoryFile].find((option) =>
    isOptionGiven(option, raw),
  )
  if (singleRunOption) refuseCombination(source, valueSourceIn(singleRunOption, raw))
  if (isOptionGiven(baseUrl, raw)) return
  const what = 'a base URL is missing: the embedded reference service never changes.'
  const advice = `--base-url http://localhost:3000 ${watch.flag} PATH`
  throwUsageError(source, what, 'the URL of your own deployment', advice)
}

/**
 * Returns the option that has no effect if both `--base-url` and `--embedded` are given: the one from the environment,
 * because the command line takes precedence. Returns undefined if only one is given. Throws a usage error if both come
 * from the same source.
 */
export function findOverruledTargetOption(raw: RawOptions): Option | undefined {
  if (!isOptionGiven(baseUrl, raw) || !isOptionGiven(embedded, raw)) return undefined
  const isTyped = (option: Option) => raw.flags.has(option.flag)
  if (isTyped(baseUrl) !== isTyped(embedded)) return isTyped(embedded) ? baseUrl : embedded
  const url = valueSourceIn(baseUrl, raw)
  return refuseCombination(valueSourceIn(embedded, raw), url, `remove ${url.name}`)
}

/**
 * The options that `--replay` uses: the deployment, and how requests are sent. Everything else is in the saved report.
 */
export const REPLAY_OPTIONS: readonly Option[] = [
  ...[replayFile, baseUrl, versions, header, token, tokenCommand, ca, cert, key, insecure, http2, strings],
  ...[timeoutMs, concurrency, requestsPerSecond, retries, only, maxRequests, maxTimeSeconds, waitSeconds],
  ...[noRequestId, plan, noEnvFile],
]

/** The options of the command `judge-recording`, which sends no request. */
export const JUDGE_RECORDING_OPTIONS: readonly Option[] = [
  ...[profileFile, pinFile, knownFile, writeKnownFile, strict, choices, reportDir, events, record, only],
  ...[maxTimeSeconds, noEnvFile],
]

/**
 * Finds an option on the command line that is not among `used`, the options that have an effect. Ignores environment
 * variables, which may be meant for other runs. Returns undefined if there is no such option.
 */
export const findOptionWithoutEffect = (used: readonly Option[], flags: FlagValues): Option | undefined =>
  allOptions.find((option) => !used.includes(option) && flags.has(option.flag))

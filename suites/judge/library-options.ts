import type { RunResult } from '../engine/check/verdict.ts'
import { observableOpenPoints } from '../open-points/index.ts'
import { JsonFileError } from '../options/files/json-file.ts'
import { exampleValueOf, type Option, takesValue, type ValueOption } from '../options/option.ts'
import type { RunOptions } from '../options/run-options.ts'
import { runOptionRows } from '../options/run-rows.ts'
import { optionTable } from '../options/table.ts'
import { findMostSimilarWord, throwUsageError, UsageError } from '../options/usage-error.ts'
import { catalogue, refuseUnknownChecks } from './catalogue.ts'
import { judge as judgeDeployment } from './judge.ts'
import type { JudgeOptions } from './judge-options.ts'
import { pinnedCheckIdsOf } from './profile/pinned.ts'
import { type Profile, parseProfile } from './profile/profile.ts'
import type { JudgeDependencies } from './run-plan.ts'
import { addTokenFromCommand } from './token-command.ts'

/** An object with the name of each member of a type. The compiler reports a name that is missing. */
export type MemberNames<T> = Readonly<Record<keyof T, true>>

/** Options whose values are functions or objects that only programs can give. */
type CallbackOption = 'session' | 'onVerdict' | 'onRequest'
/** Options that only simulations set, or that `judge` adds itself. */
type InternalOption = 'runtime' | 'renewableToken'

/** The options that `judge` and `conformance` share: those that are plain data or a signal. */
export const judgeOptionNames: MemberNames<Omit<JudgeOptions, CallbackOption | InternalOption>> = {
  ...{ baseUrl: true, versions: true, headers: true, secretHeaders: true, tokenCommand: true, transport: true },
  ...{ timeoutMs: true, concurrency: true, requestsPerSecond: true, retries: true, maxRequests: true },
  ...{ only: true, seed: true, path: true, effort: true, strings: true, requestIds: true, record: true },
  ...{ waitSeconds: true, bounds: true, profile: true, signal: true },
}
const callbackOptionNames: MemberNames<Pick<JudgeOptions, CallbackOption>> = {
  session: true,
  onVerdict: true,
  onRequest: true,
}
const judgeDependencyNames: MemberNames<JudgeDependencies> = {
  checks: true,
  openPoints: true,
  allowances: true,
  alterations: true,
}

/**
 * Refuses an option in the words of the command.
 * @throws {TypeError} always
 */
function refuseValue(where: string, what: string, expected: string, advice: string): never {
  const cause = new UsageError({ where, what, expected, advice })
  throw new TypeError(cause.message, { cause })
}

/**
 * Checks the names in an options object before any value is read.
 * @param what the parameter that the object is passed as
 * @throws {TypeError} if the value is no object, or has an unknown name
 */
export function refuseUnknownNames(given: unknown, known: Readonly<Record<string, true>>, what = 'options'): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuseValue(
      what,
      'must be an object.',
      `an object with ${what} as members`,
      "{ baseUrl: 'https://cats.example.org/api' }",
    )
  const names = Object.keys(known)
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  const similar = findMostSimilarWord(unknown, names)
  const advice = similar === undefined ? 'leave it out' : `did you mean ${similar}?`
  refuseValue(unknown, 'there is no such option.', names.join(', '), advice)
}

/**
 * Calls a function that validates options as the command does.
 * @throws {TypeError} with the text that the command would print
 */
export function throwTypeErrors(validate: () => void): void {
  try {
    validate()
  } catch (error) {
    throw error instanceof UsageError ? new TypeError(error.message, { cause: error }) : error
  }
}

/**
 * Validates an option whose value is an object. The rules are those for the file that the command reads instead, e.g.
 * for a profile.
 * @param parse validates the object as JSON
 * @throws {TypeError} if the object is invalid
 */
export function refuseInvalidContent(
  name: string,
  content: object,
  { parse, expected }: { readonly parse: (text: string) => unknown; readonly expected: string },
): void {
  try {
    parse(JSON.stringify(content))
  } catch (error) {
    if (!(error instanceof JsonFileError)) throw error
    refuseValue(`${name}${error.pointer}`, error.what, expected, error.allowed)
  }
}

/**
 * Checks a profile like the command checks the file of `--profile`.
 * @throws {TypeError} if the profile is invalid
 */
export const refuseInvalidProfile = (profile: Profile): void =>
  refuseInvalidContent('profile', profile, {
    parse: parseProfile,
    expected: 'a profile in the format that --pin writes',
  })

const typeNameOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)

/**
 * Validates one option by the rule of the command line.
 * @throws {UsageError} if the value is invalid
 */
function validateOption(name: string, value: unknown, option: ValueOption): void {
  const withValue = (other: string) => `${name}: ${other}`
  const source = { name, example: withValue(exampleValueOf(option)), withValue }
  if (value === undefined) throwUsageError(source, 'is missing.', 'the URL of a deployment')
  const parsed = option.parse([value].flat().map(String).join(','), source)
  // Refuses e.g. a number in quotation marks, which would later be compared as text.
  if (!option.toFields && typeNameOf(parsed) !== typeNameOf(value))
    throwUsageError(source, `is a ${typeNameOf(value)}.`, `a ${typeNameOf(parsed)}`)
}

/**
 * Validates the options of a program by the rules of the command line.
 * @throws {UsageError} if a value is invalid
 */
function validateRunOptions(options: RunOptions): void {
  const { baseUrl, header } = optionTable
  const rows: readonly Option[] = Object.keys(runOptionRows).map(
    (field) => optionTable[field as keyof typeof runOptionRows],
  )
  validateOption('baseUrl', options.baseUrl, baseUrl)
  for (const option of rows.filter(takesValue)) {
    // A row without `toFields` sets the field with its key.
    const value = option.toFields ? undefined : options[option.field as keyof RunOptions]
    const isUnbounded = value === Number.POSITIVE_INFINITY || (Array.isArray(value) && value.length === 0)
    if (value !== undefined && !isUnbounded) validateOption(option.field, value, option)
  }
  for (const [name, value] of Object.entries(options.headers ?? {}))
    validateOption('headers', `${name}: ${value}`, header)
}

/**
 * Validates the options, and judges one deployment. Programs that import this package call this function.
 * @returns every verdict, observation and cited exchange; never rejects because of the deployment
 * @throws {TypeError} if the options are invalid, or the checks contradict each other
 */
export async function judge(options: JudgeOptions, dependencies: JudgeDependencies = {}): Promise<RunResult> {
  refuseUnknownNames(options, { ...judgeOptionNames, ...callbackOptionNames })
  refuseUnknownNames(dependencies, judgeDependencyNames)
  throwTypeErrors(() => validateRunOptions(options))
  const { profile, only = [] } = options
  if (profile !== undefined) refuseInvalidProfile(profile)
  const { checks = catalogue } = dependencies
  const pinned = profile ? pinnedCheckIdsOf(profile, observableOpenPoints) : []
  throwTypeErrors(() => refuseUnknownChecks('only', only, [...checks.map(({ id }) => id), ...pinned]))
  return judgeDeployment(await addTokenFromCommand(options), dependencies)
}

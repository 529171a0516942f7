import { originOf } from './environment.ts'
import { isDecisive, type Option, sourceOf, takesValue, variableOf } from './option.ts'
import { isGiven, type RawOptions } from './raw-options.ts'
import { type Fields, type Mode, rows, table } from './table.ts'
import { refuse } from './usage-error.ts'

/** An option that was not given on the command line. */
export interface OutsideOption {
  /** e.g. `--only` */
  readonly option: string
  /** e.g. `.env, line 3`, or `environment` */
  readonly source: string
  /** Left out where it may be a secret. */
  readonly value?: string
}

const LONGEST_VALUE = 120

/** Lists the options that the environment or `.env` sets and the command line does not. */
export function outsideOptions(raw: RawOptions, overruled: Option | undefined): readonly OutsideOption[] {
  return rows
    .filter((option) => option !== overruled && !raw.flags.has(option.flag) && isGiven(option, raw))
    .map((option) => ({ option: option.flag, source: placeOf(option, raw), ...shownValue(option, raw) }))
}

function placeOf(option: Option, { env }: RawOptions): string {
  const line = originOf(env, variableOf(option))?.line
  return line === undefined ? 'environment' : `.env, line ${line}`
}

function shownValue(option: Option, { env }: RawOptions): Pick<OutsideOption, 'value'> {
  if (!takesValue(option) || option.isSecret) return {}
  return { value: (env[variableOf(option)] ?? '').trim().slice(0, LONGEST_VALUE) }
}

/**
 * Refuses variables that decide what is judged and are set to nothing, as an undefined CI variable is.
 *
 * @throws UsageError unless the option is typed, or the empty line stands in `.env`
 */
export function refuseEmptyVariables({ flags, env }: RawOptions): void {
  for (const option of rows.filter(isDecisive)) {
    const name = variableOf(option)
    const isEmpty = env[name] !== undefined && env[name].trim() === ''
    if (!isEmpty || flags.has(option.flag) || originOf(env, name)) continue
    const source = sourceOf(option, false)
    refuse(
      source,
      'is set, but empty.',
      `${option.placeholder}, or an unset variable`,
      `${source.example}, or unset ${name}`,
    )
  }
}

/**
 * Decides between `--base-url` and `--embedded`: the one on the command line wins over the environment.
 *
 * @returns the option that does not count
 * @throws UsageError where both were given in the same place
 */
export function overruledTarget(raw: RawOptions): Option<Fields, Mode> | undefined {
  const { baseUrl, embedded } = table
  if (!isGiven(baseUrl, raw) || !isGiven(embedded, raw)) return undefined
  const isTyped = (option: Option) => raw.flags.has(option.flag)
  if (isTyped(baseUrl) !== isTyped(embedded)) return isTyped(embedded) ? baseUrl : embedded
  const other = sourceOf(baseUrl, isTyped(baseUrl)).name
  const source = sourceOf(embedded, isTyped(embedded))
  return refuse(source, `cannot be combined with ${other}.`, 'one of the two', `leave out ${other}`)
}

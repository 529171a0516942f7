import { parseArgs } from 'node:util'
import type { Environment } from './environment.ts'
import type { Row, Switch, ValueOption } from './options-table.ts'
import { rows, takesValue } from './options-table.ts'
import type { Place } from './options-values.ts'
import { refuse, yesOrNo } from './options-values.ts'
import { nearest, UsageError } from './usage-error.ts'

/** What was typed and what is set, not yet parsed. */
export interface Given {
  /** By flag; a switch has one empty text. */
  readonly flags: ReadonlyMap<string, readonly string[]>
  readonly env: Environment
}

/**
 * Splits the command line. `parseArgs` knows the grammar, the judging is done here: its strict mode takes the `-5` of
 * `--seed -5` for an option, and lets the last of two values win in silence.
 *
 * @throws UsageError for every argument that the table does not foresee
 */
export function readFlags(argv: readonly string[]): Given['flags'] {
  const options = Object.fromEntries(
    rows.map((row) => [row.flag.slice(2), { type: takesValue(row) ? 'string' : 'boolean' } as const]),
  )
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true })
  const flags = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') refusePositional(token.value, argv.slice(0, token.index))
    if (token.kind !== 'option') continue
    const row = rows.find(({ flag }) => flag === token.rawName) ?? refuseFlag(token.rawName)
    const before = flags.get(row.flag) ?? []
    if (before.length > 0 && takesValue(row) && !row.repeatable) {
      refuse(placeOf(row, true), 'was given more than once.', 'one value', 'leave one out')
    }
    flags.set(row.flag, [...before, textOf(row, token.value, token.inlineValue === true)])
  }
  return flags
}

function textOf(row: Row, text: string | undefined, inline: boolean): string {
  const place = placeOf(row, true)
  if (!takesValue(row)) {
    if (text !== undefined) refuse(place, 'takes no value.', `${row.flag} alone, or not at all`)
    return ''
  }
  const expected = `${row.flag} ${row.placeholder}`
  // A dash begins the next option, except where a number is below zero.
  if (text === undefined || (!inline && /^-(?!\d)/.test(text))) refuse(place, 'its value is missing.', expected)
  if (text.trim() === '') refuse(place, 'its value is empty.', expected)
  return text
}

const plainUrl = /^https?:\/\/[\w.-]+(:\d+)?(\/[\w./-]*)?$/i
const thisMachine = /^(localhost|[\d.]+)(:\d+)?(\/[\w./-]*)?$/i

/** The value is shown only where it cannot be a secret that lost its option or its quotation marks. */
function refusePositional(value: string, before: readonly string[]): never {
  const afterSecret = before.some((argument) => /^--(header|token)\b/.test(argument))
  const url = thisMachine.test(value) ? `http://${value}` : value
  const quotes = afterSecret ? " Or are quotation marks missing, as in --header 'Name: value'?" : ''
  throw new UsageError({
    where: `argument ${before.length + 1}`,
    what: 'it belongs to no option.',
    expected: 'options and their values only',
    advice: before.includes('--')
      ? 'leave out the -- before the options'
      : `did you mean --base-url ${!afterSecret && plainUrl.test(url) ? url : 'URL'}?${quotes}`,
  })
}

function refuseFlag(flag: string): never {
  const known = rows.map((row) => row.flag)
  const isShort = !flag.startsWith('--')
  const meant = isShort ? known.findLast((long) => long.startsWith(`-${flag.toLowerCase()}`)) : nearest(flag, known)
  const advice = meant ? `did you mean ${meant}?` : 'cat-directory-conformance --help'
  throw new UsageError({
    where: flag,
    what: 'there is no such option.',
    expected: 'an option that --help shows',
    advice,
  })
}

/**
 * A misspelled variable would leave the default in force unseen.
 *
 * @throws UsageError for a `CATS_…` variable that is set and in no row of the table
 */
export function refuseUnknownVariables(env: Environment): void {
  const known: readonly string[] = rows.map((row) => row.variable)
  const isUnknown = (name: string) => name.startsWith('CATS_') && !known.includes(name) && !!env[name]?.trim()
  const unknown = Object.keys(env).find(isUnknown)
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  const advice = meant ? `did you mean ${meant}?` : 'unset it; .env.example lists every variable'
  const expected = 'a variable of .env.example, in the environment or in .env'
  throw new UsageError({ where: quotable(unknown), what: 'there is no such variable.', expected, advice })
}

/** Names of variables may hold anything but `=` and NUL. */
function quotable(name: string): string {
  return name.replace(/\W/g, '?')
}

/** @returns one value for each text that was given, none when the option was left out */
export function readAll<T>(row: ValueOption<T>, given: Given): readonly T[] {
  const typed = given.flags.get(row.flag)
  const set = given.env[row.variable] ?? ''
  const texts = typed ?? (row.repeatable ? set.split('\n') : [set]).map((text) => text.trim()).filter(Boolean)
  return texts.map((text, index) => row.parse(text, placeOf(row, !!typed, texts.length > 1 ? index + 1 : undefined)))
}

export function read<T>(row: ValueOption<T>, given: Given): T | undefined {
  return readAll(row, given)[0]
}

export function readOrDefault<T>(row: ValueOption<T> & { readonly default: string }, given: Given): T {
  return read(row, given) ?? row.parse(row.default, placeOf(row, true))
}

export function isOn(row: Switch, { flags, env }: Given): boolean {
  const set = env[row.variable]?.trim()
  return flags.has(row.flag) || (!!set && yesOrNo(set, placeOf(row, false)))
}

/**
 * Where an option was given.
 *
 * @param typed on the command line, else in the environment
 * @param ordinal which of several
 */
export function placeOf(row: Row, typed: boolean, ordinal?: number): Place {
  const name = typed ? row.flag : row.variable
  const spell = (value: string) => `${name}${typed ? ' ' : '='}${/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value}'`}`
  const example = takesValue(row) ? spell(row.example) : typed ? name : spell('1')
  return { where: ordinal ? `${name} (number ${ordinal})` : name, example, spell }
}

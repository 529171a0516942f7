import { randomInt } from 'node:crypto'
import type { Environment } from './environment.ts'
import type { Given } from './options-given.ts'
import { isOn, placeOf, read, readAll, readFlags, readOrDefault, refuseUnknownVariables } from './options-given.ts'
import type { Row } from './options-table.ts'
import { table } from './options-table.ts'
import type { BaseUrl, Header, Version } from './options-values.ts'
import { refuse } from './options-values.ts'

export { type Environment, loadEnvironment } from './environment.ts'
export { exitCodes, helpText } from './options-help.ts'
export type { BaseUrl, Header, Version } from './options-values.ts'
export { nearest, UsageError } from './usage-error.ts'

/** Everything the command was told, parsed once; what was left out has its default. */
export interface Options {
  readonly mode: 'run' | 'list' | 'explain' | 'help' | 'version'
  /** Without one, the embedded reference service is judged. */
  readonly baseUrl: BaseUrl | undefined
  readonly versions: readonly Version[]
  /** What `--header` gave; each name once. */
  readonly headers: readonly Header[]
  readonly token: string | undefined
  /** PEM texts, as read from the files named. */
  readonly tls: {
    readonly ca: string | undefined
    readonly cert: string | undefined
    readonly key: string | undefined
    readonly insecure: boolean
  }
  readonly http2: boolean
  readonly timeoutMs: number
  readonly concurrency: number
  readonly requestsPerSecond: number | undefined
  readonly retries: number
  /** Ids or beginnings of ids; empty means every check. */
  readonly only: readonly string[]
  /** An int32, drawn when none was given. */
  readonly seed: number
  readonly path: string | undefined
  readonly effort: 'quick' | 'standard' | 'thorough'
  readonly maxRequests: number | undefined
  readonly maxTimeSeconds: number | undefined
  readonly waitSeconds: number
  /** Without one, the lobby knows whether it stands in this repository. */
  readonly reportDir: string | undefined
  readonly strict: boolean
  /** The check to explain; there in mode `explain`. */
  readonly explain: string | undefined
}

/**
 * Options from the command line and the environment; the command line wins.
 *
 * @param argv without the interpreter and the script
 * @param env as `loadEnvironment` gives it
 * @throws UsageError for anything that is not understood; nothing is ignored
 */
export function parseOptions(argv: readonly string[], env: Environment): Options {
  const flags = readFlags(argv)
  const mode = modeOf({ flags, env })
  // Who asks for help is not to be told first what else is wrong.
  if (mode === 'help' || mode === 'version') return optionsOf({ flags: new Map(), env: {} }, mode)
  refuseUnknownVariables(env)
  const given = { flags, env }
  const options = optionsOf(given, mode)
  refuseContradictions(options, given)
  return options
}

function optionsOf(given: Given, mode: Options['mode']): Options {
  return {
    mode,
    baseUrl: read(table.baseUrl, given),
    versions: readOrDefault(table.versions, given),
    headers: readAll(table.header, given),
    token: read(table.token, given),
    tls: {
      ca: read(table.ca, given),
      cert: read(table.cert, given),
      key: read(table.key, given),
      insecure: isOn(table.insecure, given),
    },
    http2: isOn(table.http2, given),
    timeoutMs: readOrDefault(table.timeout, given),
    concurrency: readOrDefault(table.concurrency, given),
    requestsPerSecond: read(table.rate, given),
    retries: readOrDefault(table.retries, given),
    only: read(table.only, given) ?? [],
    seed: read(table.seed, given) ?? randomInt(-(2 ** 31), 2 ** 31),
    path: read(table.path, given),
    effort: readOrDefault(table.effort, given),
    maxRequests: read(table.maxRequests, given),
    maxTimeSeconds: read(table.maxTime, given),
    waitSeconds: readOrDefault(table.wait, given),
    reportDir: read(table.reportDir, given),
    strict: isOn(table.strict, given),
    explain: read(table.explain, given),
  }
}

const modes = ['help', 'version', 'list', 'explain'] as const

function modeOf({ flags, env }: Given): Options['mode'] {
  const typed = modes.filter((mode) => flags.has(table[mode].flag))
  const isTyped = typed.length > 0
  const [first, second] = isTyped ? typed : modes.filter((mode) => isSet(mode, env))
  if (first === undefined || second === undefined) return first ?? 'run'
  if (first === 'help' || first === 'version') return first
  const [place, other] = [placeOf(table[second], isTyped), placeOf(table[first], isTyped)]
  return refuse(place, `cannot be had together with ${other.where}.`, 'one of the two', 'one after the other')
}

function isSet(mode: (typeof modes)[number], env: Environment): boolean {
  const given = { flags: new Map(), env }
  return mode === 'explain' ? read(table.explain, given) !== undefined : isOn(table[mode], given)
}

function refuseContradictions({ path, only, headers, token, tls }: Options, given: Given): void {
  const place = (row: Row) => placeOf(row, given.flags.has(row.flag))
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    const [there, missing] = tls.cert === undefined ? [table.key, table.cert] : [table.cert, table.key]
    refuse(place(there), `needs ${missing.flag} beside it.`, 'certificate and key together', `${missing.flag} FILE`)
  }
  if (path !== undefined && (only.length === 0 || read(table.seed, given) === undefined)) {
    const expected = 'the check, the seed and the path of a counterexample together'
    refuse(place(table.path), 'needs --only and --seed.', expected, `--only ID --seed N --path ${path}`)
  }
  const names = headers.map(({ name }) => name.toLowerCase())
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice) refuse(place(table.header), `${twice} was given twice.`, 'each header once', 'join both with a comma')
  if (token !== undefined && names.includes('authorization')) {
    const other = place(table.token).where
    refuse(place(table.header), `sets Authorization, and so does ${other}.`, 'one of the two', `leave out ${other}`)
  }
}

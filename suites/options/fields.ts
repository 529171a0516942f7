import type { Version } from '../../fixtures/contract/operations.ts'
import type { Transport } from '../engine/http/transport.ts'
import type { EffortName } from '../vocabulary/effort.ts'
import type { Constant, ModeOption, SwitchOption, ValueOption } from './option.ts'

/** What the options tell the judge. */
export interface RunOptions {
  /** http(s) URL without query, fragment or credentials; it may have a path. */
  readonly baseUrl?: string
  readonly versions?: readonly Version[]
  /** Sent with every request, to the base URL's origin only. */
  readonly headers?: Readonly<Record<string, string>>
  /** TLS, HTTP/2 and proxies. */
  readonly transport?: Transport
  readonly timeoutMs?: number
  readonly concurrency?: number
  readonly requestsPerSecond?: number | undefined
  readonly retries?: number
  /** Ids or beginnings of ids of the checks to report; none means all. */
  readonly only?: readonly string[]
  /** An int32. */
  readonly seed?: number
  readonly path?: string | undefined
  readonly effort?: EffortName
  /** Tried before all others, in searches and in names of breeds and cats. Valid Unicode. */
  readonly strings?: readonly string[]
  readonly maxRequests?: number | undefined
  /** Whether each request carries an `X-Request-Id` of its own; it does when nothing is said. */
  readonly requestIds?: boolean
  /** Which exchanges are kept: those that something cites, or all. */
  readonly record?: 'cited' | 'all'
}

/** What the options tell the command, which judges, or shows something instead. */
export interface CommandOptions {
  readonly maxTimeSeconds?: number
  readonly waitSeconds?: number
  /** How many checks may fail before no more is asked. */
  readonly maxFailures?: number
  readonly reportDir?: string
  /** Where events are written to while the run goes on. */
  readonly events?: string
  /** Whether choices at the open points are told in full. */
  readonly choices?: boolean
  readonly strict?: boolean
  /** A file or a folder: judged again whenever something changes there. */
  readonly watch?: string
  /** Files: what the deployment is held to, and where its choices are written. */
  readonly profileFile?: string
  readonly pinFile?: string
  /** A deployment or a saved report to compare with, and what is sent to it. */
  readonly against?: string
  readonly againstHeaders?: Readonly<Record<string, string>>
  /** A saved report whose findings are asked for again. */
  readonly replayFile?: string
  /** Files of known violations: to be read, and to be written. */
  readonly knownFile?: string
  readonly writeKnownFile?: string
  /** What to explain: an id, or the beginning of ids. */
  readonly explain?: string
}

export type Mode = 'list' | 'plan' | 'service' | 'openapi' | 'explain' | 'help' | 'version'
export type Fields = RunOptions & CommandOptions

// These give a row its type, nothing else: one that becomes nothing of a run does not compile.
export const valueOption = <Value, F extends Fields, Default extends (Value & Constant) | undefined = undefined>(
  option: ValueOption<Value, F, Default, Mode>,
) => option
export const switchOption = (option: SwitchOption<Fields>) => option
export const modeOption = (option: ModeOption<Mode>) => option

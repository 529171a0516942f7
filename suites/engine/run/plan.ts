import type { Check, CheckContext } from '../check/check.ts'
import type { LookForMotion } from '../check/drift.ts'
import type { Reader, Subject } from '../check/readers.ts'
import type { Instance, Scope } from '../check/verdict.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Session } from '../http/session.ts'
import type { Effort } from './check-run.ts'

/** Looks at what a deployment chose where the document is silent. Never judges. */
export interface Observer<T> {
  readonly id: string
  readonly scopes: readonly Scope[]
  readonly operation?: string | undefined
  /** @returns what was seen, or undefined when nothing was there to see */
  observe(context: ObserverContext<T>): Promise<Seen | undefined>
}

/** What an observer looks with. */
export type ObserverContext<T> = Pick<CheckContext<T>, 'target' | 'scope' | 'read' | 'readings' | 'fresh'>

/** A value, and the readings that show it. */
export interface Seen {
  readonly value: string
  readonly shownBy: readonly Subject<unknown>[]
  /** The parts of answers that the value is about, where it is about such: to be held against a schema. */
  readonly instances?: () => readonly Instance[]
}

export interface Plan<T> {
  readonly checks: readonly Check<T>[]
  readonly observers: readonly Observer<T>[]
  /** Those to judge; a scope is judged when all of its versions are. */
  readonly versions: readonly string[]
  /** The scopes that each class of verdicts is made of. */
  readonly classes: Readonly<Record<string, readonly Scope[]>>
  /** Which checks to report; their prerequisites are run too. */
  readonly selects: (id: string) => boolean
  /** With `false`, a violation is a finding even where another check's violation would explain it: for replays. */
  readonly explains: boolean
  readonly session: Session
  /** What checks ask, made once a run. */
  targetOf(readings: Reader): T
  /** The same target on readings of its end, where what is listed was seen to move; asks nothing to tell. */
  targetLater(
    first: { readonly target: T; readonly readings: Reader },
    session: Session,
    readings: Reader,
  ): Promise<T | undefined>
  /** What says whether the target moves. */
  motionOf(target: T): LookForMotion
  readonly signal: AbortSignal
  readonly effort: Effort & { readonly name: string }
  readonly seed: number
  readonly path: string | undefined
  /** Told when a check has asked what it asks at first. */
  onVerdict?(done: number, total: number, latest: CheckRun<T> & { readonly isBroken: boolean }): void
}

/** The versions that a scope names: one, or those that are compared. */
export const versionsIn = (scope: Scope): readonly string[] => scope.split('+')

/** Whether all versions that a scope names are judged. */
export const isJudgedIn =
  (versions: readonly string[]) =>
  (scope: Scope): boolean =>
    versionsIn(scope).every((version) => versions.includes(version))

/** Whether verdicts of the other scope say something about this one. */
export const bearsOn = (scope: Scope, other: Scope): boolean =>
  versionsIn(scope).some((version) => versionsIn(other).includes(version))

/** One check of one version, or of several together: what ends in one verdict. */
export interface CheckRun<T> {
  readonly check: Check<T>
  readonly scope: Scope
}

/** Keeps an exchange for the reports; answers with what to cite it by. */
export type Cite = (exchanges: readonly Exchange[]) => number[]

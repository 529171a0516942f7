import type { Check, CheckContext } from '../check/check.ts'
import type { DriftDetection } from '../check/drift.ts'
import type { Reader, Resource } from '../check/readers.ts'
import type { ResponsePart, Scope } from '../check/verdict.ts'
import type { CheckEffort } from '../finding/recorder-options.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { KeptElementSelector } from '../http/client/response-size.ts'
import type { Session } from '../http/session.ts'

/** Observes a choice of the deployment at an open point. Never judges. */
export interface Observer<T> {
  readonly id: string
  readonly scopes: readonly Scope[]
  readonly operation?: string | undefined
  /**
   * Observes the choice.
   * @returns undefined if there was nothing to observe
   */
  observe(context: ObserverContext<T>): Promise<ObservedChoice | undefined>
}

/** The part of the context that an observer uses. */
export type ObserverContext<T> = Pick<CheckContext<T>, 'target' | 'scope' | 'read' | 'readings' | 'createFreshReader'>

/** An observed value, and the readings that show it. */
export interface ObservedChoice {
  readonly value: string
  /** Other values that explain the responses too, because no listed name distinguishes them. */
  readonly alsoFits?: readonly string[]
  readonly shownBy: readonly Resource<unknown>[]
  /** The parts of responses that the value describes, to be validated against a schema. */
  readonly instances?: () => readonly ResponsePart[]
  /** The bodies that contain lists, with each list replaced by an empty one. */
  readonly envelopes?: () => readonly ResponsePart[]
  /** Returns whether a key in these parts is data (e.g. a name), and so belongs in no schema. */
  readonly isData?: (key: string) => boolean
}

export interface Plan<T> {
  readonly checks: readonly Check<T>[]
  readonly observers: readonly Observer<T>[]
  /** The versions to judge. A scope is judged if all its versions are, e.g. `v2+v3`. */
  readonly versions: readonly string[]
  /** The scopes of each class of verdicts (v2, v3, parity). */
  readonly classes: Readonly<Record<string, readonly Scope[]>>
  /** Returns whether to report a check. Prerequisites of reported checks run too. */
  readonly selects: (id: string) => boolean
  /** True if a violation that another check explains is no finding. False for replays. */
  readonly groupsByRootCause: boolean
  readonly session: Session
  /** Large bodies keep one element of each structure. This selects further elements that observers need. */
  readonly kept?: KeptElementSelector | undefined
  /** Creates the target of all checks, once per run. */
  createTarget(readings: Reader): T
  /**
   * Creates the target for the second run of checks at the end; undefined if the listed data did not change. Sends no
   * request to find that out.
   */
  createEndOfRunTarget(
    first: { readonly target: T; readonly readings: Reader },
    session: Session,
    readings: Reader,
  ): Promise<T | undefined>
  /** Returns the function that detects changes of this target. */
  driftDetectorOf(target: T): DriftDetection
  readonly signal: AbortSignal
  readonly effort: CheckEffort & { readonly name: string }
  readonly seed: number
  readonly path: string | undefined
  /** Called after the first requests of each check, with the number of checks done and of all checks. */
  onVerdict?(done: number, total: number, latest: CheckRun<T> & { readonly isBroken: boolean }): void
}

/** Returns the versions of a scope. */
export const versionsOf = (scope: Scope): readonly string[] => scope.split('+')

/** Returns whether all versions of a scope are judged. */
export const isScopeJudged =
  (versions: readonly string[]) =>
  (scope: Scope): boolean =>
    versionsOf(scope).every((version) => versions.includes(version))

/** Returns whether two scopes have a version in common. */
export const sharesVersion = (scope: Scope, other: Scope): boolean =>
  versionsOf(scope).some((version) => versionsOf(other).includes(version))

/** A check in one scope, which ends with one verdict. */
export interface CheckRun<T> {
  readonly check: Check<T>
  readonly scope: Scope
}

/** A function that keeps exchanges for the reports, and returns the ids by which a finding cites them. */
export type ExchangeCiter = (exchanges: readonly Exchange[]) => number[]

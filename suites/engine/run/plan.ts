import type { Check, CheckContext } from '../check/check.ts'
import type { DriftDetection } from '../check/drift.ts'
import type { Reader, Resource } from '../check/readers.ts'
import type { Observation, VerdictScope } from '../check/verdict.ts'
import type { CheckEffort } from '../finding/recorder-options.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Session } from '../http/session.ts'

/**
 * Observes the deployment's choice where the contract permits several (at an open point). It never fails a run.
 */
export interface OpenPointObserver<T> {
  readonly id: string
  readonly scopes: readonly VerdictScope[]
  readonly operation?: string | undefined
  /** True if it sends requests that no check sends. Quick effort leaves it out. */
  readonly sendsOwnRequests?: boolean
  /**
   * Observes the choice.
   * @returns undefined if it cannot be observed
   */
  observe(context: OpenPointContext<T>): Promise<ObservedChoice | undefined>
}

export type OpenPointContext<T> = Pick<CheckContext<T>, 'target' | 'scope' | 'read' | 'readings' | 'createFreshReader'>

/** An observed choice of the deployment, and the resources that show it. */
export interface ObservedChoice extends Pick<Observation, 'value' | 'alsoFits' | 'instances' | 'envelopes' | 'isData'> {
  readonly shownBy: readonly Resource<unknown>[]
}

/** Everything that a run needs: what is tested, with which requests, and how thoroughly. */
export interface RunPlan<T> {
  readonly checks: readonly Check<T>[]
  readonly observers: readonly OpenPointObserver<T>[]
  /** The versions to judge. A scope such as `v2+v3` is judged if all its versions are. */
  readonly versions: readonly string[]
  /** The scopes of each class of verdicts: v2, v3 and parity. */
  readonly classes: Readonly<Record<string, readonly VerdictScope[]>>
  /** Returns whether a check is reported. Checks that it requires run too, even if they are not reported. */
  readonly selects: (id: string) => boolean
  /** True if violations with the same cause become one finding. False if a finding is replayed. */
  readonly groupsByRootCause: boolean
  readonly session: Session
  /** The part of the deployment that the checks test, e.g. the directories of all versions. */
  readonly target: T
  /** The readings of the run, which all checks share. */
  readonly readings: Reader
  /**
   * Creates the target for the checks that run once more because the data changed. Returns undefined if the requests so
   * far have shown no change of the listed data.
   */
  createTargetAfterChange(session: Session, readings: Reader): Promise<T | undefined>
  /** Returns a function that detects changes of the data that this target serves. */
  driftDetectorOf(target: T): DriftDetection
  readonly signal: AbortSignal
  readonly effort: CheckEffort & { readonly name: string }
  readonly seed: number
  /** The steps by which fast-check reaches a counterexample, if only this counterexample is tested. */
  readonly path: string | undefined
  /** Called when a check has ended, with the number of ended checks and of all checks. Its verdict may still change. */
  onVerdict?(done: number, total: number, latest: CheckRun<T> & { readonly isViolated: boolean }): void
}

/** Returns the versions of a scope, e.g. `v2` and `v3` of `v2+v3`. */
export const versionsOf = (scope: VerdictScope): readonly string[] => scope.split('+')

/** Returns a function that returns whether all versions of a scope are judged. */
export const createScopeFilter =
  (versions: readonly string[]) =>
  (scope: VerdictScope): boolean =>
    versionsOf(scope).every((version) => versions.includes(version))

/** Returns whether two scopes have a version in common. */
export const sharesVersion = (scope: VerdictScope, other: VerdictScope): boolean =>
  versionsOf(scope).some((version) => versionsOf(other).includes(version))

/** A check in one of its scopes (e.g. `v2`). It ends with one verdict. */
export interface CheckRun<T> {
  readonly check: Check<T>
  readonly scope: VerdictScope
}

/** Keeps exchanges for the reports, and returns the ids by which a finding cites them. */
export type ExchangeCiter = (exchanges: readonly Exchange[]) => number[]

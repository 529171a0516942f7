import { createDeployment, type Deployment, type DeploymentOptions } from '../directory/deployment.ts'
import { createDeploymentAfterChange } from '../directory/deployment-after-change.ts'
import { type Alterations, alterations as allAlterations } from '../directory/inputs/alterations.ts'
import { type Allowances, allowances as allAllowances } from '../directory/matching/allowances.ts'
import { createControlNameFactory } from '../directory/shared/control-names.ts'
import { type Effort, effortsByName, reserveRequestsOfSingleChecks } from '../directory/shared/effort.ts'
import { scopesByClass } from '../directory/shared/versions.ts'
import type { Check } from '../engine/check/check.ts'
import type { DriftDetection } from '../engine/check/drift.ts'
import { createCachingReader, type Reader } from '../engine/check/readers.ts'
import type { Session } from '../engine/http/session.ts'
import type { OpenPointObserver, RunPlan } from '../engine/run/plan.ts'
import { observableOpenPoints, openPointObservers, quickEffortObservers } from '../open-points/index.ts'
import { defaultOptions } from '../options/table.ts'
import { catalogue, createIdSelector } from './catalogue.ts'
import type { JudgeOptions } from './judge-options.ts'
import { createKeptElementSelector } from './profile/invalid-elements.ts'
import { pinnedCheckIdsOf } from './profile/pinned.ts'
import { pinnedPointersOf } from './profile/pointers.ts'

/** The parts of the suite that `judge` uses. Users add checks and open points; tests leave out parts. */
export interface JudgeDependencies {
  readonly checks?: readonly Check<Deployment>[]
  /** Open points to observe in addition to those of the contract. */
  readonly openPoints?: readonly OpenPointObserver<Deployment>[]
  /** The allowances: reasons for which a deviation is no violation. By default, all of them. */
  readonly allowances?: Allowances
  readonly alterations?: Alterations
}

/**
 * Returns the options of the deployment that the checks test in a session.
 * @param readings the reader of the session
 */
export type DeploymentOptionsFactory = (session: Session, readings: Reader) => DeploymentOptions

/** Creates a function that returns the options of the deployment. Only session and reader differ between its results. */
export function createDeploymentOptionsFactory(
  options: JudgeOptions,
  { checks = catalogue, allowances = allAllowances, alterations = allAlterations }: JudgeDependencies,
  { token }: Pick<Session, 'token'>,
): DeploymentOptionsFactory {
  const { seed = 1, strings = [], versions: judgedVersions = defaultOptions.versions, profile } = options
  const effort = reserveRequestsOfSingleChecks(resolveEffort(options), checks, judgedVersions)
  const controlNames = createControlNameFactory(token)
  return (session, readings) => ({
    ...session,
    ...{ controlNames, readings, effort, seed, strings, allowances, alterations, judgedVersions },
    ...(profile && { pinsOfVersion: (version: string) => pinnedPointersOf(profile, version) }),
  })
}

/** Returns the settings of the chosen effort, with those that `bounds` replaces. */
function resolveEffort({ effort = defaultOptions.effort, bounds }: Pick<JudgeOptions, 'effort' | 'bounds'>): Effort {
  return { ...effortsByName[effort], ...bounds }
}

/**
 * Selects the open points of the contract to observe, and describes those that quick effort omits. If `isObserved` is
 * false, no open point is observed, because the run is only about some checks.
 */
export function selectObservers(options: Pick<JudgeOptions, 'profile' | 'only' | 'effort' | 'bounds'>) {
  const { profile, only = [] } = options
  const pinnedChecks = profile ? pinnedCheckIdsOf(profile, observableOpenPoints) : []
  const isObserved = only.length === 0 || pinnedChecks.some(createIdSelector(only))
  const omitsSome = isObserved && !profile && resolveEffort(options).openPoints === 'few'
  return {
    isObserved,
    observers: omitsSome ? quickEffortObservers.observers : openPointObservers,
    omittedPoints: omitsSome ? [quickEffortObservers.omittedPoints] : [],
  }
}

/**
 * Creates the plan of a run: the checks, the observers of open points, and the deployment to test.
 * @param withChangeLog adds the log of changes to the detection of drift
 */
export function createRunPlan(
  options: JudgeOptions,
  { checks = catalogue, openPoints = [] }: JudgeDependencies,
  session: Session,
  optionsOf: DeploymentOptionsFactory,
  withChangeLog: (detectDrift: DriftDetection) => DriftDetection,
): RunPlan<Deployment> {
  const { only = [], versions = defaultOptions.versions, effort: name = defaultOptions.effort, profile } = options
  const { seed = 1, path, signal = new AbortController().signal } = options
  const readings = createCachingReader(session.sendOnce, createKeptElementSelector(profile))
  const target = createDeployment(optionsOf(session, readings))
  const { isObserved, observers } = selectObservers(options)
  return {
    ...{ checks, versions, classes: scopesByClass, session, target, readings, signal, seed, path },
    observers: isObserved ? [...observers, ...openPoints] : [],
    selects: createIdSelector(only),
    groupsByRootCause: only.length === 0,
    // A profile needs requests for all open points.
    effort: { name, ...resolveEffort(options), ...(profile && { maxRequests: Number.POSITIVE_INFINITY }) },
    createTargetAfterChange: (later, readingsAfter) =>
      createDeploymentAfterChange(optionsOf(later, readingsAfter), target, readings),
    driftDetectorOf: ({ detectDrift }) => withChangeLog(detectDrift),
    onVerdict(done, total, { check, scope, isViolated }) {
      const isFailure = isViolated && check.level !== 'should'
      options.onVerdict?.(done, total, session.counts.requests, { check: check.id, version: scope, isFailure })
    },
  }
}

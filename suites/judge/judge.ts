import { createDeployment, type Deployment, type DeploymentOptions } from '../directory/deployment.ts'
import { createEndOfRunDeployment } from '../directory/end-of-run-target.ts'
import { type Alterations, alterations as allAlterations } from '../directory/inputs/alterations.ts'
import { describeUnrequestableNames } from '../directory/inputs/listed-names.ts'
import { type Allowances, allowances as allAllowances } from '../directory/matching/allowances.ts'
import { type ControlNameFactory, createControlNameFactory } from '../directory/shared/control-names.ts'
import { type Effort, effortsByName, reserveRequestsOfSingleChecks } from '../directory/shared/effort.ts'
import { scopesByClass } from '../directory/shared/versions.ts'
import type { Check } from '../engine/check/check.ts'
import { createCachingReader, type Reader } from '../engine/check/readers.ts'
import type { Observation, RunResult, Verdict } from '../engine/check/verdict.ts'
import type { Exchange } from '../engine/http/client/exchange.ts'
import type { ProtocolObserver } from '../engine/http/client/network.ts'
import { observeProtocols } from '../engine/http/client/undici-network.ts'
import { systemRuntime } from '../engine/http/runtime.ts'
import { createSession, type Session } from '../engine/http/session.ts'
import { validateCatalogue } from '../engine/run/catalogue-rules.ts'
import { createRunRecorder } from '../engine/run/exchange-recorder.ts'
import { maskResult } from '../engine/run/masking.ts'
import { observeOpenPoints } from '../engine/run/observe.ts'
import { createScopeFilter, type OpenPointObserver, type RunPlan } from '../engine/run/plan.ts'
import { groupByRootCause } from '../engine/run/root-causes.ts'
import { conclusionsOf, describeUntestedChecks, runPlan } from '../engine/run/run.ts'
import {
  type ObservedOpenPoint,
  observableOpenPoints,
  openPointObservers,
  quickEffortObservers,
  sortInContractOrder,
} from '../open-points/index.ts'
import { observeWholeRun, type RunObservationContext } from '../open-points/whole-run.ts'
import { defaultOptions } from '../options/table.ts'
import { catalogue, createIdSelector } from './catalogue.ts'
import { createSessionOptions, type JudgeOptions } from './judge-options.ts'
import { addInferredSchemas } from './profile/element-schema.ts'
import { createKeptElementSelector } from './profile/invalid-elements.ts'
import { createPinnedChecks, judgePinnedPoints, pinnedCheckIdOf, pinnedCheckIdsOf } from './profile/pinned.ts'
import { pinnedPointersOf } from './profile/pointers.ts'
import { createSecretMask, createSentHeaders } from './sent-headers.ts'
import { SeparateSessions } from './separate-sessions.ts'

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
 * Judges one deployment.
 * @returns every verdict, observation and cited exchange; never rejects because of the deployment
 * @param options validated by the command or by the library's entry point
 * @throws {TypeError} if the checks contradict each other
 */
export async function judge(options: JudgeOptions, dependencies: JudgeDependencies = {}): Promise<RunResult> {
  const { checks = catalogue } = dependencies
  validateCatalogue(checks)
  const connections = (options.runtime?.network?.watch ?? observeProtocols)(options.baseUrl)
  const { clock } = options.session ?? options.runtime ?? systemRuntime
  const recorder = createRunRecorder(options.record ?? 'cited', clock)
  let requests = 0
  const reportExchange = (exchange: Exchange): void => {
    recorder.onExchange(exchange)
    options.onRequest?.(++requests)
  }
  const session = options.session ?? createSession({ ...createSessionOptions(options), onExchange: reportExchange })
  const targets = createTargets(options, createControlNameFactory(session.token), dependencies)
  const { isObserved, observing, omittedPoints } = selectObservers(options)
  try {
    const result = await runPlan({
      ...createPlan(options, session),
      checks,
      observers: isObserved ? [...observing, ...(dependencies.openPoints ?? [])] : [],
      createTarget: (readings) => targets.create(session, readings),
      createEndOfRunTarget: targets.createEndOfRunTarget,
      driftDetectorOf: ({ detectDrift }) => recorder.withChangeLog(detectDrift),
    })
    const { create: createTarget } = targets
    const all = isObserved
      ? await addObservations(result, { options, session, connections, createTarget, checks })
      : result
    const unrequestableNames = await targets.unrequestableNames()
    const whole = {
      ...all,
      ...countSelected(all.verdicts.length, checks, options),
      notExercised: [...all.notExercised, ...omittedPoints, ...unrequestableNames],
    }
    return maskResult(recorder.addTo(whole, session), createSecretMask(options))
  } finally {
    connections.close()
    if (!options.session) await session.close()
  }
}

/** Counts the selected checks and all checks, in each version. Returns an empty object if all are selected. */
function countSelected(
  selected: number,
  checks: readonly Check<Deployment>[],
  { only = [], profile }: JudgeOptions,
): Pick<RunResult, 'selected'> {
  if (only.length === 0) return {}
  const pinned = profile ? createPinnedChecks(profile, observableOpenPoints).length : 0
  const all = checks.flatMap(({ scopes }) => scopes).length + pinned
  return selected < all ? { selected: { checks: selected, of: all } } : {}
}

function resolveEffort({ effort = defaultOptions.effort, bounds }: Pick<JudgeOptions, 'effort' | 'bounds'>): Effort {
  return { ...effortsByName[effort], ...bounds }
}

function createTargets(
  options: JudgeOptions,
  controlNames: ControlNameFactory,
  { checks = catalogue, allowances = allAllowances, alterations = allAlterations }: JudgeDependencies,
) {
  const { seed = 1, strings = [], versions: judged = defaultOptions.versions, profile } = options
  const effort = reserveRequestsOfSingleChecks(resolveEffort(options), checks, judged)
  const optionsOf = (session: Session, readings: Reader): DeploymentOptions => ({
    ...session,
    ...{ controlNames, readings, effort, seed, strings, allowances, alterations, judgedVersions: judged },
    ...(profile && { pinsOfVersion: (version: string) => pinnedPointersOf(profile, version) }),
  })
  let first: Parameters<typeof describeUnrequestableNames> | undefined
  return {
    create(session: Session, readings: Reader): Deployment {
      const target = createDeployment(optionsOf(session, readings))
      first ??= [target.judgedDirectories, readings]
      return target
    },
    createEndOfRunTarget: (of: Parameters<typeof createEndOfRunDeployment>[1], session: Session, readings: Reader) =>
      createEndOfRunDeployment(optionsOf(session, readings), of),
    unrequestableNames: async (): Promise<readonly string[]> => (first ? describeUnrequestableNames(...first) : []),
  }
}

/** Selects the open points of the contract to observe, and describes those that quick effort omits. */
export function selectObservers(options: Pick<JudgeOptions, 'profile' | 'only' | 'effort' | 'bounds'>) {
  const { profile, only = [] } = options
  const pinnedChecks = profile ? pinnedCheckIdsOf(profile, observableOpenPoints) : []
  const isObserved = only.length === 0 || pinnedChecks.some(createIdSelector(only))
  const isFrugal = isObserved && !profile && resolveEffort(options).openPoints === 'few'
  return {
    isObserved,
    observing: isFrugal ? quickEffortObservers.observers : openPointObservers,
    omittedPoints: isFrugal ? [quickEffortObservers.omittedPoints] : [],
  }
}

function createPlan(options: JudgeOptions, session: Session) {
  const {
    only = [],
    versions = defaultOptions.versions,
    effort: name = defaultOptions.effort,
    seed = 1,
    path,
  } = options
  const onVerdict: RunPlan<Deployment>['onVerdict'] = (done, total, { check, scope, isViolated }) => {
    const isFailure = isViolated && check.level !== 'should'
    options.onVerdict?.(done, total, session.counts.requests, { check: check.id, version: scope, isFailure })
  }
  return {
    ...{ versions, classes: scopesByClass, session, seed, path, onVerdict },
    selects: createIdSelector(only),
    groupsByRootCause: only.length === 0,
    kept: createKeptElementSelector(options.profile),
    signal: options.signal ?? new AbortController().signal,
    // A profile needs requests for all open points.
    effort: { name, ...resolveEffort(options), ...(options.profile && { maxRequests: Number.POSITIVE_INFINITY }) },
  }
}

/** The parts of a run that the last observations need, after all checks have run. */
interface FinishedRunContext {
  readonly options: JudgeOptions
  readonly session: Session
  readonly connections: ProtocolObserver
  readonly createTarget: (session: Session, readings: Reader) => Deployment
  readonly checks: readonly Check<Deployment>[]
}

/** Adds observations that concern the whole run, such as caching, and the verdicts on a profile. */
async function addObservations(result: RunResult, context: FinishedRunContext): Promise<RunResult> {
  const { options, session, connections, checks } = context
  const exchanges = new Map(result.exchanges)
  const { secret: secrets } = createSentHeaders(options)
  const open = Object.entries(options.headers ?? {}).filter(([name]) => !secrets.has(name.toLowerCase()))
  const separate = new SeparateSessions(session, exchanges, (headers = options.headers ?? {}) =>
    createSession(createSessionOptions({ ...options, headers, secretHeaders: [...secrets] })),
  )
  const run: RunObservationContext = {
    versions: options.versions ?? defaultOptions.versions,
    session,
    connections,
    sendWithHeader: (request, name, value) => separate.send(request, { ...options.headers, [name]: value }),
    sendWithoutCredentials:
      secrets.size === 0 ? undefined : (request) => separate.send(request, Object.fromEntries(open)),
  }
  // Observes nothing if the deployment never responded.
  const wholeRunObservations = session.hasResponded() ? await observeWholeRun(run, separate.cite) : []
  const observations = sortInContractOrder([...result.observations, ...wholeRunObservations]).map(addInferredSchemas)
  const pinned = await judgeAgainstProfile(observations, run, separate, context)
  const verdicts = [...result.verdicts, ...groupByRootCause(pinned)]
  return {
    ...result,
    verdicts,
    observations,
    exchanges,
    ...conclusionsOf(verdicts, { checks, classes: scopesByClass, selects: createIdSelector(options.only ?? []) }),
    notExercised: [...result.notExercised, ...describeUntestedChecks(pinned)],
    requests: session.counts.requests + separate.requests,
  }
}

/**
 * Compares the observations with the pinned values of a profile. Differences are observed again in a separate session.
 */
async function judgeAgainstProfile(
  observations: readonly Observation[],
  run: RunObservationContext,
  separate: SeparateSessions,
  { options: { profile, only = [] }, createTarget }: FinishedRunContext,
): Promise<readonly Verdict[]> {
  if (profile === undefined) return []
  const { versions } = run
  const selects = createIdSelector(only)
  const observeAgain = (isWanted: (place: ObservedOpenPoint) => boolean) =>
    separate.use(async (fresh) => {
      const readings = createCachingReader(fresh.sendOnce, createKeptElementSelector(profile))
      const wanted = openPointObservers.map(({ scopes, ...one }) => ({
        ...one,
        scopes: scopes.filter((version) => isWanted({ ...one, version })),
      }))
      const plan = { observers: wanted, versions, session: fresh }
      const seen = await observeOpenPoints(plan, createTarget(fresh, readings), readings, separate.citeSeparate)
      return [
        ...seen.map(addInferredSchemas),
        ...(await observeWholeRun({ ...run, session: fresh }, separate.citeSeparate, isWanted)),
      ]
    })
  return judgePinnedPoints({
    profile,
    places: observableOpenPoints.filter((place) => selects(pinnedCheckIdOf(place))),
    isJudged: ({ version }) => createScopeFilter(versions)(version),
    observations,
    observeAgain,
    cite: separate.citeSeparate,
  })
}

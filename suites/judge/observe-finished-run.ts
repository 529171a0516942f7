import { createDeployment, type Deployment } from '../directory/deployment.ts'
import { scopesByClass } from '../directory/shared/versions.ts'
import type { Check } from '../engine/check/check.ts'
import { createCachingReader } from '../engine/check/readers.ts'
import type { Observation, RunResult, Verdict } from '../engine/check/verdict.ts'
import type { ProtocolObserver } from '../engine/http/client/network.ts'
import { createSession, type Session } from '../engine/http/session.ts'
import { observeOpenPoints } from '../engine/run/observe.ts'
import { createScopeFilter } from '../engine/run/plan.ts'
import { groupByRootCause } from '../engine/run/root-causes.ts'
import { conclusionsOf, describeUntestedChecks } from '../engine/run/run.ts'
import {
  type ObservedOpenPoint,
  observableOpenPoints,
  openPointObservers,
  sortInContractOrder,
} from '../open-points/index.ts'
import { observeWholeRun, type RunObservationContext } from '../open-points/whole-run.ts'
import { defaultOptions } from '../options/table.ts'
import { createIdSelector } from './catalogue.ts'
import { createSessionOptions, type JudgeOptions } from './judge-options.ts'
import { addInferredSchemas } from './profile/element-schema.ts'
import { createKeptElementSelector } from './profile/invalid-elements.ts'
import { judgePinnedPoints, pinnedCheckIdOf } from './profile/pinned.ts'
import type { DeploymentOptionsFactory } from './run-plan.ts'
import { createSentHeaders } from './sent-headers.ts'
import { SeparateSessions } from './separate-sessions.ts'

/** The parts of a run that observations after its last check need. */
interface FinishedRunContext {
  readonly options: JudgeOptions
  readonly session: Session
  readonly connections: ProtocolObserver
  readonly optionsOf: DeploymentOptionsFactory
  readonly checks: readonly Check<Deployment>[]
}

/** Adds observations that concern the whole run, such as caching, and the verdicts on a profile. */
export async function observeFinishedRun(result: RunResult, context: FinishedRunContext): Promise<RunResult> {
  const { options, session, connections, checks } = context
  const exchanges = new Map(result.exchanges)
  const { secret: secrets } = createSentHeaders(options)
  const publicHeaders = Object.entries(options.headers ?? {}).filter(([name]) => !secrets.has(name.toLowerCase()))
  const separate = new SeparateSessions(session, exchanges, (headers = options.headers ?? {}) =>
    createSession(createSessionOptions({ ...options, headers, secretHeaders: [...secrets] })),
  )
  const run: RunObservationContext = {
    versions: options.versions ?? defaultOptions.versions,
    session,
    connections,
    sendWithHeader: (request, name, value) => separate.send(request, { ...options.headers, [name]: value }),
    sendWithoutCredentials:
      secrets.size === 0 ? undefined : (request) => separate.send(request, Object.fromEntries(publicHeaders)),
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
 * Compares the observations with the pinned values of a profile. Observes differences again in a separate session.
 * Returns no verdict without a profile.
 */
async function judgeAgainstProfile(
  observations: readonly Observation[],
  run: RunObservationContext,
  separate: SeparateSessions,
  { options: { profile, only = [] }, optionsOf }: FinishedRunContext,
): Promise<readonly Verdict[]> {
  if (profile === undefined) return []
  const { versions } = run
  const selects = createIdSelector(only)
  const observeAgain = (isWanted: (place: ObservedOpenPoint) => boolean) =>
    separate.use(async (fresh) => {
      const readings = createCachingReader(fresh.sendOnce, createKeptElementSelector(profile))
      const observers = openPointObservers.map(({ scopes, ...one }) => ({
        ...one,
        scopes: scopes.filter((version) => isWanted({ ...one, version })),
      }))
      const target = createDeployment(optionsOf(fresh, readings))
      const plan = { observers, versions, session: fresh, target, readings }
      const seen = await observeOpenPoints(plan, separate.citeSeparate)
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

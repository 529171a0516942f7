import { createDeployment, type Deployment, type DeploymentOptions } from '../directory/deployment.ts'
import { createLater } from '../directory/end-of-run-target.ts'
import { type Alterations, alterations as allAlterations } from '../directory/inputs/alterations.ts'
import { namesNotAsked } from '../directory/inputs/own-names.ts'
import { type Leniencies, leniencies } from '../directory/matching/allowances.ts'
import { type ControlNames, controlNames } from '../directory/shared/control-names.ts'
import { type Effort, efforts, leavingRoom } from '../directory/shared/effort.ts'
import { classes } from '../directory/shared/versions.ts'
import type { Check } from '../engine/check/check.ts'
import { createCachingReader, type Reader } from '../engine/check/readers.ts'
import type { Observation, RunResult, Verdict } from '../engine/check/verdict.ts'
import { type Connections, watchConnections } from '../engine/http/client/connections.ts'
import type { Exchange } from '../engine/http/client/exchange.ts'
import { systemRuntime } from '../engine/http/runtime.ts'
import { createSession, type Session } from '../engine/http/session.ts'
import { refuseUnsoundList } from '../engine/run/catalogue-rules.ts'
import { createRecorder } from '../engine/run/exchange-recorder.ts'
import { maskResult } from '../engine/run/masking.ts'
import { observeAll } from '../engine/run/observe.ts'
import { isJudgedIn, type Observer, type Plan } from '../engine/run/plan.ts'
import { groupByCause } from '../engine/run/root-causes.ts'
import { conclusionsOf, notExercised, run } from '../engine/run/run.ts'
import { frugally, inContractOrder, observers } from '../open-points/index.ts'
import { observeRun, runObservers, type WholeRun } from '../open-points/of-run.ts'
import { defaults } from '../options/defaults.ts'
import { catalogue } from './catalogue.ts'
import { type JudgeOptions, sessionOptions } from './judge-options.ts'
import { keptElements } from './profile/kept-elements.ts'
import { withSchemas } from './profile/observed-schemas.ts'
import { judgePins, type Place, pinnedChecks, pinnedId, pinnedIds } from './profile/pinned.ts'
import { pointersIn } from './profile/pointers.ts'
import { Apart } from './second-session.ts'
import { isSelected } from './selected.ts'
import { secretsMasked, sentHeaders } from './sent-headers.ts'

export type { Conclusion, Finding, Observation, RunResult, Status, Verdict } from '../engine/check/verdict.ts'
export type { ExchangeSummary } from '../engine/http/client/exchange.ts'

/** Replaceable parts of a judgement: users add checks, tests remove parts. */
export interface Judging {
  readonly checks?: readonly Check<Deployment>[]
  /** Observed beside those of the contract. */
  readonly openPoints?: readonly Observer<Deployment>[]
  readonly excuses?: Leniencies
  readonly alterations?: Alterations
}

/**
 * Judges one deployment.
 * @returns every verdict, observation and cited exchange; never rejects because of the deployment
 * @param options validated by the command or by the library's entry point
 * @throws {TypeError} if the checks contradict each other
 */
export async function judge(options: JudgeOptions, judging: Judging = {}): Promise<RunResult> {
  const { checks = catalogue } = judging
  refuseUnsoundList(checks)
  const connections = (options.runtime?.network?.watch ?? watchConnections)(options.baseUrl)
  const { clock } = options.session ?? options.runtime ?? systemRuntime
  const recorder = createRecorder(options.record ?? 'cited', clock)
  let requests = 0
  const told = (exchange: Exchange): void => {
    recorder.onExchange(exchange)
    options.onRequest?.(++requests)
  }
  const session = options.session ?? createSession({ ...sessionOptions(options), onExchange: told })
  const targets = targetsOf(options, controlNames(session.token), judging)
  const { isObserved, observing, leftOut } = observationOf(options)
  try {
    const result = await run({
      ...planOf(options, session),
      checks,
      observers: isObserved ? [...observing, ...(judging.openPoints ?? [])] : [],
      targetOf: (readings) => targets.create(session, readings),
      targetLater: targets.createLater,
      motionOf: ({ lookForMotion }) => recorder.noting(lookForMotion),
    })
    const { create: createTarget } = targets
    const all = isObserved
      ? await withObservations(result, { options, session, connections, createTarget, checks })
      : result
    const notAsked = await targets.notAsked()
    const whole = {
      ...all,
      ...selectionOf(all.verdicts.length, checks, options),
      notExercised: [...all.notExercised, ...leftOut, ...notAsked],
    }
    return maskResult(recorder.addTo(whole, session), secretsMasked(options))
  } finally {
    connections.forget()
    if (!options.session) await session.close()
  }
}

/** The number of selected checks, each version counted. */
function selectionOf(
  selected: number,
  checks: readonly Check<Deployment>[],
  { only = [], profile }: JudgeOptions,
): Pick<RunResult, 'selected'> {
  if (only.length === 0) return {}
  const pinned = profile ? pinnedChecks(profile, observedPlaces).length : 0
  const all = checks.flatMap(({ scopes }) => scopes).length + pinned
  return selected < all ? { selected: { checks: selected, of: all } } : {}
}

function effortOf({ effort = defaults.effort, bounds }: JudgeOptions): Effort {
  return { ...efforts[effort], ...bounds }
}

/** Creates the targets of the checks. */
function targetsOf(
  options: JudgeOptions,
  controlNames: ControlNames,
  { checks = catalogue, excuses = leniencies, alterations = allAlterations }: Judging,
) {
  const { seed = 1, strings = [], versions: judged = defaults.versions, profile } = options
  const effort = leavingRoom(effortOf(options), checks, judged)
  const optionsOf = (session: Session, readings: Reader): DeploymentOptions => ({
    ...session,
    ...{ controlNames, readings, effort, seed, strings, excuses, alterations, judged },
    ...(profile && { pinnedIn: (version: string) => pointersIn(profile, version) }),
  })
  let first: Parameters<typeof namesNotAsked> | undefined
  return {
    create(session: Session, readings: Reader): Deployment {
      const target = createDeployment(optionsOf(session, readings))
      first ??= [target.judged, readings]
      return target
    },
    createLater: (of: Parameters<typeof createLater>[1], session: Session, readings: Reader) =>
      createLater(optionsOf(session, readings), of),
    notAsked: async (): Promise<readonly string[]> => (first ? namesNotAsked(...first) : []),
  }
}

/** The open points to observe, and those that quick effort leaves out. */
function observationOf(options: JudgeOptions) {
  const { profile, only = [] } = options
  const pinnedChecks = profile ? pinnedIds(profile, observedPlaces) : []
  const isObserved = only.length === 0 || pinnedChecks.some(isSelected(only))
  const isFrugal = isObserved && !profile && effortOf(options).openPoints === 'few'
  return {
    isObserved,
    observing: isFrugal ? frugally.observers : observers,
    leftOut: isFrugal ? frugally.leftOut : [],
  }
}

/** The plan of a run, from its options. */
function planOf(options: JudgeOptions, session: Session) {
  const { only = [], versions = defaults.versions, effort: name = defaults.effort, seed = 1, path } = options
  const onVerdict: Plan<Deployment>['onVerdict'] = (done, total, { check, scope, isBroken }) => {
    const isFailure = isBroken && check.level !== 'should'
    options.onVerdict?.(done, total, session.counts.requests, { check: check.id, version: scope, isFailure })
  }
  return {
    ...{ versions, classes, session, seed, path, onVerdict },
    selects: isSelected(only),
    explains: only.length === 0,
    kept: keptElements(options.profile),
    signal: options.signal ?? new AbortController().signal,
    effort: { name, ...effortOf(options) },
  }
}

/** All places where something is observed. */
export const observedPlaces: readonly Place[] = [
  ...observers.flatMap(({ id, operation, scopes }) => scopes.map((version) => ({ id, operation, version }))),
  ...runObservers.flatMap(({ id, scopes }) => scopes.map((version) => ({ id, version }))),
]

/** The state after a run, from which more can be observed. */
interface Seeing {
  readonly options: JudgeOptions
  readonly session: Session
  readonly connections: Connections
  readonly createTarget: (session: Session, readings: Reader) => Deployment
  readonly checks: readonly Check<Deployment>[]
}

/** Adds observations of the run as a whole, and the verdicts of a profile. */
async function withObservations(result: RunResult, seeing: Seeing): Promise<RunResult> {
  const { options, session, connections, checks } = seeing
  const exchanges = new Map(result.exchanges)
  const { secret: secrets } = sentHeaders(options)
  const open = Object.entries(options.headers ?? {}).filter(([name]) => !secrets.has(name.toLowerCase()))
  const apart = new Apart(session, exchanges, (headers = options.headers ?? {}) =>
    createSession(sessionOptions({ ...options, headers, secretHeaders: [...secrets] })),
  )
  const run: WholeRun = {
    versions: options.versions ?? defaults.versions,
    session,
    connections,
    askWith: (request, name, value) => apart.ask(request, { ...options.headers, [name]: value }),
    askWithoutCredentials: secrets.size === 0 ? undefined : (request) => apart.ask(request, Object.fromEntries(open)),
  }
  // Skips open points if the deployment never responded.
  const ofRun = session.wasThere() ? await observeRun(run, apart.cite) : []
  const observations = inContractOrder([...result.observations, ...ofRun]).map(withSchemas)
  const pinned = await judgePinned(observations, run, apart, seeing)
  const verdicts = [...result.verdicts, ...groupByCause(pinned)]
  return {
    ...result,
    verdicts,
    observations,
    exchanges,
    ...conclusionsOf(verdicts, { checks, classes, selects: isSelected(options.only ?? []) }),
    notExercised: [...result.notExercised, ...notExercised(pinned)],
    requests: session.counts.requests + apart.requests,
  }
}

/** Compares observations with a profile; differences are observed again in a separate session. */
async function judgePinned(
  observations: readonly Observation[],
  run: WholeRun,
  apart: Apart,
  { options: { profile, only = [] }, createTarget }: Seeing,
): Promise<readonly Verdict[]> {
  if (profile === undefined) return []
  const { versions } = run
  const selects = isSelected(only)
  const lookAgain = (isWanted: (place: Place) => boolean) =>
    apart.use(async (fresh) => {
      const readings = createCachingReader(fresh.recall, keptElements(profile))
      const wanted = observers.map(({ scopes, ...one }) => ({
        ...one,
        scopes: scopes.filter((version) => isWanted({ ...one, version })),
      }))
      const plan = { observers: wanted, versions, session: fresh }
      const seen = await observeAll(plan, createTarget(fresh, readings), readings, apart.citeApart)
      return [...seen.map(withSchemas), ...(await observeRun({ ...run, session: fresh }, apart.citeApart, isWanted))]
    })
  return judgePins({
    profile,
    places: observedPlaces.filter((place) => selects(pinnedId(place))),
    isJudged: ({ version }) => isJudgedIn(versions)(version),
    observations,
    lookAgain,
    cite: apart.citeApart,
  })
}

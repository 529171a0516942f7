import { setMaxListeners } from 'node:events'
import type { RunResult, Verdict } from '../check/verdict.ts'
import { type ExchangeSummary, summariseExchange } from '../http/client/exchange.ts'
import type { RequestLimit } from '../http/client/request-budget.ts'
import { Inconclusive } from '../inconclusive.ts'
import { repeatChecksAfterChange } from './checks-after-change.ts'
import { concludeByVersionAndParity, concludePartialRun, concludeRun } from './conclusion.ts'
import { findGatewayFailures, mergeGatewayFailures } from './gateway-failures.ts'
import { observeOpenPoints } from './observe.ts'
import type { CheckRun, ExchangeCiter, RunPlan } from './plan.ts'
import { groupByRootCause } from './root-causes.ts'
import { CheckRunner } from './runner.ts'

/**
 * Runs all checks concurrently, each after the checks that it requires.
 * @returns a verdict for every selected check and scope; never rejects because of the deployment
 */
export async function runPlan<T>(plan: RunPlan<T>): Promise<RunResult> {
  setMaxListeners(0, plan.signal) // Every pause listens for the end of the run.
  const { clock } = plan.session
  const startedAt = new Date(clock.wallTime())
  const began = clock.now()
  const cited = new Map<number, ExchangeSummary>()
  const { verdicts: judged, observations } = await judgeAndObserve(plan, (exchanges) =>
    exchanges.map((exchange) => (cited.set(exchange.id, summariseExchange(exchange)), exchange.id)),
  )
  const failures = findGatewayFailures(plan.session.traffic.sent, plan.versions)
  const verdicts = mergeGatewayFailures(judged, failures, cited)
  return {
    verdicts,
    observations,
    exchanges: cited,
    startedAt,
    durationMs: clock.now() - began,
    ...conclusionsOf(verdicts, plan),
    requests: plan.session.counts.requests,
    retries: plan.session.counts.retries,
    seed: plan.seed,
    effort: plan.effort.name,
    lostRequests: plan.session.traffic.lostRequests,
    notExercised: [...describeUntestedChecks(verdicts), ...plan.session.traffic.notes],
  }
}

function limitRequests<T>(
  { session, effort: { name, maxRequests } }: RunPlan<T>,
  maxRequestsNow: RequestLimit['maxRequests'],
): void {
  const text = `the limit of ${maxRequests} requests with ${name} effort was reached (--effort)`
  session.limitRequests({
    maxRequests: maxRequestsNow,
    reason: new Inconclusive('budget', text, { remedy: 'use standard effort' }),
  })
}

/** Limits requests so that enough are left to recheck violations, now and at the end of the run. */
function keepRequestsForRechecks<T>(plan: RunPlan<T>, runner: CheckRunner<T>): void {
  const { maxRequests, requestsForRechecks, requestsAtEnd } = plan.effort
  limitRequests(plan, (isFirstReading) => {
    const arePending = runner.hasPendingRechecks()
    const needsRechecks = isFirstReading && (arePending || plan.session.counts.retries > 0)
    return maxRequests - (needsRechecks ? requestsForRechecks : 0) - (arePending ? requestsAtEnd : 0)
  })
}

/** Returns the conclusion of the run, and that of each class (v2, v3, parity). */
export function conclusionsOf<T>(
  verdicts: readonly Verdict[],
  plan: Pick<RunPlan<T>, 'checks' | 'classes' | 'selects'>,
): Pick<RunResult, 'conclusion' | 'classes'> {
  const [conclusion, classes] = [concludeRun(verdicts), concludeByVersionAndParity(verdicts, plan)]
  if (plan.checks.every(({ id }) => plan.selects(id))) return { conclusion, classes }
  const inPart = Object.entries(classes).map(([name, one]) => [name, concludePartialRun(one)])
  return { conclusion: concludePartialRun(conclusion), classes: Object.fromEntries(inPart) }
}

/** Runs all phases of a run, in order. */
async function judgeAndObserve<T>(
  plan: RunPlan<T>,
  cite: ExchangeCiter,
): Promise<Pick<RunResult, 'verdicts' | 'observations'>> {
  const runner = new CheckRunner(plan, cite)
  keepRequestsForRechecks(plan, runner)
  const runs = runsOf(plan)
  const atAnyTime = runs.filter(({ check }) => check.when === 'any time')
  const last = runs.filter(({ check }) => check.when === 'last')
  let done = 0
  const runNext = async (one: CheckRun<T>) => {
    const isViolated = await runner.run(one)
    plan.onVerdict?.(++done, runs.length, { ...one, isViolated })
  }
  await runner.runInTurn(runs, 'probesAtStart')
  await runner.runInTurn([...atAnyTime, ...last], 'probesFirst')
  await runner.runInTurn(runs, 'earlyExperiments')
  await Promise.all([...runs.map((one) => runner.runEarly(one, 'probesMeanwhile')), ...atAnyTime.map(runNext)])
  const observations = await observeOpenPoints(plan, cite)
  // Checks whose requests may use something up continue before the checks that only read repeatedly.
  for (const one of last.toSorted((a, b) => Number(hasExperiments(b)) - Number(hasExperiments(a)))) await runNext(one)
  return { verdicts: groupByRootCause(await settleAtEnd(plan, runner, runs, cite)), observations }
}

const hasExperiments = ({ check }: CheckRun<never>): boolean => check.earlyExperiments.length > 0

/** Settles the violations that could not be decided while the data was changing, and returns all verdicts. */
async function settleAtEnd<T>(
  plan: RunPlan<T>,
  runner: CheckRunner<T>,
  runs: readonly CheckRun<T>[],
  cite: ExchangeCiter,
): Promise<readonly Verdict[]> {
  limitRequests(plan, () => plan.effort.maxRequests)
  const repeated = await repeatChecksAfterChange(plan, cite)
  await Promise.all([runner.settleRechecks(), repeated?.settle()])
  const verdicts = await Promise.all(runs.map(runner.finalVerdictOf))
  return repeated ? repeated.verdictsAfter(verdicts) : verdicts
}

const runsOf = <T>({ checks, selects }: RunPlan<T>): CheckRun<T>[] =>
  checks
    .filter(({ id }) => selects(id))
    .flatMap((check) => check.scopes.map((scope): CheckRun<T> => ({ check, scope })))

/** Returns one sentence for each check that tested nothing, with the reason. */
export function describeUntestedChecks(verdicts: readonly Verdict[]): string[] {
  const left = verdicts.filter(
    ({ status }) => status === 'inconclusive' || status === 'not-applicable' || status === 'error',
  )
  return left.map(
    ({ check, version, status, reason }) => `${check.id} (${version}): ${reason?.split('\n', 1)[0] ?? status}`,
  )
}

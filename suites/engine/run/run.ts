import { setMaxListeners } from 'node:events'
import type { Check } from '../check/check.ts'
import { createCachingReader } from '../check/readers.ts'
import type { RunResult, Verdict } from '../check/verdict.ts'
import { type ExchangeSummary, summariseExchange } from '../http/client/exchange.ts'
import type { RequestLimit } from '../http/client/request-budget.ts'
import { Inconclusive } from '../inconclusive.ts'
import { concludeByVersionAndParity, concludePartialRun, concludeRun } from './conclusion.ts'
import { startEndOfRunRetest } from './end-of-run-retest.ts'
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

function limitRequests<T>({ session, effort: { name, maxRequests } }: RunPlan<T>, most: RequestLimit['most']): void {
  const text = `the limit of ${maxRequests} requests with ${name} effort was reached (--effort)`
  session.limitRequests({ most, reason: new Inconclusive('budget', text, { remedy: 'use standard effort' }) })
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

/**
 * Runs the `probesFirst` of all checks, then all checks concurrently except those that must run alone. Then observes
 * open points, and at last runs the remaining checks one after the other.
 */
async function judgeAndObserve<T>(
  plan: RunPlan<T>,
  cite: ExchangeCiter,
): Promise<Pick<RunResult, 'verdicts' | 'observations'>> {
  const readings = createCachingReader(plan.session.sendOnce, plan.kept)
  const target = plan.createTarget(readings)
  const runner = new CheckRunner(plan, target, readings, cite)
  keepRequestsForRechecks(plan, runner)
  const runs = runsOf(plan)
  let done = 0
  const runNext = async (one: CheckRun<T>) => {
    const isViolated = await runner.run(one)
    plan.onVerdict?.(++done, runs.length, { ...one, isViolated })
  }
  const runsWhen = (when: Check<T>['when']) => runs.filter(({ check }) => check.when === when)
  const [atAnyTime, last] = [runsWhen('any time'), runsWhen('last')]
  const trying = (some: readonly CheckRun<T>[]) => some.filter(({ check }) => check.probesFirst.length > 0)
  for (const one of runs) await runner.runEarly(one, one.check.probesAtStart)
  // Probes that test the first requests of the run precede the experiments on side effects, which send many.
  for (const one of trying(atAnyTime)) await runner.runEarly(one, one.check.probesFirst)
  // Probes whose requests may use something up, e.g. a counter, run before the probes that read everything.
  for (const one of trying(last)) await runner.runEarly(one, one.check.probesFirst.slice(0, -1))
  for (const one of trying(last)) await runner.runEarly(one, one.check.probesFirst.slice(-1))
  const probesMeanwhile = runs.map((one) => runner.runEarly(one, one.check.probesMeanwhile))
  await Promise.all([...probesMeanwhile, ...atAnyTime.map(runNext)])
  const observations = await observeOpenPoints(plan, target, readings, cite)
  // Checks whose requests may use something up continue before the checks that only read repeatedly.
  for (const one of [...trying(last), ...last.filter((one) => !trying(last).includes(one))]) await runNext(one)
  limitRequests(plan, () => plan.effort.maxRequests)
  const retest = await startEndOfRunRetest(plan, { target, readings }, cite)
  await Promise.all([runner.settleRechecks(), retest?.settle()])
  const first = await Promise.all(runs.map((one) => runner.verdictOf(one)))
  const verdicts = retest ? await retest.verdictsAfter(first) : first
  return { verdicts: groupByRootCause(verdicts), observations }
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

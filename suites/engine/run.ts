import { conclude, concludeByClass } from './conclude.ts'
import { createCourt } from './court.ts'
import { observeAll } from './observe.ts'
import { type Case, type Plan, scopesOf } from './plan.ts'
import { createMemoryReader } from './reading.ts'
import { type Exchange, summarise } from './session.ts'
import type { ExchangeSummary, RunResult, Verdict } from './verdict.ts'

/**
 * Runs checks against one deployment: all at once, each after those it requires.
 * @returns a verdict for every check and scope selected; never rejects for what the deployment does
 */
export async function run<C>(plan: Plan<C>): Promise<RunResult> {
  const startedAt = new Date()
  const began = performance.now()
  const memory = createMemoryReader(plan.session.recall)
  const cited = new Map<number, ExchangeSummary>()
  const cite = (exchanges: readonly Exchange[]) =>
    exchanges.map((exchange) => (cited.set(exchange.id, summarise(exchange)), exchange.id))
  const judgeCase = createCourt(plan, memory, cite)
  const cases = plan.checks
    .filter(({ id }) => plan.selects(id))
    .flatMap((check) => scopesOf(check.versions).map((scope): Case<C> => ({ check, scope })))
  let done = 0
  const judgeAndTell = async (one: Case<C>) => {
    const verdict = await judgeCase(one)
    plan.onVerdict?.(++done, cases.length)
    return verdict
  }
  for (const one of cases.filter(({ check }) => check.before)) await judgeCase.begin(one)
  const early = await Promise.all(cases.filter(({ check }) => check.when === 'any time').map(judgeAndTell))
  const observations = await observeAll(plan, memory, cite)
  const late: Verdict[] = []
  for (const one of cases.filter(({ check }) => check.when === 'last')) late.push(await judgeAndTell(one))
  const order = new Map(plan.checks.map(({ id }, index) => [id, index]))
  const verdicts = [...early, ...late].sort((a, b) => (order.get(a.check.id) ?? 0) - (order.get(b.check.id) ?? 0))
  return {
    verdicts,
    observations,
    exchanges: cited,
    startedAt,
    durationMs: performance.now() - began,
    conclusion: conclude(verdicts),
    classes: concludeByClass(verdicts, plan.ofAll),
    requests: plan.session.counts.requests,
    retries: plan.session.counts.retries,
    seed: plan.seed,
    effort: plan.effort.name,
    notExercised: notExercised(verdicts),
  }
}

function notExercised(verdicts: readonly Verdict[]): string[] {
  const left = verdicts.filter(
    ({ status }) => status === 'inconclusive' || status === 'not-applicable' || status === 'error',
  )
  return left.map(
    ({ check, version, status, reason }) => `${check.id} (${version}): ${reason?.split('\n', 1)[0] ?? status}`,
  )
}

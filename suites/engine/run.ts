import { conclude, concludeByClass } from './conclude.ts'
import { Court } from './court.ts'
import { observeAll } from './observe.ts'
import { type Case, type Cite, type Plan, scopesOf } from './plan.ts'
import { createMemoryReader } from './reading.ts'
import { summarise } from './session.ts'
import type { ExchangeSummary, RunResult, Verdict } from './verdict.ts'

/**
 * Runs checks against one deployment: all at once, each after those it requires.
 * @returns a verdict for every check and scope selected; never rejects for what the deployment does
 */
export async function run<C>(plan: Plan<C>): Promise<RunResult> {
  const startedAt = new Date()
  const began = performance.now()
  const cited = new Map<number, ExchangeSummary>()
  const { verdicts, observations } = await judgeAndObserve(plan, (exchanges) =>
    exchanges.map((exchange) => (cited.set(exchange.id, summarise(exchange)), exchange.id)),
  )
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
    notExercised: [...notExercised(verdicts), ...plan.session.met.retried],
  }
}

/** What must be asked early before all others, and what must be asked alone after them. */
async function judgeAndObserve<C>(plan: Plan<C>, cite: Cite): Promise<Pick<RunResult, 'verdicts' | 'observations'>> {
  const memory = createMemoryReader(plan.session.recall)
  const court = new Court(plan, memory, cite)
  const cases = casesOf(plan)
  let done = 0
  const judge = async (one: Case<C>) => {
    const verdict = await court.judge(one)
    plan.onVerdict?.(++done, cases.length)
    return verdict
  }
  for (const one of cases.filter(({ check }) => check.before)) await court.begin(one)
  const early = await Promise.all(cases.filter(({ check }) => check.when === 'any time').map(judge))
  const observations = await observeAll(plan, memory, cite)
  const late: Verdict[] = []
  for (const one of cases.filter(({ check }) => check.when === 'last')) late.push(await judge(one))
  return { verdicts: inOrder(plan, [...early, ...late]), observations }
}

const casesOf = <C>({ checks, selects }: Plan<C>): Case<C>[] =>
  checks
    .filter(({ id }) => selects(id))
    .flatMap((check) => scopesOf(check.versions).map((scope): Case<C> => ({ check, scope })))

function inOrder<C>({ checks }: Plan<C>, verdicts: readonly Verdict[]): Verdict[] {
  const order = new Map(checks.map(({ id }, index) => [id, index]))
  return verdicts.toSorted((a, b) => (order.get(a.check.id) ?? 0) - (order.get(b.check.id) ?? 0))
}

function notExercised(verdicts: readonly Verdict[]): string[] {
  const left = verdicts.filter(
    ({ status }) => status === 'inconclusive' || status === 'not-applicable' || status === 'error',
  )
  return left.map(
    ({ check, version, status, reason }) => `${check.id} (${version}): ${reason?.split('\n', 1)[0] ?? status}`,
  )
}

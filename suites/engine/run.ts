import type { Check } from './check.ts'
import { conclude, concludeByClass } from './conclude.ts'
import { createMemoryReader, type Reader, type Subject } from './reading.ts'
import { type Exchange, type Session, summarise } from './session.ts'
import { Inconclusive, NotApplicable, Violation } from './throwables.ts'
import { type Effort, type Outcome, startTrial } from './trial.ts'
import type { CheckFacts, ExchangeSummary, Finding, Observation, RunResult, Scope, Verdict } from './verdict.ts'

/** Looks at what a deployment chose where the document is silent. Never judges. */
export interface Observer<C> {
  readonly id: string
  readonly versions: Check<C>['versions']
  readonly operation?: string | undefined
  /** @returns what was seen, or undefined when nothing was there to see */
  observe(
    context: C,
    memory: Reader,
  ): Promise<{ readonly value: string; readonly shownBy: readonly Subject<unknown>[] } | undefined>
}

export interface Plan<C> {
  readonly checks: readonly Check<C>[]
  readonly observers: readonly Observer<C>[]
  /** The prefixes to judge. */
  readonly versions: readonly ('v2' | 'v3')[]
  /** Which checks to report; their prerequisites are run too. */
  readonly selects: (id: string) => boolean
  /** With `false`, a violation is a finding even where another check's violation would explain it: for replays. */
  readonly explains: boolean
  readonly session: Session
  contextOf(scope: Scope, memory: Reader): C
  readonly effort: { readonly name: RunResult['effort'] } & Effort
  readonly seed: number
  readonly path: string | undefined
  /** Ids of checks about the deployment as a whole. */
  readonly ofAll: ReadonlySet<string>
  onVerdict?(done: number, total: number): void
}

export const scopesOf = (versions: Check<never>['versions']): readonly Scope[] =>
  versions === 'each' ? ['v2', 'v3'] : versions === 'both' ? ['v2+v3'] : [versions]

const versionsIn = (scope: Scope): readonly ('v2' | 'v3')[] => (scope === 'v2+v3' ? ['v2', 'v3'] : [scope])

interface Case<C> {
  readonly check: Check<C>
  readonly scope: Scope
}

const facts = ({ id, title, statements, level, operation }: CheckFacts): CheckFacts => ({
  id,
  title,
  statements,
  level,
  operation,
})

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

/** Where cases become verdicts, each once: the only place that catches what a check throws. */
function createCourt<C>(plan: Plan<C>, memory: Reader, cite: (exchanges: readonly Exchange[]) => number[]) {
  const known = new Map<string, Promise<Verdict>>()
  const begun = new Map<string, ReturnType<typeof startTrial<C>>>()
  const byId = new Map(plan.checks.map((check) => [check.id, check]))

  /** The verdicts of a check that bear on a scope. */
  async function verdictsOn(id: string, scope: Scope): Promise<Verdict[]> {
    const check = byId.get(id)
    if (!check) throw new Error(`the catalogue has no check ${id}`)
    const bearing = scopesOf(check.versions).filter(
      (other) =>
        other === scope || other === 'v2+v3' || (scope === 'v2+v3' && versionsIn(scope).includes(other as 'v2')),
    )
    return Promise.all(bearing.map((other) => judgeCase({ check, scope: other })))
  }

  async function firstNotPassed(ids: readonly string[], scope: Scope, isOne: (verdict: Verdict) => boolean) {
    const verdicts = (await Promise.all(ids.map((id) => verdictsOn(id, scope)))).flat()
    return verdicts.find(isOne)
  }

  function trialOf({ check, scope }: Case<C>) {
    const key = `${check.id} ${scope}`
    const { session, effort, seed, path } = plan
    const started =
      begun.get(key) ?? startTrial({ context: plan.contextOf(scope, memory), memory, session, effort, seed, path })
    begun.set(key, started)
    return started
  }

  /** What keeps a check from being asked early keeps it from being asked at all: its prerequisites will say so. */
  async function begin(one: Case<C>) {
    if (!versionsIn(one.scope).every((version) => plan.versions.includes(version))) return
    await one.check.before?.(trialOf(one).trial).catch((error: unknown) => {
      if (!(error instanceof Inconclusive || error instanceof NotApplicable)) throw error
    })
  }

  async function judge({ check, scope }: Case<C>): Promise<Verdict> {
    const said = { check: facts(check), version: scope }
    let outcome: Outcome = { asked: 0 }
    try {
      const left = versionsIn(scope).filter((version) => !plan.versions.includes(version))
      if (left.length > 0 && !(plan.ofAll.has(check.id) && left.length < 2))
        throw new NotApplicable(`${left.join(' and ')} was not to be judged (--versions)`)
      const missing = await firstNotPassed(
        check.requires,
        scope,
        ({ status }) => status !== 'pass' && status !== 'warn' && status !== 'not-applicable',
      )
      if (missing) throw prerequisite(missing)
      const started = trialOf({ check, scope })
      outcome = started.outcome
      await check.run(started.trial)
      return await verdictOf(check, scope, outcome)
    } catch (error) {
      const asked = {
        asked: outcome.asked,
        ...(outcome.sampledFrom !== undefined && { sampledFrom: outcome.sampledFrom }),
      }
      if (error instanceof NotApplicable) return { ...said, ...asked, status: 'not-applicable', reason: error.message }
      if (error instanceof Inconclusive)
        return { ...said, ...asked, status: 'inconclusive', reason: `${error.kind}: ${error.message}` }
      return {
        ...said,
        ...asked,
        status: 'error',
        reason: `a defect of this suite: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      }
    }
  }

  async function verdictOf(check: Check<C>, scope: Scope, outcome: Outcome): Promise<Verdict> {
    const { asked, confirmed, undecided, sampledFrom } = outcome
    const said = { check: facts(check), version: scope, asked, ...(sampledFrom !== undefined && { sampledFrom }) }
    if (confirmed) {
      const cause = plan.explains
        ? await firstNotPassed(check.explainedBy, scope, ({ status }) => status === 'fail')
        : undefined
      if (cause)
        return {
          ...said,
          status: 'inconclusive',
          reason: `${prerequisite(cause).message}, which explains what was seen here`,
        }
      const { contradiction } = confirmed.violation
      const finding: Finding = {
        expected: contradiction.expected,
        actual:
          contradiction.actual +
          (confirmed.others > 0 ? ` (and so for ${confirmed.others} more of ${asked} asked)` : ''),
        exchanges: cite(confirmed.exchanges),
        ...(confirmed.counterexample !== undefined && { counterexample: confirmed.counterexample }),
        ...(confirmed.path !== undefined && { path: confirmed.path }),
      }
      return { ...said, status: check.level === 'should' ? 'warn' : 'fail', reason: finding.actual, finding }
    }
    if (undecided) {
      const { kind, message, contradiction } = undecided.reason
      const finding = contradiction && {
        expected: contradiction.expected,
        actual: contradiction.actual,
        exchanges: cite(undecided.exchanges),
      }
      return { ...said, status: 'inconclusive', reason: `${kind}: ${message}`, ...(finding && { finding }) }
    }
    if (asked === 0)
      return { ...said, status: 'inconclusive', reason: 'nothing to ask: there was no input to try this with' }
    return { ...said, status: 'pass' }
  }

  function judgeCase(one: Case<C>): Promise<Verdict> {
    const key = `${one.check.id} ${one.scope}`
    const verdict = known.get(key) ?? judge(one)
    known.set(key, verdict)
    return verdict
  }
  return Object.assign(judgeCase, { begin })
}

/** Names the first link of a chain of prerequisites: what keeps ten checks from being asked is told once. */
function prerequisite({ check, version, status, reason }: Verdict): Inconclusive {
  const root = reason?.startsWith(PREREQUISITE) ? reason.slice(PREREQUISITE.length) : undefined
  return new Inconclusive(
    'prerequisite',
    root ?? `${check.id} (${version}) ${status === 'fail' ? 'failed' : `is ${status}`}`,
  )
}

const PREREQUISITE = 'prerequisite: '

async function observeAll<C>(
  plan: Plan<C>,
  memory: Reader,
  cite: (exchanges: readonly Exchange[]) => number[],
): Promise<Observation[]> {
  const cases = plan.observers.flatMap((observer) => scopesOf(observer.versions).map((scope) => ({ observer, scope })))
  const seen = await Promise.all(
    cases
      .filter(({ scope }) => versionsIn(scope).every((version) => plan.versions.includes(version)))
      .map(async ({ observer, scope }) => {
        try {
          const value = await observer.observe(plan.contextOf(scope, memory), memory)
          if (!value) return []
          const evidence = cite(value.shownBy.flatMap((subject) => memory.evidence(subject)).slice(0, 3))
          return [
            {
              id: observer.id,
              version: scope,
              ...(observer.operation && { operation: observer.operation }),
              value: value.value,
              evidence,
            },
          ]
        } catch (error) {
          if (error instanceof Inconclusive || error instanceof NotApplicable || error instanceof Violation) return []
          throw error
        }
      }),
  )
  return seen.flat()
}

function notExercised(verdicts: readonly Verdict[]): string[] {
  const left = verdicts.filter(
    ({ status }) => status === 'inconclusive' || status === 'not-applicable' || status === 'error',
  )
  return left.map(
    ({ check, version, status, reason }) => `${check.id} (${version}): ${reason?.split('\n', 1)[0] ?? status}`,
  )
}

import type { Check } from './check.ts'
import { type Case, type Cite, type Plan, scopesOf, versionsIn } from './plan.ts'
import type { Reader } from './reading.ts'
import { Inconclusive, NotApplicable } from './throwables.ts'
import { type Confirmed, type Outcome, startTrial } from './trial.ts'
import type { CheckFacts, Finding, Scope, Status, Verdict } from './verdict.ts'

const ALLOWS: ReadonlySet<Status> = new Set(['pass', 'warn', 'not-applicable'])

type Said = Pick<Verdict, 'check' | 'version' | 'asked' | 'sampledFrom'>

const saidOf = (
  { id, title, statements, level, operation }: CheckFacts,
  version: Scope,
  { asked, sampledFrom }: Outcome,
): Said => ({
  check: { id, title, statements, level, operation },
  version,
  asked,
  ...(sampledFrom !== undefined && { sampledFrom }),
})

/** The three things that a check may throw, told apart: a reason for no verdict, no concern, and a defect of the suite. */
function thrown(error: unknown): Pick<Verdict, 'status'> & { reason: string } {
  if (error instanceof NotApplicable) return { status: 'not-applicable', reason: error.message }
  if (error instanceof Inconclusive) return { status: 'inconclusive', reason: `${error.kind}: ${error.message}` }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { status: 'error', reason: `a defect of this suite: ${told}` }
}

function findingOf(
  { violation, exchanges, others, counterexample, path }: Confirmed,
  asked: number,
  cite: Cite,
): Finding {
  const { expected, actual } = violation.contradiction
  return {
    expected,
    actual: actual + (others > 0 ? ` (and so for ${others} more of ${asked} asked)` : ''),
    exchanges: cite(exchanges),
    ...(counterexample !== undefined && { counterexample }),
    ...(path !== undefined && { path }),
  }
}

function undecidedOrPassed(said: Said, { asked, undecided }: Outcome, cite: Cite): Verdict {
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

/** Where cases become verdicts, each once: the only place that catches what a check throws. */
export function createCourt<C>(plan: Plan<C>, memory: Reader, cite: Cite) {
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
    let outcome: Outcome = { asked: 0 }
    try {
      const left = versionsIn(scope).filter((version) => !plan.versions.includes(version))
      if (left.length > 0 && !(plan.ofAll.has(check.id) && left.length < 2))
        throw new NotApplicable(`${left.join(' and ')} was not to be judged (--versions)`)
      const missing = await firstNotPassed(check.requires, scope, ({ status }) => !ALLOWS.has(status))
      if (missing) throw prerequisite(missing)
      const started = trialOf({ check, scope })
      outcome = started.outcome
      await check.run(started.trial)
      return await verdictOf(check, scope, outcome)
    } catch (error) {
      // What was found before the asking came to an end is found.
      if (outcome.confirmed && error instanceof Inconclusive) return verdictOf(check, scope, outcome)
      return { ...saidOf(check, scope, outcome), ...thrown(error) }
    }
  }

  async function verdictOf(check: Check<C>, scope: Scope, outcome: Outcome): Promise<Verdict> {
    const said = saidOf(check, scope, outcome)
    if (!outcome.confirmed) return undecidedOrPassed(said, outcome, cite)
    const cause = plan.explains
      ? await firstNotPassed(check.explainedBy, scope, ({ status }) => status === 'fail')
      : undefined
    if (cause)
      return {
        ...said,
        status: 'inconclusive',
        reason: `${prerequisite(cause).message}, which explains what was seen here`,
      }
    const finding = findingOf(outcome.confirmed, outcome.asked, cite)
    return { ...said, status: check.level === 'should' ? 'warn' : 'fail', reason: finding.actual, finding }
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

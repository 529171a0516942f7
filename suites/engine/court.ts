import type { Check } from './check.ts'
import { type Case, type Cite, type Plan, scopesOf, versionsIn } from './plan.ts'
import type { Reader } from './reading.ts'
import {
  prerequisite,
  ruleExplained,
  ruleOnConfirmed,
  ruleOnThrown,
  ruleUnbroken,
  ruleUndecided,
  saidOf,
} from './ruling.ts'
import { Inconclusive, NotApplicable } from './throwables.ts'
import { type Outcome, startTrial } from './trial.ts'
import type { Scope, Status, Verdict } from './verdict.ts'

const ALLOWS: ReadonlySet<Status> = new Set(['pass', 'warn', 'not-applicable'])

const keyOf = ({ check, scope }: Case<never>): string => `${check.id} ${scope}`

/** Whether verdicts of the other scope say something about this one. */
const bearsOn = (scope: Scope, other: Scope): boolean => other === scope || other === 'v2+v3' || scope === 'v2+v3'

/** Where cases become verdicts, each once: the only place that catches what a check throws. */
export class Court<C> {
  private readonly plan: Plan<C>
  private readonly memory: Reader
  private readonly cite: Cite
  private readonly byId: ReadonlyMap<string, Check<C>>
  private readonly known = new Map<string, Promise<Verdict>>()
  private readonly begun = new Map<string, ReturnType<typeof startTrial<C>>>()

  constructor(plan: Plan<C>, memory: Reader, cite: Cite) {
    this.plan = plan
    this.memory = memory
    this.cite = cite
    this.byId = new Map(plan.checks.map((check) => [check.id, check]))
  }

  /** What keeps a check from being asked early keeps it from being asked at all: its prerequisites will say so. */
  async begin(one: Case<C>): Promise<void> {
    if (this.leftOut(one.scope).length > 0) return
    await one.check.before?.(this.trialOf(one).trial).catch((error: unknown) => {
      if (!(error instanceof Inconclusive || error instanceof NotApplicable)) throw error
    })
  }

  judge(one: Case<C>): Promise<Verdict> {
    const key = keyOf(one)
    const verdict = this.known.get(key) ?? this.judgeNow(one)
    this.known.set(key, verdict)
    return verdict
  }

  private async judgeNow(one: Case<C>): Promise<Verdict> {
    const { check, scope } = one
    let outcome: Outcome = { asked: 0 }
    try {
      this.refuseUnlessWanted(one)
      const missing = await this.firstOf(check.requires, scope, ({ status }) => !ALLOWS.has(status))
      if (missing) throw prerequisite(missing)
      const started = this.trialOf(one)
      outcome = started.outcome
      await check.run(started.trial)
      return await this.verdictOf(one, outcome)
    } catch (error) {
      // What was found before the asking came to an end is found.
      if (outcome.confirmed && error instanceof Inconclusive) return this.verdictOf(one, outcome)
      return ruleOnThrown(saidOf(check, scope, outcome), error)
    }
  }

  private async verdictOf({ check, scope }: Case<C>, outcome: Outcome): Promise<Verdict> {
    const said = saidOf(check, scope, outcome)
    if (outcome.confirmed) {
      const isCause = ({ status }: Verdict) => status === 'fail'
      const cause = this.plan.explains ? await this.firstOf(check.explainedBy, scope, isCause) : undefined
      return cause ? ruleExplained(said, cause) : ruleOnConfirmed(said, outcome.confirmed, this.cite)
    }
    return outcome.undecided ? ruleUndecided(said, outcome.undecided, this.cite) : ruleUnbroken(said)
  }

  /** A check of the deployment as a whole is tried where only one version is judged, too. */
  private refuseUnlessWanted({ check, scope }: Case<C>): void {
    const left = this.leftOut(scope)
    if (left.length > 0 && !(this.plan.ofAll.has(check.id) && left.length < 2))
      throw new NotApplicable(`${left.join(' and ')} was not to be judged (--versions)`)
  }

  private leftOut(scope: Scope): readonly string[] {
    return versionsIn(scope).filter((version) => !this.plan.versions.includes(version))
  }

  private trialOf(one: Case<C>) {
    const { plan, memory } = this
    const { session, effort, seed, path } = plan
    const key = keyOf(one)
    const started =
      this.begun.get(key) ??
      startTrial({ context: plan.contextOf(one.scope, memory), memory, session, effort, seed, path })
    this.begun.set(key, started)
    return started
  }

  private async firstOf(
    ids: readonly string[],
    scope: Scope,
    isOne: (verdict: Verdict) => boolean,
  ): Promise<Verdict | undefined> {
    const verdicts = (await Promise.all(ids.map((id) => this.verdictsOn(id, scope)))).flat()
    return verdicts.find(isOne)
  }

  /** The verdicts of a check that bear on a scope. */
  private async verdictsOn(id: string, scope: Scope): Promise<Verdict[]> {
    const check = this.byId.get(id)
    if (!check) throw new Error(`the catalogue has no check ${id}`)
    const bearing = scopesOf(check.versions).filter((other) => bearsOn(scope, other))
    return Promise.all(bearing.map((other) => this.judge({ check, scope: other })))
  }
}

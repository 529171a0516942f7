import type { Check } from '../check/check.ts'
import type { LookForMotion } from '../check/drift.ts'
import type { Reader } from '../check/readers.ts'
import type { Scope, Status, Verdict } from '../check/verdict.ts'
import { NotApplicable } from '../check/violations.ts'
import {
  type Broken,
  blameOf,
  type CheckRecord,
  explains,
  type Spoilt,
  spoiltBy,
  without,
} from '../finding/check-record.ts'
import { SecondLooks } from '../finding/end-of-run-rechecks.ts'
import { Inconclusive } from '../inconclusive.ts'
import {
  explainedVerdict,
  prerequisite,
  unbrokenVerdict,
  undecidedVerdict,
  verdictBase,
  verdictOnConfirmed,
  verdictOnThrown,
} from './build-verdicts.ts'
import { startCheckRun } from './check-run.ts'
import { bearsOn, type CheckRun, type Cite, type Plan, versionsIn } from './plan.ts'

const ALLOWS: ReadonlySet<Status> = new Set(['pass', 'warn', 'not-applicable'])

/** A check that failed for some inputs only permits its dependents to continue with the others. */
const allows = ({ status, spoilt }: Verdict): boolean =>
  ALLOWS.has(status) || (status === 'fail' && spoilt !== undefined)

const NOTHING_SPOILT: Spoilt = { inputs: new Set(), by: [] }

const keyOf = ({ check, scope }: CheckRun<never>): string => `${check.id} ${scope}`

/** Runs each check once, after its prerequisites. The only place that catches errors of checks. */
export class Runner<T> {
  private readonly plan: Plan<T>
  private readonly target: T
  private readonly readings: Reader
  private readonly cite: Cite
  private readonly byId: ReadonlyMap<string, Check<T>>
  private readonly lookForMotion: LookForMotion
  private readonly secondLooks: SecondLooks
  private readonly started = new Map<string, ReturnType<typeof startCheckRun<T>>>()
  private readonly ended = new Map<string, Promise<Ended>>()
  private readonly verdicts = new Map<string, Promise<Verdict>>()
  private readonly spoilt = new Map<string, Spoilt>()

  constructor(plan: Plan<T>, target: T, readings: Reader, cite: Cite) {
    this.plan = plan
    this.target = target
    this.readings = readings
    this.cite = cite
    this.byId = new Map(plan.checks.map((check) => [check.id, check]))
    this.lookForMotion = plan.motionOf(target)
    this.secondLooks = new SecondLooks(plan.signal)
  }

  /** A check that cannot run early cannot run later either: its prerequisites report the reason. */
  async runEarly(run: CheckRun<T>, tries: Check<T>['tries']): Promise<void> {
    if (tries.length === 0 || this.leftOut(run.scope).length > 0) return
    const { context } = this.startOf(run)
    try {
      for (const one of tries) await one(context)
    } catch (error) {
      if (!(error instanceof Inconclusive || error instanceof NotApplicable)) throw error
    }
  }

  /**
   * Runs the probes of a check after its prerequisites.
   * @returns whether a violation was confirmed
   */
  async run(run: CheckRun<T>): Promise<boolean> {
    return (await this.endOf(run)).record.confirmed !== undefined
  }

  /** Rechecks the violations of a changing deployment; call it after all checks have run. */
  settle(): Promise<void> {
    const { session } = this.plan
    return this.secondLooks.settle({ session, lookForMotion: this.lookForMotion })
  }

  /** The final verdict of a check. */
  verdictOf(run: CheckRun<T>): Promise<Verdict> {
    const key = keyOf(run)
    const verdict = this.verdicts.get(key) ?? this.decide(run)
    this.verdicts.set(key, verdict)
    return verdict
  }

  private endOf(run: CheckRun<T>): Promise<Ended> {
    const key = keyOf(run)
    const end = this.ended.get(key) ?? this.runNow(run)
    this.ended.set(key, end)
    return end
  }

  private async runNow(run: CheckRun<T>): Promise<Ended> {
    const { check, scope } = run
    let record: CheckRecord = { asked: 0 }
    try {
      this.refuseUnlessWanted(run)
      const required = await Promise.all(this.runsOn(check.requires, scope).map((one) => this.provisionalVerdict(one)))
      const missing = required.find((one) => !allows(one))
      if (missing) throw prerequisite(missing)
      this.spoilt.set(keyOf(run), spoiltAmong(required))
      const started = this.startOf(run)
      record = started.record
      // The first violation may be explained by another check while the next one is not, so all probes run.
      const isLast = () => check.explainedBy.length === 0 && started.context.isBroken()
      for (const one of check.tries) if (!isLast()) await one(started.context)
      await check.account?.(started.context)
      return { record }
    } catch (error) {
      return { record, thrown: error }
    }
  }

  /** The verdict so far; pending rechecks count as passed. */
  private async provisionalVerdict(run: CheckRun<T>): Promise<Verdict> {
    return this.verdictOn(run, await this.endOf(run), () => [])
  }

  private async decide(run: CheckRun<T>): Promise<Verdict> {
    const { check, scope } = run
    const end = await this.endOf(run)
    const missing =
      end.thrown instanceof NotApplicable
        ? undefined
        : await this.firstOf(check.requires, scope, (verdict) => !allows(verdict))
    if (missing) return verdictOnThrown(verdictBase(check, scope, { asked: 0 }), prerequisite(missing))
    const { confirmed } = end.record
    if (!this.plan.explains || !confirmed) return this.verdictOn(run, end, this.cite)
    const causes = await this.verdictsOn(check.explainedBy, scope)
    const causeOf = (broken: Broken) => causes.find(({ blame }) => blame && explains(blame, broken))
    const left = without(confirmed, (broken) => causeOf(broken) !== undefined)
    if (left) return this.verdictOn(run, { ...end, record: { ...end.record, confirmed: left } }, this.cite)
    const cause = causeOf(confirmed)
    const explained = cause && explainedVerdict(verdictBase(check, scope, end.record), cause)
    // An explained violation still explains others by its own traits, but not by its cause.
    return explained
      ? { ...explained, blame: { ...blameOf(confirmed), causes: [] } }
      : this.verdictOn(run, end, this.cite)
  }

  private verdictOn(run: CheckRun<T>, end: Ended, cite: Cite): Verdict {
    const inherited = this.spoilt.get(keyOf(run)) ?? NOTHING_SPOILT
    const verdict = verdictOn(run, end, inherited, cite)
    const { confirmed } = end.record
    if (verdict.status !== 'fail' || !confirmed)
      return inherited.inputs.size > 0 ? { ...verdict, spoilt: together(inherited, [], []) } : verdict
    const own = spoiltBy(confirmed)
    const by = [`${run.check.id} (${run.scope})`]
    return {
      ...verdict,
      blame: blameOf(confirmed),
      ...(own.length > 0 && { spoilt: together(inherited, own, by) }),
    }
  }

  private refuseUnlessWanted({ check, scope }: CheckRun<T>): void {
    const left = this.leftOut(scope)
    if (left.length > 0 && !(check.isOfWhole && left.length < versionsIn(scope).length))
      throw new NotApplicable(`${left.join(' and ')} was not to be judged (--versions)`)
  }

  private leftOut(scope: Scope): readonly string[] {
    return versionsIn(scope).filter((version) => !this.plan.versions.includes(version))
  }

  private startOf(run: CheckRun<T>) {
    const { target, readings, secondLooks, lookForMotion } = this
    const { session, effort, seed, selects, signal } = this.plan
    const { check, scope } = run
    const key = keyOf(run)
    const known = this.started.get(key)
    if (known) return known
    const path = selects(check.id) ? this.plan.path : undefined
    const spoilt = () => this.spoilt.get(key) ?? NOTHING_SPOILT
    const asking = { target, scope, readings, session, lookForMotion, secondLooks }
    const options = { ...asking, effort, seed, path, spoilt, signal, isAdvice: check.level === 'should' }
    const started = startCheckRun(options)
    this.started.set(key, started)
    return started
  }

  private async firstOf(
    ids: readonly string[],
    scope: Scope,
    isOne: (verdict: Verdict) => boolean,
  ): Promise<Verdict | undefined> {
    return (await this.verdictsOn(ids, scope)).find(isOne)
  }

  private verdictsOn(ids: readonly string[], scope: Scope): Promise<Verdict[]> {
    return Promise.all(this.runsOn(ids, scope).map((run) => this.verdictOf(run)))
  }

  /** The runs of some checks in the scopes that share a version. */
  private runsOn(ids: readonly string[], scope: Scope): CheckRun<T>[] {
    return ids.flatMap((id) => {
      const check = this.byId.get(id)
      if (!check) throw new Error(`the catalogue has no check ${id}`)
      return check.scopes.filter((other) => bearsOn(scope, other)).map((other) => ({ check, scope: other }))
    })
  }
}

/** The record of a completed check, and the error that ended it. */
interface Ended {
  readonly record: CheckRecord
  readonly thrown?: unknown
}

const together = ({ inputs, by }: Spoilt, own: readonly string[], ownBy: readonly string[]) => ({
  inputs: [...inputs, ...own],
  by: [...new Set([...by, ...ownBy])],
})

function spoiltAmong(required: readonly Verdict[]): Spoilt {
  const spoiling = required.flatMap(({ spoilt }) => spoilt ?? [])
  return {
    inputs: new Set(spoiling.flatMap(({ inputs }) => inputs)),
    by: [...new Set(spoiling.flatMap(({ by }) => by))],
  }
}

function verdictOn({ check, scope }: CheckRun<never>, { record, thrown }: Ended, spoilt: Spoilt, cite: Cite): Verdict {
  const base = verdictBase(check, scope, record)
  // A violation that was confirmed before the check ended early still counts.
  if (thrown !== undefined && !(record.confirmed && thrown instanceof Inconclusive))
    return verdictOnThrown(base, thrown)
  if (record.confirmed) return verdictOnConfirmed(base, record.confirmed, cite)
  return record.undecided ? undecidedVerdict(base, record.undecided, cite) : unbrokenVerdict(base, record, spoilt)
}

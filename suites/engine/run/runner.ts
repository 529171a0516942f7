import type { Check } from '../check/check.ts'
import type { DriftDetection } from '../check/drift.ts'
import type { SkippedInputs, Status, Verdict, VerdictScope } from '../check/verdict.ts'
import { NotApplicable } from '../check/violations.ts'
import {
  type ConfirmedViolation,
  causeTraitsOf,
  explainsFailedInput,
  type FailedInput,
  failedInputsOf,
  removeExplainedInputs,
} from '../finding/check-record.ts'
import { EndOfRunRechecks } from '../finding/end-of-run-rechecks.ts'
import { findCharacterDiagnosis } from '../finding/input-diagnoses.ts'
import { Inconclusive } from '../inconclusive.ts'
import {
  type CheckCompletion,
  createBlockedVerdict,
  createPrerequisiteFailure,
  createVerdict,
  createVerdictBase,
  createVerdictFromError,
} from './build-verdicts.ts'
import { createCheckContext } from './check-run.ts'
import { type CheckRun, type ExchangeCiter, type RunPlan, sharesVersion, versionsOf } from './plan.ts'

const PASSING_STATUSES: ReadonlySet<Status> = new Set(['pass', 'warn', 'not-applicable'])

/**
 * Returns whether the checks that require this one can run. If it failed for some inputs only, they run with the other
 * inputs.
 */
const permitsDependents = ({ status, cause, failedInputs, hasNoData }: Verdict): boolean =>
  PASSING_STATUSES.has(status) ||
  hasNoData === true ||
  ((status === 'fail' || cause !== undefined) && failedInputs !== undefined)

/** Returns whether only some names of a list cannot be read, and the rest of the list can be used. */
const isPartialFailure = ({ causeTraits }: Verdict): boolean => (causeTraits?.unreadableNames?.size ?? 0) > 0

/** Returns the verdict at the end of the chain of causes. */
const rootOf = (verdict: Verdict): Verdict => (verdict.cause ? rootOf(verdict.cause) : verdict)

const keyOf = ({ check, scope }: CheckRun<never>): string => `${check.id} ${scope}`

/** Memoises a function of a check in one of its scopes. */
function memoiseByRun<T, R>(compute: (run: CheckRun<T>) => R): (run: CheckRun<T>) => R {
  const known = new Map<string, R>()
  return (run) => {
    const result = known.get(keyOf(run)) ?? compute(run)
    known.set(keyOf(run), result)
    return result
  }
}

/** The phases of a check other than that of its main probes. */
type EarlyPhase = 'probesAtStart' | 'probesFirst' | 'earlyExperiments' | 'probesMeanwhile'

/** Runs each check once, after the checks that it requires. Only this class catches errors of checks. */
export class CheckRunner<T> {
  private readonly plan: RunPlan<T>
  private readonly cite: ExchangeCiter
  private readonly byId: ReadonlyMap<string, Check<T>>
  private readonly detectDrift: DriftDetection
  private readonly endOfRunRechecks: EndOfRunRechecks
  private readonly start = memoiseByRun((run: CheckRun<T>) => this.createContext(run))
  private readonly complete = memoiseByRun((run: CheckRun<T>) => this.runMainProbes(run))
  /** Returns the verdict that the report shows: with regard to the verdicts of other checks, and after all rechecks. */
  readonly finalVerdictOf = memoiseByRun((run: CheckRun<T>) => this.decideFinalVerdict(run))
  private readonly skippedInputs = new Map<string, SkippedInputs>()

  constructor(plan: RunPlan<T>, cite: ExchangeCiter) {
    this.plan = plan
    this.cite = cite
    this.byId = new Map(plan.checks.map((check) => [check.id, check]))
    this.detectDrift = plan.driftDetectorOf(plan.target)
    this.endOfRunRechecks = new EndOfRunRechecks(plan.signal)
  }

  /** Runs the probes of a phase, one check after the other. */
  async runInTurn(runs: readonly CheckRun<T>[], phase: EarlyPhase): Promise<void> {
    for (const run of runs) await this.runEarly(run, phase)
  }

  /**
   * Runs the probes of a phase of a check, one after the other. If they cannot run, the main probes of the check report
   * the reason.
   */
  async runEarly(run: CheckRun<T>, phase: EarlyPhase): Promise<void> {
    if (this.versionsNotJudged(run.scope).length > 0) return
    const { context } = this.start(run)
    try {
      for (const probe of run.check[phase]) await probe(context)
    } catch (error) {
      if (!(error instanceof Inconclusive || error instanceof NotApplicable)) throw error
    }
  }

  /**
   * Runs the main probes of a check, after the checks that it requires.
   * @returns whether a violation was confirmed
   */
  async run(run: CheckRun<T>): Promise<boolean> {
    return (await this.complete(run)).record.confirmed !== undefined
  }

  /** Returns whether a violation is to be rechecked at the end of the run. */
  hasPendingRechecks(): boolean {
    return this.endOfRunRechecks.arePending
  }

  /**
   * Rechecks the violations that could not be decided while the data was changing. Called after all checks have ended.
   */
  settleRechecks(): Promise<void> {
    const { session } = this.plan
    return this.endOfRunRechecks.settle({ session, detectDrift: this.detectDrift })
  }

  private async runMainProbes(run: CheckRun<T>): Promise<CheckCompletion> {
    const { check, scope } = run
    // Probes that ran early may have confirmed a violation.
    const { context, record } = this.start(run)
    try {
      this.requireJudgedVersions(run)
      const required = await Promise.all(
        // In these verdicts, violations that await a recheck do not count.
        this.runsOfChecks(check.requires, scope).map(async (one) =>
          this.ownVerdictOf(one, await this.complete(one), () => []),
        ),
      )
      const missing = required.find((one) => !permitsDependents(one))
      if (missing) throw createPrerequisiteFailure(missing)
      this.skippedInputs.set(keyOf(run), mergeSkippedInputs(required.flatMap(({ failedInputs }) => failedInputs ?? [])))
      // All probes run if other checks may explain the first violation: the next one may have another cause.
      const isDone = () => check.explainedBy.length === 0 && context.hasViolation()
      for (const probe of check.probes) if (!isDone()) await probe(context)
      await check.describe?.(context)
      return { record }
    } catch (error) {
      return { record, thrown: error }
    }
  }

  private async decideFinalVerdict(run: CheckRun<T>): Promise<Verdict> {
    const { check, scope } = run
    const end = await this.complete(run)
    const required = end.thrown instanceof NotApplicable ? [] : await this.finalVerdictsOf(check.requires, scope)
    const missing = required.find((verdict) => !permitsDependents(verdict))
    const { confirmed } = end.record
    if (missing && !(missing.endedEarly && confirmed))
      return createVerdictFromError(
        createVerdictBase(check, scope, { inputsTested: 0 }),
        createPrerequisiteFailure(missing),
      )
    if (!this.plan.groupsByRootCause || !confirmed) return this.ownVerdictOf(run, end, this.cite)
    const causes = [...(await this.finalVerdictsOf(check.explainedBy, scope)), ...(await this.partialFailuresOf(run))]
    const causeOf = (failed: FailedInput) =>
      causes.find(({ causeTraits }) => causeTraits && explainsFailedInput(causeTraits, failed))
    const unexplained = removeExplainedInputs(confirmed, (failed) => causeOf(failed) !== undefined)
    const cause = unexplained ? undefined : causeOf(confirmed)
    if (!cause)
      return this.ownVerdictOf(
        run,
        { ...end, record: { ...end.record, confirmed: unexplained ?? confirmed } },
        this.cite,
      )
    return {
      ...createBlockedVerdict(createVerdictBase(check, scope, end.record), cause),
      ...this.traitsOfBlocked(run, confirmed, rootOf(cause)),
    }
  }

  /**
   * Returns the members of a blocked verdict by which it blocks its dependent checks. A blocked check passes its failing
   * inputs on to dependent checks, but not its own `causes`: another check explains its violation.
   */
  private traitsOfBlocked(run: CheckRun<T>, confirmed: ConfirmedViolation, root: Verdict): Partial<Verdict> {
    const causeTraits = { ...causeTraitsOf(confirmed), causes: [] }
    // If names are missing because names of a list cannot be read, the responses to the inputs are correct.
    return isPartialFailure(root) && confirmed.violation.contradiction.names?.missing !== undefined
      ? { failedInputs: this.skippedInputsOf(run), causeTraits: { ...causeTraits, inputs: new Set() } }
      : { causeTraits, ...this.skipFailedInputs(run, confirmed) }
  }

  /** Returns the verdict of a check by itself: without regard to the verdicts of other checks. */
  private ownVerdictOf(run: CheckRun<T>, end: CheckCompletion, cite: ExchangeCiter): Verdict {
    const inherited = this.skippedInputsOf(run)
    const created = createVerdict(run, end, inherited, cite)
    const verdict = created.status === 'inconclusive' ? { ...created, ...this.citeReason(end, cite) } : created
    const { confirmed } = end.record
    if (verdict.status !== 'fail' || !confirmed)
      return inherited.failedChecks.length > 0 ? { ...verdict, failedInputs: inherited } : verdict
    const traits = causeTraitsOf(confirmed)
    const crossOperationCause = traits.crossOperationCause ?? findCharacterDiagnosis(confirmed)?.id
    return { ...verdict, causeTraits: { ...traits, crossOperationCause }, ...this.skipFailedInputs(run, confirmed) }
  }

  /**
   * Returns the failures of all checks that this one requires, directly or not, if only a part of a response is wrong,
   * e.g. a few elements of a list.
   */
  private async partialFailuresOf({ check, scope }: CheckRun<T>): Promise<readonly Verdict[]> {
    const all = await Promise.all(
      this.runsOfChecks(check.requires, scope).map(async (required) => {
        const verdict = await this.finalVerdictOf(required)
        const earlier = await this.partialFailuresOf(required)
        return isPartialFailure(verdict) ? [verdict, ...earlier] : earlier
      }),
    )
    return all.flat()
  }

  /**
   * Returns the inputs that dependent checks must skip. Returns no member, so that they do not run, if no other input
   * passed and the whole response is wrong.
   */
  private skipFailedInputs(run: CheckRun<T>, confirmed: ConfirmedViolation): Pick<Verdict, 'failedInputs'> {
    const own = { inputs: new Set(failedInputsOf(confirmed)), failedChecks: [`${run.check.id} (${run.scope})`] }
    const canDependentsRun = own.inputs.size > 0 || (confirmed.violation.contradiction.names?.unreadableCount ?? 0) > 0
    return canDependentsRun ? { failedInputs: mergeSkippedInputs([this.skippedInputsOf(run), own]) } : {}
  }

  /** Returns the inputs that the check skips; none before the checks that it requires have ended. */
  private skippedInputsOf(run: CheckRun<T>): SkippedInputs {
    return this.skippedInputs.get(keyOf(run)) ?? { inputs: new Set(), failedChecks: [] }
  }

  /** Cites the exchange because of which a check is inconclusive. */
  private citeReason({ record, thrown }: CheckCompletion, cite: ExchangeCiter): Pick<Verdict, 'exchangeInReason'> {
    const { resource, url: shownUrl } =
      (thrown instanceof Inconclusive ? thrown : record.undecided?.reason)?.details ?? {}
    const exchanges = resource ? this.plan.readings.exchangesFor(resource) : []
    const exchange = exchanges.find(({ url }) => url === shownUrl) ?? exchanges[0]
    const [id] = exchange ? cite([exchange]) : []
    return id === undefined ? {} : { exchangeInReason: id }
  }

  /** @throws {NotApplicable} if the run does not judge the versions of a check */
  private requireJudgedVersions({ check, scope }: CheckRun<T>): void {
    const omitted = this.versionsNotJudged(scope)
    if (omitted.length > 0 && !(check.concernsWholeDeployment && omitted.length < versionsOf(scope).length))
      throw new NotApplicable(`${omitted.join(' and ')} was left out by --versions`)
  }

  private versionsNotJudged(scope: VerdictScope): readonly string[] {
    return versionsOf(scope).filter((version) => !this.plan.versions.includes(version))
  }

  private createContext(run: CheckRun<T>) {
    const { endOfRunRechecks, detectDrift } = this
    const { target, readings, session, effort, seed, selects, signal } = this.plan
    const { check, scope } = run
    const path = selects(check.id) ? this.plan.path : undefined
    const skippedInputs = () => this.skippedInputsOf(run)
    const sharedOptions = { target, scope, readings, session, detectDrift, endOfRunRechecks }
    const isAdvice = check.level === 'should'
    return createCheckContext<T>({ ...sharedOptions, effort, seed, path, skippedInputs, signal, isAdvice })
  }

  private finalVerdictsOf(ids: readonly string[], scope: VerdictScope): Promise<Verdict[]> {
    return Promise.all(this.runsOfChecks(ids, scope).map(this.finalVerdictOf))
  }

  /** Returns the runs of the given checks that concern a version in `scope`. */
  private runsOfChecks(ids: readonly string[], scope: VerdictScope): CheckRun<T>[] {
    return ids.flatMap((id) => {
      const check = this.byId.get(id)
      if (!check) throw new Error(`the catalogue has no check ${id}`)
      return check.scopes.filter((other) => sharesVersion(scope, other)).map((other) => ({ check, scope: other }))
    })
  }
}

const mergeSkippedInputs = (all: readonly SkippedInputs[]): SkippedInputs => ({
  inputs: new Set(all.flatMap(({ inputs }) => [...inputs])),
  failedChecks: [...new Set(all.flatMap(({ failedChecks }) => failedChecks))],
})

import type { Assertion, InputCases, SuspectedSideEffect, TestedProperty } from '../check/check.ts'
import { createFreshReader } from '../check/readers.ts'
import { Violation } from '../check/violations.ts'
import { Inconclusive } from '../inconclusive.ts'
import { drawSample } from '../property/sample.ts'
import { findCauseByExperiments } from '../side-effects/other-requests.ts'
import { type CandidateViolation, findCandidateViolation, isTimeout } from './candidate.ts'
import { type CheckRecord, collectFailedInputs, removeExplainedInputs } from './check-record.ts'
import { assertionForInput, findFailingInputs } from './counterexamples.ts'
import { diagnoseViolation } from './diagnoses.ts'
import { judgeVanishedViolation, type RecheckOptions, type RecheckResult, recheckViolation } from './recheck.ts'
import type { RecorderOptions } from './recorder-options.ts'
import {
  createBudgetReason,
  createFailedInput,
  describeInput,
  findMoreOrdinaryInput,
  findRecurringFailures,
  type InputWithCandidate,
  type InputDescription,
  inputsWithCandidate,
  passedInputsIn,
  testInputs,
} from './tested-inputs.ts'

/** The maximum number of failures of one check for which experiments try to make them recur. */
const MAX_REPRODUCTIONS = 3
/** The maximum number of failures of one check that are rechecked. If there are more, the check is inconclusive. */
const MAX_RECHECKS = 200

type PropertyCases<I> = TestedProperty<I> & Pick<InputCases<I>, 'areUnlisted'>

/** Collects the failures of a check, and rechecks them before they become a finding. */
export class FindingRecorder {
  readonly record: CheckRecord = { inputsTested: 0 }
  private readonly options: RecorderOptions & RecheckOptions
  private population = 0
  private readonly passedInputs: string[] = []
  private readonly confirmedViolations = new Set<Violation>()

  constructor(options: RecorderOptions) {
    this.options = { ...options, rereads: options.effort.rereads, reproductionBudget: { left: MAX_REPRODUCTIONS } }
  }

  async verify(assertion: Assertion): Promise<void> {
    if (this.options.path !== undefined) return
    this.record.inputsTested++
    const candidate = await findCandidateViolation(assertion, this.options.readings)
    if (candidate) await this.confirmViolation(assertion, candidate, {})
  }

  async verifyEach<I>(cases: InputCases<I>): Promise<void> {
    if (this.options.path !== undefined) return
    const hasSkippedInputs = this.options.skippedInputs().inputs.size > 0
    const inputs = this.drawSample(
      hasSkippedInputs ? { ...cases, inputs: cases.inputs.filter((input) => !this.isSkipped(input)) } : cases,
    )
    this.noteSample(inputs.length, cases.population ?? cases.inputs.length)
    const tried = await testInputs(inputs, cases, this.options.readings)
    this.record.inputsTested += tried.filter(
      ({ inconclusive, refusalReason }) => inconclusive === undefined && refusalReason === undefined,
    ).length
    this.record.refusalReasons = [
      ...(this.record.refusalReasons ?? []),
      ...tried.flatMap(({ refusalReason }) => refusalReason ?? []),
    ]
    this.passedInputs.push(...passedInputsIn(tried, cases))
    const candidates = inputsWithCandidate(tried).sort(
      (a, b) => cases.textOf(a.input).length - cases.textOf(b.input).length,
    )
    const isConfirmed = await this.confirmFirst(candidates, cases)
    if (isConfirmed) await this.listOtherInputs(candidates, cases)
    if (candidates.length > MAX_RECHECKS && !isConfirmed) this.setUndecided(createBudgetReason(candidates.length))
    const [firstInconclusive] = tried.flatMap((one) => one.inconclusive ?? [])
    if (firstInconclusive && !this.isFromSkippedInput(firstInconclusive))
      this.setUndecided({ reason: firstInconclusive, exchanges: [] })
  }

  async verifyProperty<I>(property: TestedProperty<I>): Promise<void> {
    const assert: TestedProperty<I>['assert'] = async (input, read) =>
      this.isSkipped(input) ? undefined : property.assert(input, read)
    // Every input counts as unlisted, because most are generated.
    const wanted = { ...property, assert, areUnlisted: true as const }
    const { tried, failing, vanished, unconfirmed } = await findFailingInputs(wanted, this.options)
    this.record.inputsTested += tried
    const { examples, runs } = this.options.effort
    if (this.options.path === undefined)
      this.noteSample(
        Math.min(examples, property.examples.length) + runs,
        property.examples.length + runs + (property.omittedExamples ?? 0),
      )
    for (const { input, path, candidate: earlier } of failing) {
      const now = createFreshReader(this.options.session.send)
      const candidate = await findCandidateViolation(assertionForInput(wanted, input), now)
      const found = { ...describeInput(wanted, input), ...(path !== undefined && { path }) }
      if (candidate && (await this.confirmViolation(assertionForInput(wanted, input), candidate, found)))
        return this.listFailingExamples(wanted, candidate, tried)
      if (!candidate && earlier) vanished.push({ input, candidate: earlier, now })
    }
    for (const { input, candidate, now } of vanished) {
      const assertion = assertionForInput(wanted, input)
      const confirmation = await judgeVanishedViolation(assertion, candidate, now, this.options)
      if (this.applyRecheck(confirmation, assertion, describeInput(wanted, input))) return
    }
    if (unconfirmed > 0) this.setUndecided(createBudgetReason(unconfirmed))
  }

  async verifySideEffect(suspected: SuspectedSideEffect): Promise<void> {
    this.record.inputsTested++
    const { expected, actual, defectKind, observedChange } = suspected
    const cause = await findCauseByExperiments(suspected.experiments)
    if (cause === 'requests') {
      const violation = new Violation({ expected, actual, defectKind, shownBy: [] })
      const exchanges = await suspected.demonstrate()
      this.confirmedViolations.add(violation)
      this.record.confirmed ??= { violation, exchanges, shownExchanges: exchanges, otherInputs: [], passedInputs: [] }
    } else if (cause === 'unclear') {
      const reason = new Inconclusive('drift', `${observedChange}, perhaps because of the requests of this check`)
      this.setUndecided({ reason, exchanges: [] })
    } else {
      this.record.caveat ??= `${observedChange}. In an experiment without the requests of this check, the data changed at least as often as with them, so these requests are probably not the cause`
    }
  }

  private isSkipped(input: unknown): boolean {
    return typeof input === 'string' && this.options.skippedInputs().inputs.has(input)
  }

  private isFromSkippedInput({ kind }: Inconclusive): boolean {
    return kind === 'prerequisite' && this.options.skippedInputs().inputs.size > 0
  }

  /** Records from how many inputs the sample was drawn, if not all were tested. */
  private noteSample(tried: number, from: number): void {
    this.population += from
    if (tried < from || this.record.sampledFrom !== undefined) this.record.sampledFrom = this.population
  }

  private drawSample<I>({ inputs, alwaysTested = [], textOf }: InputCases<I>): readonly I[] {
    const { effort, seed } = this.options
    const drawn = drawSample(inputs, effort.inputs, seed, typeof inputs[0] === 'string' ? String : textOf)
    return alwaysTested.length === 0 ? drawn : [...new Set([...alwaysTested, ...drawn])]
  }

  private async confirmFirst<I>(candidates: readonly InputWithCandidate<I>[], cases: InputCases<I>): Promise<boolean> {
    for (const { input, candidate } of candidates.slice(0, MAX_RECHECKS)) {
      if (await this.confirmViolation(assertionForInput(cases, input), candidate, describeInput(cases, input)))
        return true
    }
    const recurring = this.record.undecided?.reason.kind === 'unstable' ? findRecurringFailures(candidates) : []
    for (const { input, candidate } of recurring) this.addConfirmed(candidate, describeInput(cases, input))
    return recurring.length > 0
  }

  /** Sends the failing inputs except the confirmed one once more, and adds those that fail again to the finding. */
  private async listOtherInputs<I>(
    candidates: readonly InputWithCandidate<I>[],
    cases: Pick<InputCases<I>, 'assert' | 'textOf' | 'stringOf' | 'areUnlisted'>,
  ): Promise<void> {
    const { confirmed } = this.record
    if (!confirmed) return
    const listed = new Set(collectFailedInputs(confirmed).map(({ text }) => text))
    const others = candidates.filter(({ input }) => !listed.has(cases.textOf(input)))
    // Inputs that timed out are listed without being sent again, because each would take a full deadline.
    const silent = others.filter(({ candidate }) => candidate.exchanges.some(isTimeout))
    const rechecked = others.filter((one) => !silent.includes(one))
    const mostListed = this.options.effort.listed
    const again = await testInputs(
      rechecked.slice(0, mostListed).map(({ input }) => input),
      cases,
      createFreshReader(this.options.session.send),
    )
    const remaining = [...silent, ...inputsWithCandidate(again), ...rechecked.slice(mostListed)]
    const also = remaining.map(({ input, candidate }) => createFailedInput(candidate, describeInput(cases, input)))
    this.record.confirmed = {
      ...confirmed,
      otherInputs: [...confirmed.otherInputs, ...also],
      passedInputs: [...this.passedInputs],
    }
    // The shrunk input was tested too, although it is none of the examples.
    const failedCount = collectFailedInputs(this.record.confirmed).length
    this.record.inputsTested = Math.max(this.record.inputsTested, failedCount)
  }

  /**
   * Adds to the finding the examples that fail besides the confirmed input.
   * @param rechecked the number of inputs tested so far (examples are tested first)
   */
  private async listFailingExamples<I>(
    property: PropertyCases<I>,
    { exchanges }: CandidateViolation,
    rechecked: number,
  ): Promise<void> {
    // After a timeout, each further input may time out too.
    if (this.options.path !== undefined || exchanges.some(isTimeout)) return
    const examples = property.examples.slice(0, this.options.effort.examples)
    const tried = await testInputs(examples, property, this.options.readings)
    this.record.inputsTested += Math.max(0, examples.length - rechecked)
    this.passedInputs.push(...passedInputsIn(tried, {}))
    const candidates = inputsWithCandidate(tried)
    await this.listOtherInputs(candidates, property)
    await this.showOrdinaryInputFirst(candidates, property)
  }

  /** Shows the most ordinary failing input first, e.g. an apostrophe rather than NUL, if it fails when it is rechecked. */
  private async showOrdinaryInputFirst<I>(
    candidates: readonly InputWithCandidate<I>[],
    property: PropertyCases<I>,
  ): Promise<void> {
    const { confirmed } = this.record
    const first = confirmed && findMoreOrdinaryInput(candidates, confirmed.input)
    if (!first) return
    const seen = await recheckViolation(assertionForInput(property, first.input), first.candidate, this.options)
    if (seen.kind !== 'confirmed' || seen.isRevisable) return
    this.confirmedViolations.add(seen.violation)
    const failed = createFailedInput(seen, describeInput(property, first.input))
    const { otherInputs, passedInputs, ...shown } = confirmed
    this.record.confirmed = {
      ...failed,
      ...diagnoseViolation(seen, this.options),
      path: String(property.examples.indexOf(first.input)),
      otherInputs: [shown, ...otherInputs.filter(({ text }) => text !== failed.text)],
      passedInputs,
    }
  }

  private async confirmViolation(
    assertion: Assertion,
    candidate: CandidateViolation,
    found: InputDescription,
  ): Promise<boolean> {
    return this.applyRecheck(await recheckViolation(assertion, candidate, this.options), assertion, found)
  }

  private applyRecheck(confirmation: RecheckResult, assertion: Assertion, found: InputDescription): boolean {
    if (confirmation.kind === 'confirmed') this.addConfirmed(confirmation, found)
    if (confirmation.kind === 'inconclusive') this.setUndecided(confirmation)
    if (confirmation.kind === 'confirmed' || confirmation.kind === 'data changing')
      this.recheckAtEnd(assertion, confirmation, found)
    return confirmation.kind === 'confirmed'
  }

  /** Rechecks a violation at the end of the run: a change may explain it, or a confirmed one may have disappeared. */
  private recheckAtEnd(
    assertion: Assertion,
    candidate: Extract<RecheckResult, { readonly kind: 'confirmed' | 'data changing' }>,
    found: InputDescription,
  ): void {
    const { endOfRunRechecks, isAdvice } = this.options
    const isRevisable = candidate.kind === 'confirmed'
    if (isRevisable && !candidate.isRevisable) {
      const onPassed = (seen: CandidateViolation) => this.rewordConfirmed(candidate, seen)
      return endOfRunRechecks.addConfirmed({ assertion, candidate, onPassed })
    }
    const onResult = (result: RecheckResult) => {
      if (isRevisable && result.kind !== 'confirmed') this.withdraw(candidate)
      if (result.kind === 'inconclusive') this.setUndecided(result)
      if (result.kind === 'confirmed' && !isRevisable) this.addConfirmed(result, found)
    }
    endOfRunRechecks.add({ assertion, candidate, isAdvice, isRevisable, onResult })
  }

  /** Describes a violation that the finding shows in other words. */
  private rewordConfirmed(shown: CandidateViolation, candidate: CandidateViolation): void {
    const { confirmed } = this.record
    if (confirmed?.violation !== shown.violation) return
    const { violation } = candidate
    this.confirmedViolations.add(violation)
    this.record.confirmed = { ...confirmed, violation, ...diagnoseViolation(candidate, this.options) }
  }

  /** Withdraws a confirmed violation, and the failing inputs that were listed because of it. */
  private withdraw({ violation }: CandidateViolation): void {
    const { confirmed } = this.record
    if (!confirmed) return
    this.confirmedViolations.delete(violation)
    const left = removeExplainedInputs(confirmed, (input) => !this.confirmedViolations.has(input.violation))
    if (left) this.record.confirmed = left
    else delete this.record.confirmed
  }

  private addConfirmed(candidate: CandidateViolation, { path, ...found }: InputDescription): void {
    const { confirmed } = this.record
    this.confirmedViolations.add(candidate.violation)
    const failedInput = { ...createFailedInput(candidate, found), ...diagnoseViolation(candidate, this.options) }
    this.record.confirmed = confirmed
      ? { ...confirmed, otherInputs: [...confirmed.otherInputs, failedInput] }
      : { ...failedInput, otherInputs: [], passedInputs: [...this.passedInputs], ...(path !== undefined && { path }) }
  }

  private setUndecided(undecided: NonNullable<CheckRecord['undecided']>): void {
    this.record.undecided ??= undecided
  }
}

import type { Assertion, InputCases, SuspectedSideEffect, TestedProperty } from '../check/check.ts'
import { createFreshReader } from '../check/readers.ts'
import { Violation } from '../check/violations.ts'
import { Inconclusive } from '../inconclusive.ts'
import { drawSample } from '../property/sample.ts'
import { findCauseByExperiments } from '../side-effects/other-requests.ts'
import { type CandidateViolation, findCandidateViolation, isTimeout } from './candidate.ts'
import { type CheckRecord, collectFailedInputs, removeExplainedInputs } from './check-record.ts'
import { findFailingInputs } from './counterexamples.ts'
import { diagnoseViolation } from './diagnoses.ts'
import { judgeVanishedViolation, type RecheckOptions, type RecheckResult, recheckViolation } from './recheck.ts'
import type { RecorderOptions } from './recorder-options.ts'
import {
  countDecidedInputs,
  createBudgetReason,
  createFailedInput,
  createInputTest,
  findMoreOrdinaryInput,
  findRecurringFailures,
  type InputTest,
  type InputWithCandidate,
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
  /** The number of inputs from which the samples so far were drawn. */
  private population = 0
  private readonly passedInputs: string[] = []
  private readonly confirmedViolations = new Set<Violation>()

  constructor(options: RecorderOptions) {
    this.options = { ...options, rereads: options.effort.rereads, reproductionBudget: { left: MAX_REPRODUCTIONS } }
  }

  /** True if the run tests only one generated input again, which an earlier run reported. */
  private get repeatsOneInput(): boolean {
    return this.options.path !== undefined
  }

  async verify(assertion: Assertion): Promise<void> {
    if (this.repeatsOneInput) return
    this.record.inputsTested++
    const candidate = await findCandidateViolation(assertion, this.options.readings)
    if (candidate) await this.confirmViolation({ assertion, description: {} }, candidate)
  }

  async verifyEach<I>(cases: InputCases<I>): Promise<void> {
    if (this.repeatsOneInput) return
    const hasSkippedInputs = this.options.skippedInputs().inputs.size > 0
    const inputs = this.drawSample(
      hasSkippedInputs ? { ...cases, inputs: cases.inputs.filter((input) => !this.isSkipped(input)) } : cases,
    )
    this.noteSample(inputs.length, cases.population ?? cases.inputs.length)
    const tested = await testInputs(inputs, cases, this.options.readings)
    this.record.inputsTested += countDecidedInputs(tested)
    const refusalReasons = tested.flatMap(({ refusalReason }) => refusalReason ?? [])
    this.record.refusalReasons = [...(this.record.refusalReasons ?? []), ...refusalReasons]
    this.passedInputs.push(...passedInputsIn(tested, cases))
    const candidates = inputsWithCandidate(tested).sort(
      (a, b) => cases.textOf(a.input).length - cases.textOf(b.input).length,
    )
    const isConfirmed = await this.confirmFirst(candidates, cases)
    if (isConfirmed) await this.listOtherInputs(candidates, cases)
    if (candidates.length > MAX_RECHECKS && !isConfirmed) this.setUndecided(createBudgetReason(candidates.length))
    const [firstInconclusive] = tested.flatMap((one) => one.inconclusive ?? [])
    const isFromSkippedInput = hasSkippedInputs && firstInconclusive?.kind === 'prerequisite'
    if (firstInconclusive && !isFromSkippedInput) this.setUndecided({ reason: firstInconclusive, exchanges: [] })
  }

  async verifyProperty<I>(property: TestedProperty<I>): Promise<void> {
    const assert: TestedProperty<I>['assert'] = async (input, read) =>
      this.isSkipped(input) ? undefined : property.assert(input, read)
    // Every input counts as unlisted, because most are generated.
    const cases = { ...property, assert, areUnlisted: true as const }
    const { inputsTested, failing, vanished, notRechecked } = await findFailingInputs(cases, this.options)
    this.record.inputsTested += inputsTested
    const { examples, runs } = this.options.effort
    if (!this.repeatsOneInput)
      this.noteSample(
        Math.min(examples, property.examples.length) + runs,
        property.examples.length + runs + (property.omittedExamples ?? 0),
      )
    for (const { input, path, candidate: earlier } of failing) {
      const freshReader = createFreshReader(this.options.session.send)
      const test = createInputTest(cases, input, path)
      const candidate = await findCandidateViolation(test.assertion, freshReader)
      if (candidate && (await this.confirmViolation(test, candidate)))
        return this.listFailingExamples(cases, candidate, inputsTested)
      if (!candidate && earlier) vanished.push({ input, candidate: earlier, freshReader })
    }
    for (const { input, candidate, freshReader } of vanished) {
      const test = createInputTest(cases, input)
      const result = await judgeVanishedViolation(test.assertion, candidate, freshReader, this.options)
      if (this.applyRecheck(result, test)) return
    }
    if (notRechecked > 0) this.setUndecided(createBudgetReason(notRechecked))
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

  /** Records from how many inputs the sample was drawn, if not all were tested. */
  private noteSample(sampleSize: number, population: number): void {
    this.population += population
    if (sampleSize < population || this.record.sampledFrom !== undefined) this.record.sampledFrom = this.population
  }

  private drawSample<I>({ inputs, alwaysTested = [], textOf }: InputCases<I>): readonly I[] {
    const { effort, seed } = this.options
    const drawn = drawSample(inputs, effort.inputs, seed, typeof inputs[0] === 'string' ? String : textOf)
    return alwaysTested.length === 0 ? drawn : [...new Set([...alwaysTested, ...drawn])]
  }

  /**
   * Rechecks failing inputs until one is confirmed. If none is, but several failed in the same way, these count.
   * @returns whether a violation was confirmed
   */
  private async confirmFirst<I>(candidates: readonly InputWithCandidate<I>[], cases: InputCases<I>): Promise<boolean> {
    for (const { input, candidate } of candidates.slice(0, MAX_RECHECKS)) {
      if (await this.confirmViolation(createInputTest(cases, input), candidate)) return true
    }
    const recurring = this.record.undecided?.reason.kind === 'unstable' ? findRecurringFailures(candidates) : []
    for (const { input, candidate } of recurring) this.addConfirmed(candidate, createInputTest(cases, input))
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
    const responding = others.filter((one) => !silent.includes(one))
    const maxTestedAgain = this.options.effort.listed
    const again = await testInputs(
      responding.slice(0, maxTestedAgain).map(({ input }) => input),
      cases,
      createFreshReader(this.options.session.send),
    )
    const remaining = [...silent, ...inputsWithCandidate(again), ...responding.slice(maxTestedAgain)]
    const added = remaining.map(({ input, candidate }) =>
      createFailedInput(candidate, createInputTest(cases, input).description),
    )
    this.record.confirmed = {
      ...confirmed,
      otherInputs: [...confirmed.otherInputs, ...added],
      passedInputs: [...this.passedInputs],
    }
    // The shrunk input was tested too, although it is none of the examples.
    const failedCount = collectFailedInputs(this.record.confirmed).length
    this.record.inputsTested = Math.max(this.record.inputsTested, failedCount)
  }

  /**
   * Adds the examples that fail too to the finding of the confirmed input.
   * @param testedBefore the number of inputs tested so far (examples are tested first)
   */
  private async listFailingExamples<I>(
    property: PropertyCases<I>,
    { exchanges }: CandidateViolation,
    testedBefore: number,
  ): Promise<void> {
    // After a timeout, each further input may time out too.
    if (this.repeatsOneInput || exchanges.some(isTimeout)) return
    const examples = property.examples.slice(0, this.options.effort.examples)
    const tested = await testInputs(examples, property, this.options.readings)
    this.record.inputsTested += Math.max(0, examples.length - testedBefore)
    this.passedInputs.push(...passedInputsIn(tested, {}))
    const candidates = inputsWithCandidate(tested)
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
    const { assertion, description } = createInputTest(property, first.input)
    const result = await recheckViolation(assertion, first.candidate, this.options)
    if (result.kind !== 'confirmed' || result.isRevisable) return
    this.confirmedViolations.add(result.violation)
    const failed = createFailedInput(result, description)
    const { otherInputs, passedInputs, ...shown } = confirmed
    this.record.confirmed = {
      ...failed,
      ...diagnoseViolation(result, this.options),
      path: String(property.examples.indexOf(first.input)),
      otherInputs: [shown, ...otherInputs.filter(({ text }) => text !== failed.text)],
      passedInputs,
    }
  }

  /** Rechecks a violation, and returns whether it is confirmed. */
  private async confirmViolation(test: InputTest, candidate: CandidateViolation): Promise<boolean> {
    return this.applyRecheck(await recheckViolation(test.assertion, candidate, this.options), test)
  }

  /** Records the result of a recheck, and returns whether it confirms the violation. */
  private applyRecheck(result: RecheckResult, test: InputTest): boolean {
    if (result.kind === 'confirmed') this.addConfirmed(result, test)
    if (result.kind === 'inconclusive') this.setUndecided(result)
    if (result.kind === 'confirmed' || result.kind === 'data changing') this.recheckAtEnd(test, result)
    return result.kind === 'confirmed'
  }

  /** Rechecks a violation at the end of the run: a change may explain it, or a confirmed one may have disappeared. */
  private recheckAtEnd(
    test: InputTest,
    candidate: Extract<RecheckResult, { readonly kind: 'confirmed' | 'data changing' }>,
  ): void {
    const { assertion } = test
    const { endOfRunRechecks, isAdvice } = this.options
    const isRevisable = candidate.kind === 'confirmed'
    if (isRevisable && !candidate.isRevisable) {
      const onPassed = (reworded: CandidateViolation) => this.rewordConfirmed(candidate, reworded)
      return endOfRunRechecks.addConfirmed({ assertion, candidate, onPassed })
    }
    const onResult = (result: RecheckResult) => {
      if (isRevisable && result.kind !== 'confirmed') this.withdraw(candidate)
      if (result.kind === 'inconclusive') this.setUndecided(result)
      if (result.kind === 'confirmed' && !isRevisable) this.addConfirmed(result, test)
    }
    endOfRunRechecks.add({ assertion, candidate, isAdvice, isRevisable, onResult })
  }

  /** Replaces a confirmed violation by the same violation in other words, if it is the one that the finding shows first. */
  private rewordConfirmed(shown: CandidateViolation, reworded: CandidateViolation): void {
    const { confirmed } = this.record
    if (confirmed?.violation !== shown.violation) return
    const { violation } = reworded
    this.confirmedViolations.add(violation)
    this.record.confirmed = { ...confirmed, violation, ...diagnoseViolation(reworded, this.options) }
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

  private addConfirmed(candidate: CandidateViolation, test: Pick<InputTest, 'description'>): void {
    const { path, ...description } = test.description
    const { confirmed } = this.record
    this.confirmedViolations.add(candidate.violation)
    const failedInput = { ...createFailedInput(candidate, description), ...diagnoseViolation(candidate, this.options) }
    this.record.confirmed = confirmed
      ? { ...confirmed, otherInputs: [...confirmed.otherInputs, failedInput] }
      : { ...failedInput, otherInputs: [], passedInputs: [...this.passedInputs], ...(path !== undefined && { path }) }
  }

  /** Records the reason why the check has no verdict, unless there is an earlier one. */
  private setUndecided(undecided: NonNullable<CheckRecord['undecided']>): void {
    this.record.undecided ??= undecided
  }
}

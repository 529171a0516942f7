import type { Assertion, Cases, CausalClaim, Law } from '../check/check.ts'
import { createCachingReader, createFreshReader, type Reader } from '../check/readers.ts'
import { Violation } from '../check/violations.ts'
import { firstCause } from '../history/experiment.ts'
import { Inconclusive } from '../inconclusive.ts'
import { sample } from '../property/sample.ts'
import { isSilent, type Suspicion, suspicionOf } from './candidate.ts'
import { allBroken, type CheckRecord, lastFirst, type Spoilt, without } from './check-record.ts'
import { assertionOn, findSuspects } from './counterexamples.ts'
import { explain } from './diagnoses.ts'
import type { SecondLooks } from './end-of-run-rechecks.ts'
import { type Confirmation, type Confirming, confirm, vanished } from './recheck.ts'
import {
  brokenBy,
  type Found,
  foundIn,
  foundWith,
  generated,
  keptAmong,
  type Suspected,
  suspectsAmong,
  tryAll,
} from './tested-inputs.ts'

/** Candidates of one check that are reproduced by experiment. */
const MOST_PROVOCATIONS = 3
/** Candidates of one check that are rechecked; a check that reaches this limit is inconclusive. */
const MOST_CONFIRMATIONS = 200
/** Shorter inputs that are rechecked with the full deadline, after a timeout with a longer one. */
const MOST_SHORTER = 3

export interface Effort {
  /** Listed names that each check tests, if there are more. */
  readonly inputs: number
  /** Examples that each property tests, the first ones first. */
  readonly examples: number
  /** Generated inputs that each property tests. */
  readonly runs: number
  /** Shrink steps after the first failing input of a property. */
  readonly shrinks: number
  /** Repeated comparisons of all readings before a violation is confirmed. */
  readonly rereads: number
  /** Other inputs that are sent again, to be listed in the finding. */
  readonly listed: number
}

/** The options that findings are recorded with. */
export interface RecorderOptions extends Omit<Confirming, 'provocations' | 'rereads'> {
  readonly readings: Reader
  readonly secondLooks: SecondLooks
  readonly effort: Effort
  readonly seed: number
  /** True if the check gives advice: its findings are no violations. */
  readonly isAdvice: boolean
  /** The path of a counterexample to replay; nothing else is tested then. */
  readonly path: string | undefined
  /** Inputs that failed in a prerequisite and are left out; known after the prerequisites have run. */
  spoilt(): Spoilt
}

/** Collects the candidates of a check and rechecks them before it reports a finding. */
export class FindingRecorder {
  readonly record: CheckRecord = { asked: 0 }
  private readonly options: RecorderOptions & Confirming
  private possible = 0
  private readonly kept: string[] = []
  /** The violations that were confirmed by a recheck. */
  private readonly believed = new Set<Violation>()

  constructor(options: RecorderOptions) {
    this.options = { ...options, rereads: options.effort.rereads, provocations: { left: MOST_PROVOCATIONS } }
  }

  async verify(assertion: Assertion): Promise<void> {
    if (this.options.path !== undefined) return
    this.record.asked++
    const suspicion = await suspicionOf(assertion, this.options.readings)
    if (suspicion) await this.settle(assertion, suspicion, {})
  }

  async verifyEach<I>(cases: Cases<I>): Promise<void> {
    if (this.options.path !== undefined) return
    const isAnySpoilt = this.options.spoilt().inputs.size > 0
    const inputs = this.sampleOf(
      isAnySpoilt ? { ...cases, inputs: cases.inputs.filter((input) => !this.isSpoilt(input)) } : cases,
    )
    this.noteSample(inputs.length, cases.from ?? cases.inputs.length)
    const tried = await tryAll(inputs, cases, this.options.readings)
    this.record.asked += tried.filter(({ untold, untried }) => untold === undefined && untried === undefined).length
    this.record.untried ??= tried.flatMap(({ untried }) => untried ?? [])[0]
    this.kept.push(...keptAmong(tried, cases))
    const suspects = suspectsAmong(tried).sort((a, b) => cases.textOf(a.input).length - cases.textOf(b.input).length)
    const isConfirmed = await this.confirmFirst(suspects, cases)
    if (isConfirmed) await this.listOthers(suspects, cases, (_, input) => foundIn(cases, input))
    if (suspects.length > MOST_CONFIRMATIONS && !isConfirmed) this.note(tooMany(suspects.length))
    const [untold] = tried.flatMap((one) => one.untold ?? [])
    if (untold && !this.isBySpoilt(untold)) this.note({ reason: untold, exchanges: [] })
  }

  async verifyLaw<I>(law: Law<I>): Promise<void> {
    const assert: Law<I>['assert'] = async (input, read) => (this.isSpoilt(input) ? undefined : law.assert(input, read))
    const wanted = { ...law, assert }
    const { tried, suspects, vanished: gone, unconfirmed } = await findSuspects(wanted, this.options)
    this.record.asked += tried
    const { examples, runs } = this.options.effort
    if (this.options.path === undefined)
      this.noteSample(Math.min(examples, law.examples.length) + runs, law.examples.length + runs + (law.leftOut ?? 0))
    for (const { input, path } of suspects) {
      const suspicion = await suspicionOf(assertionOn(wanted, input), createFreshReader(this.options.session.ask))
      const found = { ...generated(law, input), ...(path !== undefined && { path }) }
      if (suspicion && (await this.settle(assertionOn(wanted, input), suspicion, found)))
        return this.listExamples(wanted, suspicion, tried)
    }
    for (const { input, suspicion, now } of gone) {
      const assertion = assertionOn(wanted, input)
      const confirmation = await vanished(assertion, suspicion, now, {
        ...this.options,
        since: this.options.session.clock.now(),
      })
      if (this.take(confirmation, assertion, generated(law, input))) return
    }
    if (unconfirmed > 0) this.note(tooMany(unconfirmed))
  }

  async verifyCause({ experiments, expected, actual, manner, otherwise, demonstrate }: CausalClaim): Promise<void> {
    this.record.asked++
    const cause = await firstCause(experiments)
    if (cause === 'asking') {
      const violation = new Violation({ expected, actual, manner, shownBy: [] })
      const exchanges = await demonstrate()
      this.believed.add(violation)
      this.record.confirmed ??= { violation, exchanges, telling: exchanges, also: [], kept: [] }
    } else if (cause === 'unclear') {
      this.note({ reason: new Inconclusive('drift', `${otherwise}, perhaps because of these requests`), exchanges: [] })
    } else {
      this.record.caveat ??= `${otherwise}, but not more often when these requests were sent (control experiment)`
    }
  }

  private isSpoilt(input: unknown): boolean {
    return typeof input === 'string' && this.options.spoilt().inputs.has(input)
  }

  private isBySpoilt({ kind }: Inconclusive): boolean {
    return kind === 'prerequisite' && this.options.spoilt().inputs.size > 0
  }

  /** Records how many inputs the sample was drawn from, if some were left out. */
  private noteSample(tried: number, from: number): void {
    this.possible += from
    if (tried < from || this.record.sampledFrom !== undefined) this.record.sampledFrom = this.possible
  }

  private sampleOf<I>({ inputs, always = [], textOf }: Cases<I>): readonly I[] {
    const { effort, seed } = this.options
    const drawn = sample(inputs, effort.inputs, seed, typeof inputs[0] === 'string' ? String : textOf)
    return always.length === 0 ? drawn : [...new Set([...always, ...drawn])]
  }

  private async confirmFirst<I>(suspects: readonly Suspected<I>[], cases: Cases<I>): Promise<boolean> {
    for (const { input, suspicion } of suspects.slice(0, MOST_CONFIRMATIONS)) {
      if (await this.settle(assertionOn(cases, input), suspicion, foundIn(cases, input))) return true
    }
    return false
  }

  /** Sends the other inputs once more, and lists those that still fail. */
  private async listOthers<I>(
    suspects: readonly Suspected<I>[],
    law: Pick<Law<I>, 'assert' | 'textOf'>,
    found: (law: Pick<Law<I>, 'textOf'>, input: I) => Found = foundWith,
  ): Promise<void> {
    const { confirmed } = this.record
    if (!confirmed) return
    const listed = new Set(allBroken(confirmed).map(({ text }) => text))
    const others = suspects.filter(({ input }) => !listed.has(law.textOf(input)))
    // One timeout is enough evidence: repeating it costs a full deadline each time.
    const silent = others.filter(({ suspicion }) => suspicion.exchanges.some(isSilent))
    const asked = others.filter((one) => !silent.includes(one))
    const mostListed = this.options.effort.listed
    const again = await tryAll(
      asked.slice(0, mostListed).map(({ input }) => input),
      law,
      createFreshReader(this.options.session.ask),
    )
    const still = [...silent, ...suspectsAmong(again), ...asked.slice(mostListed)]
    const also = still.map(({ input, suspicion }) => brokenBy(suspicion, found(law, input)))
    this.record.confirmed = { ...confirmed, also: [...confirmed.also, ...also], kept: [...this.kept] }
  }

  /**
   * Lists the examples that fail beside the input that was found.
   * @param asked the number of inputs tested so far, examples first
   */
  private async listExamples<I>(law: Law<I>, { exchanges }: Suspicion, asked: number): Promise<void> {
    if (this.options.path !== undefined) return
    const examples = law.examples.slice(0, this.options.effort.examples)
    if (exchanges.some(isSilent)) return this.findShorter(law, examples)
    const tried = await tryAll(examples, law, this.options.readings)
    this.record.asked += Math.max(0, examples.length - asked)
    this.kept.push(...keptAmong(tried, {}))
    await this.listOthers(suspectsAmong(tried), law, generated)
  }

  /**
   * Testing all examples would take too long if each one times out: tests the shorter ones with a short deadline, and
   * shows the shortest that fails.
   */
  private async findShorter<I>(law: Law<I>, examples: readonly I[]): Promise<void> {
    const { confirmed } = this.record
    const { session } = this.options
    const lengthOf = (input: I) => law.textOf(input).length
    const shorter = examples.filter((input) => lengthOf(input) < (confirmed?.text?.length ?? 0))
    const tried = await tryAll(shorter, law, createCachingReader(session.impatient.recall))
    const suspects = suspectsAmong(tried).sort((one, other) => lengthOf(one.input) - lengthOf(other.input))
    for (const { input } of suspects.slice(0, MOST_SHORTER)) {
      const suspicion = await suspicionOf(assertionOn(law, input), createFreshReader(session.ask))
      if (!suspicion || !(await this.settle(assertionOn(law, input), suspicion, generated(law, input)))) continue
      this.record.confirmed &&= lastFirst(this.record.confirmed)
      return
    }
  }

  /** @returns whether the candidate was confirmed */
  private async settle(assertion: Assertion, suspicion: Suspicion, found: Found): Promise<boolean> {
    return this.take(await confirm(assertion, suspicion, this.options), assertion, found)
  }

  private take(confirmation: Confirmation, assertion: Assertion, found: Found): boolean {
    switch (confirmation.kind) {
      case 'confirmed':
        this.believe(confirmation, found)
        if (confirmation.isRevisable && !this.options.isAdvice) this.lookAgain(assertion, confirmation, found, true)
        return true
      case 'kept':
        return false
      case 'moving':
        this.lookAgain(assertion, confirmation, found, false)
        return false
      case 'inconclusive':
        this.note(confirmation)
        return false
    }
  }

  /** @param isBelieved true if the violation counts already, and is withdrawn if it does not outlast the changes */
  private lookAgain(assertion: Assertion, suspicion: Suspicion, found: Found, isBelieved: boolean): void {
    const takeBack = () => (isBelieved ? this.disbelieve(suspicion) : undefined)
    this.options.secondLooks.add({
      assertion,
      suspicion,
      isAdvice: this.options.isAdvice,
      isBelieved,
      onKept: takeBack,
      onBroken: (seen) => (isBelieved ? undefined : this.believe(seen, found)),
      onUndecided: (reason, exchanges) => {
        takeBack()
        this.note({ reason, exchanges })
      },
    })
  }

  /** Withdraws a confirmed violation, and the inputs that were listed because of it. */
  private disbelieve({ violation }: Suspicion): void {
    const { confirmed } = this.record
    if (!confirmed) return
    this.believed.delete(violation)
    const left = without(confirmed, (broken) => !this.believed.has(broken.violation))
    if (left) this.record.confirmed = left
    else delete this.record.confirmed
  }

  private believe(suspicion: Suspicion, { path, ...found }: Found): void {
    const { confirmed } = this.record
    this.believed.add(suspicion.violation)
    const broken = { ...brokenBy(suspicion, found), ...explain(suspicion, this.options) }
    this.record.confirmed = confirmed
      ? { ...confirmed, also: [...confirmed.also, broken] }
      : { ...broken, also: [], kept: [...this.kept], ...(path !== undefined && { path }) }
  }

  private note(undecided: NonNullable<CheckRecord['undecided']>): void {
    this.record.undecided ??= undecided
  }
}

const tooMany = (count: number) => ({
  reason: new Inconclusive('budget', `${count} inputs looked like violations, more than can be rechecked`),
  exchanges: [],
})

import type { Assertion, InputCases, TestedProperty } from '../check/check.ts'
import type { Reader } from '../check/readers.ts'
import { InputRefused } from '../check/violations.ts'
import { concernsOneInputOnly, Inconclusive } from '../inconclusive.ts'
import { type CandidateViolation, findCandidateViolation, isServiceFailure, markAsIntermittent } from './candidate.ts'
import type { ConfirmedViolation, FailedInput } from './check-record.ts'
import { excerptShownExchanges } from './shown-exchanges.ts'

/** An input as the report shows it: `text` is what a person would type, `input` is the string that was sent. */
export type InputDescription = Pick<ConfirmedViolation, 'text' | 'input' | 'isGenerated' | 'path'>

/**
 * The result of testing one input. If it failed, `candidate` is the violation. If it neither failed nor passed,
 * `inconclusive` or `refusalReason` says why. If it passed, all three are absent.
 */
interface TestedInput<I> {
  readonly input: I
  readonly candidate?: CandidateViolation | undefined
  readonly inconclusive?: Inconclusive
  readonly refusalReason?: string | undefined
}

export interface InputWithCandidate<I> {
  readonly input: I
  readonly candidate: CandidateViolation
}

/** Tests a requirement with all inputs concurrently. */
export function testInputs<I>(
  inputs: readonly I[],
  property: Pick<TestedProperty<I>, 'assert'>,
  reader: Reader,
): Promise<TestedInput<I>[]> {
  return Promise.all(
    inputs.map(async (input): Promise<TestedInput<I>> => {
      let refusalReason: string | undefined
      const assertion: Assertion = (read) =>
        property.assert(input, read).catch((error: unknown) => {
          if (error instanceof InputRefused) refusalReason = error.message
          throw error
        })
      try {
        return { input, candidate: await findCandidateViolation(assertion, reader), refusalReason }
      } catch (error) {
        if (!(error instanceof Inconclusive && concernsOneInputOnly(error))) throw error
        return error.kind === 'withheld' ? { input, refusalReason: error.message } : { input, inconclusive: error }
      }
    }),
  )
}

const stringFor = <I>({ stringOf }: Pick<InputCases<I>, 'stringOf'>, input: I): string | undefined =>
  stringOf ? stringOf(input) : typeof input === 'string' ? input : undefined

export function describeInput<I>(
  cases: Pick<InputCases<I>, 'textOf' | 'stringOf' | 'areUnlisted'>,
  given: I,
): InputDescription {
  const input = stringFor(cases, given)
  return {
    text: cases.textOf(given),
    ...(input !== undefined && { input }),
    ...(cases.areUnlisted && { isGenerated: true }),
  }
}

export const createFailedInput = (candidate: CandidateViolation, found: InputDescription): FailedInput => ({
  violation: candidate.violation,
  exchanges: candidate.exchanges,
  shownExchanges: excerptShownExchanges(candidate),
  ...found,
})

export const inputsWithCandidate = <I>(tried: readonly TestedInput<I>[]): InputWithCandidate<I>[] =>
  tried.flatMap(({ input, candidate }) => (candidate ? [{ input, candidate }] : []))

export const passedInputsIn = <I>(tried: readonly TestedInput<I>[], cases: Pick<InputCases<I>, 'stringOf'>): string[] =>
  tried.flatMap(({ input, candidate, inconclusive, refusalReason }) =>
    !candidate && !inconclusive && refusalReason === undefined ? (stringFor(cases, input) ?? []) : [],
  )

/** Returns the reason why a check is inconclusive that has too many failing inputs to recheck. */
export const createBudgetReason = (count: number) => ({
  reason: new Inconclusive(
    'budget',
    `${count} inputs seem to violate the requirement, but the requests were not enough to recheck all of them`,
  ),
  exchanges: [],
})

/** The minimum number of inputs with the same wrong response. Fewer may be a single incident. */
const MIN_FAILED_INPUTS = 3

/**
 * Finds a defect that recurs with several inputs although each of them passes when it is tested again, e.g. because
 * only the first request for each name fails (T2.8). The responses must be wrong by themselves (T2.9), and must not come
 * from an outage.
 * @returns the inputs with this defect; none if there are too few
 */
export function findRecurringFailures<I>(candidates: readonly InputWithCandidate<I>[]): readonly InputWithCandidate<I>[] {
  const byKind = new Map<string, InputWithCandidate<I>[]>()
  for (const one of candidates) {
    const { isWrongByItself, defectKind } = one.candidate.violation.contradiction
    if (!isWrongByItself || defectKind === undefined || one.candidate.exchanges.some(isServiceFailure)) continue
    byKind.set(defectKind, [...(byKind.get(defectKind) ?? []), one])
  }
  const recurring = [...byKind.values()].find((all) => all.length >= MIN_FAILED_INPUTS) ?? []
  const how = 'intermittent: repeated requests were answered correctly'
  return recurring.map(({ input, candidate }) => ({ input, candidate: markAsIntermittent(candidate, how) }))
}

/** Returns 0 for printable ASCII, 1 for other printable text, 2 for text with control characters. */
const strangenessOf = (text: string): number => (/^[ -~]*$/.test(text) ? 0 : /\p{C}/u.test(text) ? 2 : 1)

/** Returns the most ordinary input, the shortest if there are several, if it is more ordinary than `shown`. */
export function findMoreOrdinaryInput<I>(
  candidates: readonly InputWithCandidate<I>[],
  shown = '',
): InputWithCandidate<I> | undefined {
  const texts = candidates.flatMap((one) => (typeof one.input === 'string' ? [{ one, text: one.input }] : []))
  const [best] = texts.sort((a, b) => strangenessOf(a.text) - strangenessOf(b.text) || a.text.length - b.text.length)
  return best && strangenessOf(best.text) < strangenessOf(shown) ? best.one : undefined
}

import type { Assertion, InputCases, TestedProperty } from '../check/check.ts'
import type { Reader } from '../check/readers.ts'
import { InputRefused } from '../check/violations.ts'
import { concernsOneInputOnly, Inconclusive } from '../inconclusive.ts'
import { type CandidateViolation, findCandidateViolation } from './candidate.ts'
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

export interface InputCandidate<I> {
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

export const inputCandidatesIn = <I>(tried: readonly TestedInput<I>[]): InputCandidate<I>[] =>
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

import type { Assertion, InputCases, TestedProperty } from '../check/check.ts'
import type { Reader } from '../check/readers.ts'
import { InputRefused } from '../check/violations.ts'
import { canRunContinueAfter, Inconclusive } from '../inconclusive.ts'
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

/** A failing input, with its violation. */
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
        if (!(error instanceof Inconclusive && canRunContinueAfter(error))) throw error
        return error.kind === 'withheld' ? { input, refusalReason: error.message } : { input, inconclusive: error }
      }
    }),
  )
}

/** Returns the string that is sent for an input; undefined if the input is no string, and `stringOf` is absent. */
const stringFor = <I>({ stringOf }: Pick<InputCases<I>, 'stringOf'>, input: I): string | undefined =>
  stringOf ? stringOf(input) : typeof input === 'string' ? input : undefined

/** A test of a requirement with one input. If the requirement needs no input, the description is empty. */
export interface InputTest {
  readonly assertion: Assertion
  readonly description: InputDescription
}

/** @param path the steps by which fast-check reaches the input */
export function createInputTest<I>(
  cases: Pick<InputCases<I>, 'assert' | 'textOf' | 'stringOf' | 'areUnlisted'>,
  tested: I,
  path?: string,
): InputTest {
  const input = stringFor(cases, tested)
  return {
    assertion: (read) => cases.assert(tested, read),
    description: {
      text: cases.textOf(tested),
      ...(input !== undefined && { input }),
      ...(cases.areUnlisted && { isGenerated: true }),
      ...(path !== undefined && { path }),
    },
  }
}

export const createFailedInput = (candidate: CandidateViolation, description: InputDescription): FailedInput => ({
  violation: candidate.violation,
  exchanges: candidate.exchanges,
  shownExchanges: excerptShownExchanges(candidate),
  ...description,
})

/** Returns the failing inputs. */
export const inputsWithCandidate = <I>(tested: readonly TestedInput<I>[]): InputWithCandidate<I>[] =>
  tested.flatMap(({ input, candidate }) => (candidate ? [{ input, candidate }] : []))

/** Counts the inputs that passed or failed. */
export const countDecidedInputs = (tested: readonly TestedInput<unknown>[]): number =>
  tested.filter(({ inconclusive, refusalReason }) => inconclusive === undefined && refusalReason === undefined).length

/** Returns the strings that were sent for the inputs that passed. */
export const passedInputsIn = <I>(
  tested: readonly TestedInput<I>[],
  cases: Pick<InputCases<I>, 'stringOf'>,
): string[] =>
  tested.flatMap(({ input, candidate, inconclusive, refusalReason }) =>
    !candidate && !inconclusive && refusalReason === undefined ? (stringFor(cases, input) ?? []) : [],
  )

/** Returns the reason why a check is inconclusive if it has too many failing inputs to recheck them all. */
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
 * only the first request for each name fails (T2.8). The responses must be wrong by themselves (T2.9), and no failures of
 * the service.
 * @returns the inputs with this defect; none if there are too few
 */
export function findRecurringFailures<I>(
  candidates: readonly InputWithCandidate<I>[],
): readonly InputWithCandidate<I>[] {
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

/**
 * Returns the most ordinary of the failing inputs that are strings, or the shortest of several equally ordinary ones.
 * Returns undefined if none is more ordinary than `shown`.
 */
export function findMoreOrdinaryInput<I>(
  candidates: readonly InputWithCandidate<I>[],
  shown = '',
): InputWithCandidate<I> | undefined {
  const texts = candidates.flatMap((one) => (typeof one.input === 'string' ? [{ one, text: one.input }] : []))
  const [best] = texts.sort((a, b) => strangenessOf(a.text) - strangenessOf(b.text) || a.text.length - b.text.length)
  return best && strangenessOf(best.text) < strangenessOf(shown) ? best.one : undefined
}

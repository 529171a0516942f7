import type { Assertion, Cases, Law } from '../check/check.ts'
import type { Reader } from '../check/readers.ts'
import { NotTried } from '../check/violations.ts'
import { concernsOne, Inconclusive } from '../inconclusive.ts'
import { type Suspicion, suspicionOf } from './candidate.ts'
import type { Broken, Confirmed } from './check-record.ts'
import { tellingExchanges } from './shown-exchanges.ts'

/** The input of a violation, as text and as a string. */
export type Found = Pick<Confirmed, 'text' | 'input' | 'isGenerated' | 'path'>

/** The result of testing one input. */
export interface Tried<I> {
  readonly input: I
  /** A candidate, a reason why no result is possible, or neither if the requirement is met. */
  readonly suspicion?: Suspicion | undefined
  readonly untold?: Inconclusive
  /** The reason why the deployment refused the input. */
  readonly untried?: string | undefined
}

export interface Suspected<I> {
  readonly input: I
  readonly suspicion: Suspicion
}

/** Tests a requirement with every input, concurrently. */
export function tryAll<I>(inputs: readonly I[], law: Pick<Law<I>, 'assert'>, reader: Reader): Promise<Tried<I>[]> {
  return Promise.all(
    inputs.map(async (input): Promise<Tried<I>> => {
      let untried: string | undefined
      const noting: Assertion = (read) =>
        law.assert(input, read).catch((error: unknown) => {
          if (error instanceof NotTried) untried = error.message
          throw error
        })
      try {
        return { input, suspicion: await suspicionOf(noting, reader), untried }
      } catch (error) {
        if (!(error instanceof Inconclusive && concernsOne(error))) throw error
        return error.kind === 'withheld' ? { input, untried: error.message } : { input, untold: error }
      }
    }),
  )
}

type Telling<I> = Pick<Cases<I>, 'textOf' | 'stringOf'>

const stringIn = <I>({ stringOf }: Pick<Cases<I>, 'stringOf'>, input: I): string | undefined =>
  stringOf ? stringOf(input) : typeof input === 'string' ? input : undefined

export function foundWith<I>(law: Telling<I>, given: I): Found {
  const input = stringIn(law, given)
  return { text: law.textOf(given), ...(input !== undefined && { input }) }
}

export const generated = <I>(law: Telling<I>, input: I): Found => ({
  ...foundWith(law, input),
  isGenerated: true,
})

export const foundIn = <I>(cases: Cases<I>, input: I): Found =>
  cases.areUnlisted === true ? generated(cases, input) : foundWith(cases, input)

export const brokenBy = (suspicion: Suspicion, found: Found): Broken => ({
  violation: suspicion.violation,
  exchanges: suspicion.exchanges,
  telling: tellingExchanges(suspicion),
  ...found,
})

export const suspectsAmong = <I>(tried: readonly Tried<I>[]): Suspected<I>[] =>
  tried.flatMap(({ input, suspicion }) => (suspicion ? [{ input, suspicion }] : []))

export const keptAmong = <I>(tried: readonly Tried<I>[], law: Pick<Cases<I>, 'stringOf'>): string[] =>
  tried.flatMap(({ input, suspicion, untold, untried }) =>
    !suspicion && !untold && untried === undefined ? (stringIn(law, input) ?? []) : [],
  )

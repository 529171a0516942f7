import type { Assertion, Cases, Law } from '../check/check.ts'
import type { Reader } from '../check/readers.ts'
import { NotTried } from '../check/violations.ts'
import { concernsOne, Inconclusive } from '../inconclusive.ts'
import { type Suspicion, suspicionOf } from './candidate.ts'
import type { Broken, Confirmed } from './check-record.ts'
import { tellingExchanges } from './shown-exchanges.ts'

/** What is said of a violation beside what shows it. */
export type Found = Pick<Confirmed, 'text' | 'input' | 'isGenerated' | 'path'>

/** What came of an input. */
export interface Tried<I> {
  readonly input: I
  /** A suspicion, a reason why it cannot be told, or neither: the promise is kept. */
  readonly suspicion?: Suspicion | undefined
  readonly untold?: Inconclusive
  /** Why the promise was not tried on it. */
  readonly untried?: string | undefined
}

export interface Suspected<I> {
  readonly input: I
  readonly suspicion: Suspicion
}

/** Tries a promise on every input, at once. */
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

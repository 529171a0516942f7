import type { Blame } from '../check/verdict.ts'
import { type Contradiction, namesOf } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Inconclusive } from '../inconclusive.ts'
import { isFailure, type Suspicion } from './candidate.ts'
import { hasOneOf, traitsInCommon, traitsToBlame } from './common-traits.ts'

/** An input that breaks a promise, or the promise as a whole. */
export interface Broken extends Pick<Suspicion, 'violation' | 'exchanges'> {
  /** The input as people would type it. */
  readonly text?: string
  /** The exchanges to show, the telling one first. */
  readonly telling: readonly Exchange[]
  /** The input itself, where it is a string. */
  readonly input?: string
  /** What is odd about the answer that is shown, beside what is wrong with it. */
  readonly note?: string
  /** Nobody chose the input: others like it break the promise too. */
  readonly isGenerated?: boolean
}

/** A confirmed violation, with what a finding needs beside it. */
export interface Confirmed extends Broken {
  readonly path?: string
  /** The other inputs that break the promise. */
  readonly also: readonly Broken[]
  /** The inputs that were answered rightly, for what the others have in common. */
  readonly kept: readonly string[]
}

/** What is known of a promise so far: a confirmed violation, or a reason for no verdict, or neither: it was kept. */
export interface CheckRecord {
  asked: number
  sampledFrom?: number
  /** Why an input does not count as asked. */
  untried?: string | undefined
  exercised?: string
  caveat?: string
  confirmed?: Confirmed
  undecided?: { readonly reason: Inconclusive; readonly exchanges: readonly Exchange[] }
}

/** Inputs that checks do without, because what they require is broken for these, and only for these. */
export interface Spoilt {
  readonly inputs: ReadonlySet<string>
  /** Which checks say what is wrong with them, in words. */
  readonly by: readonly string[]
}

const failed = ({ exchanges }: Broken): boolean => exchanges.some(isFailure)

const mannerOf = ({ manner, actual }: Contradiction): string => manner ?? actual

/** What violations say against others. */
export function blameOf(confirmed: Confirmed): Blame {
  const all = allBroken(confirmed)
  const contradictions = all.map(({ violation }) => violation.contradiction)
  const names = all.map((broken) => blamed(broken, confirmed.kept))
  const inputs = all.flatMap(({ input }) => input ?? [])
  const [first, ...others] = contradictions.map(({ causes = [] }) => causes)
  return {
    about: names.includes(undefined) ? undefined : new Set(names.flatMap((some) => some ?? [])),
    inputs: new Set(inputs),
    manner: mannerOf(confirmed.violation.contradiction),
    traits: traitsOf(confirmed),
    misread: [
      ...new Set([
        ...traitsToBlame(inputs, confirmed.kept),
        ...contradictions.flatMap(({ misreads = [] }) => misreads),
      ]),
    ],
    causes: (first ?? []).filter((cause) => others.every((causes) => causes.includes(cause))),
    everywhere: contradictions.every(({ everywhere }) => everywhere === confirmed.violation.contradiction.everywhere)
      ? confirmed.violation.contradiction.everywhere
      : undefined,
    isFailure: all.some(failed),
    isUnsteady: contradictions.some(({ isUnsteady, evidence }) => isUnsteady || evidence?.inFlight.length),
  }
}

/**
 * The names that are wrong; none where it is wrong for an input alone, undefined where it may be for anything: no input
 * was answered rightly, or there is none.
 */
function blamed({ violation, input }: Broken, kept: readonly string[]): readonly string[] | undefined {
  const { about, lacks, isOfAnything } = violation.contradiction
  if (isOfAnything || (input !== undefined && kept.length === 0)) return undefined
  return about || lacks || input !== undefined ? [...(about ?? []), ...(lacks ?? [])] : undefined
}

/**
 * Returns whether a violation elsewhere explains this one: it has the same cause, the same input or one with the same
 * misread trait, or it is about names that are wrong there. A failing service is explained only by its failing, and a
 * response that is wrong by itself (section 4.2) is not explained by names that are wrong elsewhere.
 */
export function explains(blame: Blame, broken: Broken): boolean {
  if (failed(broken) && !blame.isFailure) return false
  const { about } = blame
  const { input, violation } = broken
  const { lacks, causes = [], misreads = [], isOfAll, isWrongByItself, ...others } = violation.contradiction
  if (isOfAll || (about === undefined && !isWrongByItself)) return true
  const isWrong = (name: string) => !isWrongByItself && about !== undefined && about.has(name)
  const isInput = (text: string) => isWrong(text) || blame.inputs.has(text) || hasOneOf(blame.misread, text)
  if (causes.some((cause) => blame.causes.includes(cause))) return true
  if (misreads.some((trait) => blame.misread.includes(trait))) return true
  if (input !== undefined && isInput(input)) return true
  return lacks?.every(isWrong) === true || namesOf(others).some(isWrong)
}

/** What the listed names that break a promise have and the others have not. */
function traitsOf(confirmed: Confirmed): readonly string[] {
  const inputs = ownInputs(confirmed)
  return inputs.length === allBroken(confirmed).length ? traitsInCommon(inputs, confirmed.kept) : []
}

/** The listed names that break a promise. */
const ownInputs = (confirmed: Confirmed): readonly string[] =>
  allBroken(confirmed).flatMap(({ input, isGenerated }) => (input && !isGenerated ? [input] : []))

/** All that break the promise, the one that is shown first. */
export const allBroken = (confirmed: Confirmed): readonly Broken[] => [confirmed, ...confirmed.also]

/** The one that was found last is shown; the path leads to the one that was found first, and is left out. */
export function lastFirst(confirmed: Confirmed): Confirmed {
  const { also, kept } = confirmed
  const last = also.at(-1)
  return last ? { ...last, also: [confirmed, ...also.slice(0, -1)], kept } : confirmed
}

/** The inputs for which the promise is broken, where it is kept for others; none where it may be broken for all. */
export function spoiltBy(confirmed: Confirmed): readonly string[] {
  const all = allBroken(confirmed)
  const isOfNames = all.every(({ violation, input }) => input && violation.contradiction.about !== undefined)
  return isOfNames && confirmed.kept.length > 0 ? all.flatMap(({ input }) => input ?? []) : []
}

/** What is left of it when what others explain is taken away. */
export function without(confirmed: Confirmed, isExplained: (broken: Broken) => boolean): Confirmed | undefined {
  const [first, ...also] = allBroken(confirmed).filter((broken) => !isExplained(broken))
  if (!first) return undefined
  return first === confirmed ? { ...confirmed, also } : { ...first, also, kept: confirmed.kept }
}

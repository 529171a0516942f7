import type { Blame } from '../check/verdict.ts'
import { type Contradiction, namesOf } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Inconclusive } from '../inconclusive.ts'
import { isFailure, type Suspicion } from './candidate.ts'
import { hasOneOf, traitsInCommon, traitsToBlame } from './common-traits.ts'

/** One failing input with its violation, or the violation of a check without inputs. */
export interface Broken extends Pick<Suspicion, 'violation' | 'exchanges'> {
  /** The input as a person would type it. */
  readonly text?: string
  /** The exchanges to show, the most telling first. */
  readonly telling: readonly Exchange[]
  /** The input itself, if it is a string. */
  readonly input?: string
  /** An oddity of the response that may explain the defect, e.g. the media type of a gateway. */
  readonly note?: string
  /** The place to look for the observed cause. */
  readonly fix?: string
  /** True if the input is generated or unlisted: other inputs like it fail too. */
  readonly isGenerated?: boolean
}

/** A confirmed violation, with everything that a finding needs. */
export interface Confirmed extends Broken {
  readonly path?: string
  /** The other failing inputs. */
  readonly also: readonly Broken[]
  /** The inputs that passed: the traits of the failing ones are compared with theirs. */
  readonly kept: readonly string[]
}

/**
 * The state of a check: a confirmed violation, a reason why no verdict is possible, or neither if the requirement was
 * met.
 */
export interface CheckRecord {
  asked: number
  sampledFrom?: number
  /** The reason why a refused input does not count as tested. */
  untried?: string | undefined
  exercised?: string
  caveat?: string
  confirmed?: Confirmed
  undecided?: { readonly reason: Inconclusive; readonly exchanges: readonly Exchange[] }
}

/** Inputs that dependent checks leave out, because a prerequisite failed for them and for no others. */
export interface Spoilt {
  readonly inputs: ReadonlySet<string>
  /** The failed checks, in words. */
  readonly by: readonly string[]
}

const failed = ({ exchanges }: Broken): boolean => exchanges.some(isFailure)

const mannerOf = ({ manner, actual }: Contradiction): string => manner ?? actual

/** Returns the traits that decide which other violations have the same cause. */
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
 * Returns the names at fault: none if only the input itself is at fault, undefined if any name may be (no input passed,
 * or there are no inputs).
 */
function blamed({ violation, input }: Broken, kept: readonly string[]): readonly string[] | undefined {
  const { about, lacks, isOfAnything } = violation.contradiction
  if (isOfAnything || (input !== undefined && kept.length === 0)) return undefined
  return about || lacks || input !== undefined ? [...(about ?? []), ...(lacks ?? [])] : undefined
}

/**
 * Returns whether a violation elsewhere explains this one: it has the same cause, the same input or one with the same
 * misread trait, or it concerns names that are at fault there. A service failure is explained only by another service
 * failure, and a response that is wrong by itself (T2.9) is not explained by names.
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

/** Returns the traits that all failing listed names have, and no passing one has. */
function traitsOf(confirmed: Confirmed): readonly string[] {
  const inputs = ownInputs(confirmed)
  return inputs.length === allBroken(confirmed).length ? traitsInCommon(inputs, confirmed.kept) : []
}

/** The failing inputs that are listed names. */
const ownInputs = (confirmed: Confirmed): readonly string[] =>
  allBroken(confirmed).flatMap(({ input, isGenerated }) => (input && !isGenerated ? [input] : []))

/** All failing inputs, the one shown first at the start. */
export const allBroken = (confirmed: Confirmed): readonly Broken[] => [confirmed, ...confirmed.also]

/** Shows the input that was confirmed last. The path leads to the first one, so it is dropped. */
export function lastFirst(confirmed: Confirmed): Confirmed {
  const { also, kept } = confirmed
  const last = also.at(-1)
  return last ? { ...last, also: [confirmed, ...also.slice(0, -1)], kept } : confirmed
}

/** The failing inputs, if others passed; empty if every input may fail. */
export function spoiltBy(confirmed: Confirmed): readonly string[] {
  const all = allBroken(confirmed)
  const isOfNames = all.every(({ violation, input }) => input && violation.contradiction.about !== undefined)
  return isOfNames && confirmed.kept.length > 0 ? all.flatMap(({ input }) => input ?? []) : []
}

/** Removes the failing inputs that other violations explain; undefined if none is left. */
export function without(confirmed: Confirmed, isExplained: (broken: Broken) => boolean): Confirmed | undefined {
  const [first, ...also] = allBroken(confirmed).filter((broken) => !isExplained(broken))
  if (!first) return undefined
  return first === confirmed ? { ...confirmed, also } : { ...first, also, kept: confirmed.kept }
}

import type fc from 'fast-check'
import type { Clock } from '../clock.ts'
import type { Cause } from '../history/experiment.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Read, Reader, Subject } from './readers.ts'
import type { CheckFacts, Scope } from './verdict.ts'

/** Tries a promise on what is read: throws a Violation where it is broken, or returns. */
export type Assertion = (read: Read) => Promise<void>

/** What a check asks with, and what it finds with it is recorded by. */
export interface CheckContext<T> {
  /** What is asked: the deployment, as the checks see it. */
  readonly target: T
  readonly scope: Scope
  /** What was read before is not asked again. */
  readonly read: Read
  /** All that was read so far in this run. */
  readonly readings: Reader
  /** Inputs to do without: what this check requires is broken for these, and only for these. */
  spoilt(): ReadonlySet<string>
  /** A reader that asks anew. */
  fresh(): Reader
  /** Tries a promise once. */
  verify(assertion: Assertion): Promise<void>
  /** Tries a promise on every input, or on a stated sample of them. */
  verifyEach<I>(cases: Cases<I>): Promise<void>
  /** Tries a promise on examples and on generated inputs, and shrinks the one that breaks it. */
  verifyLaw<I>(law: Law<I>): Promise<void>
  /** Finds out by experiment whether asking makes a change that was seen. */
  verifyCause(claim: CausalClaim): Promise<void>
  readonly clock: Pick<Clock, 'now' | 'wallTime'>
  /**
   * Waits.
   * @throws {Inconclusive} when the run ends meanwhile
   */
  pause(ms: number): Promise<void>
  /** Says what became of what was tried. */
  tell(exercised: string): void
  /** Says what keeps a pass from saying more; `--strict` takes it for undecided. */
  qualify(caveat: string): void
  readonly seed: number
  /** Whether something was already found or found undecidable. */
  isSettled(): boolean
  /** Whether a violation was already found. */
  isBroken(): boolean
}

/** One way of trying a promise. */
export type Try<T> = (context: CheckContext<T>) => Promise<void>

/** It is the asking that changes what is asked. */
export interface CausalClaim {
  /** Tried one after the other until one shows that it is the asking. */
  readonly experiments: readonly (() => Promise<Cause>)[]
  readonly expected: string
  readonly actual: string
  readonly manner: string
  /** What was seen to change, in words: what a pass says where it is not the asking. */
  readonly otherwise: string
  /** Shows the change once, when the asking makes it: what to repeat to see it. */
  readonly demonstrate: () => Promise<readonly Exchange[]>
}

export interface Cases<I> {
  readonly inputs: readonly I[]
  /** How many these were drawn from, where they are a sample. */
  readonly from?: number
  /** Those of them that are tried whatever is drawn by lot. */
  readonly always?: readonly I[]
  /** None of them is listed: others like them would break the promise as well. */
  readonly areUnlisted?: boolean
  readonly textOf: (input: I) => string
  /** The string that is asked with, where the input is more than that. */
  readonly stringOf?: (input: I) => string
  readonly assert: (input: I, read: Read) => Promise<void>
}

export interface Law<I> {
  readonly inputs: fc.Arbitrary<I>
  /** Always tried, before anything generated. */
  readonly examples: readonly I[]
  /** How many more examples there are than are tried. */
  readonly leftOut?: number
  /** What will be read for an input, so that it can be asked for early. */
  readonly reads: (input: I) => readonly Subject<unknown>[]
  readonly textOf: (input: I) => string
  readonly assert: (input: I, read: Read) => Promise<void>
}

/** A promise, as data, and the ways in which it is tried. Importing one runs nothing. */
export interface Check<T> extends CheckFacts {
  /** The clauses of the contract that it verifies. */
  readonly clauses: readonly string[]
  /** Numbers of the rulings that these clauses belong to. */
  readonly rulings: readonly number[]
  /** One verdict each. */
  readonly scopes: readonly Scope[]
  /** It speaks of the deployment as a whole: broken, it counts in every class, and it is tried where one version of its scope is judged. */
  readonly isOfWhole: boolean
  /** Ids of checks that must pass before this one can be asked at all. */
  readonly requires: readonly string[]
  /** Ids of checks whose violation explains a violation here: then this one is not a finding of its own. */
  readonly explainedBy: readonly string[]
  /** `last`: asked alone, after all others. */
  readonly when: 'any time' | 'last'
  /** How many requests it sends in each scope that no other check sends, whatever is listed: where few are sent, they are kept for it. */
  readonly requestsOfItsOwn: number
  /** Why anyone should care. */
  readonly why: string
  /** How it is asked. */
  readonly how: string
  readonly fix: string
  /** Asked alone, before all others; what they find counts with what `tries` find. */
  readonly triesFirst: readonly Try<T>[]
  /** Asked beside the checks that are asked at any time, so that it comes at many moments of a run. */
  readonly triesMeanwhile: readonly Try<T>[]
  /** Asked one after the other, until one finds a violation. */
  readonly tries: readonly Try<T>[]
  /** Tried on new readings at the end, where what is read was seen to move. */
  readonly triesAgain: readonly Try<T>[]
  /** Says afterwards what became of what was tried; judges nothing. */
  readonly account?: Try<T>
}

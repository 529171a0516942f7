import type fc from 'fast-check'
import type { Cause } from './experiment.ts'
import type { Read, Reader, Subject } from './reading.ts'
import type { Exchange } from './session.ts'
import type { CheckFacts } from './verdict.ts'

/** `each`: both prefixes, one verdict each; `both`: one verdict about the two together. */
export type Versions = 'each' | 'v2' | 'v3' | 'both'

/** What a check needs of the run while it asks. */
export interface Trial<C> {
  readonly context: C
  /** From memory: what was asked before is not asked again. */
  readonly read: Read
  /** All that was read so far in this run. */
  readonly memory: Reader
  /** Judges once. */
  judge(ask: (read: Read) => Promise<void>): Promise<void>
  /** Judges every input, or a stated sample of them. */
  judgeEach<I>(chosen: Chosen<I>): Promise<void>
  /** Judges inputs that nobody chose, and shrinks the one that breaks the promise. */
  judgeAll<I>(law: Law<I>): Promise<void>
  /** Reads that always ask. */
  again(): Reader
  /** Judges by experiment whether asking changes what is read, when a change was seen. */
  judgeCause(control: Control): Promise<void>
  readonly seed: number
  /** Whether something was already found or found undecidable. */
  readonly isSettled: () => boolean
  /** Whether a violation was already found. */
  readonly isBroken: () => boolean
}

export interface Control {
  /** Experiments, tried one after the other until one shows that it is the asking. */
  readonly experiments: readonly (() => Promise<Cause>)[]
  readonly expected: string
  readonly actual: string
  /** Shows the change once, when the asking makes it: what to repeat to see it. */
  readonly demonstrate: () => Promise<readonly Exchange[]>
}

export interface Chosen<I> {
  readonly inputs: readonly I[]
  readonly textOf: (input: I) => string
  readonly ask: (input: I, read: Read) => Promise<void>
}

export interface Law<I> {
  readonly inputs: fc.Arbitrary<I>
  readonly examples: readonly I[]
  /** What will be read for an input, so that it can be asked for early. */
  readonly reads: (input: I) => readonly Subject<unknown>[]
  readonly textOf: (input: I) => string
  readonly ask: (input: I, read: Read) => Promise<void>
}

/** A promise, as data, and the asking that tries it. Importing one runs nothing. */
export interface Check<C> extends CheckFacts {
  readonly versions: Versions
  /** Ids of checks that must pass before this one can be asked at all. */
  readonly requires: readonly string[]
  /** Ids of checks whose violation explains a violation here: then this one is not a finding of its own. */
  readonly explainedBy: readonly string[]
  /** `last`: asked alone, after all others. */
  readonly when: 'any time' | 'last'
  /** Why anyone should care. */
  readonly why: string
  /** How it is asked. */
  readonly how: string
  /** How to mend what breaks it. */
  readonly fix: string
  /** Asked alone, before all others; what it finds counts with what `run` finds. */
  before?(trial: Trial<C>): Promise<void>
  run(trial: Trial<C>): Promise<void>
}

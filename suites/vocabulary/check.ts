import type fc from 'fast-check'
import type { OperationId } from '../../fixtures/contract/operations.ts'
import type { StatementId } from '../../fixtures/contract/statements.ts'
import type { Check, Trial } from '../engine/check.ts'
import type { Read, Subject } from '../engine/reading.ts'
import type { Directories } from './directory.ts'
import { quoted } from './text.ts'

/** One way of trying a promise: once, on the deployment's own names, or on inputs that nobody chose. */
export type Try = (trial: Trial<Directories>) => Promise<void>

export interface PromiseFacts
  extends Omit<
    Check<Directories>,
    'run' | 'before' | 'requires' | 'explainedBy' | 'when' | 'statements' | 'operation'
  > {
  readonly statements: readonly StatementId[]
  readonly operation: OperationId | 'all'
  readonly requires?: readonly string[]
  readonly explainedBy?: readonly string[]
  readonly when?: 'last'
  readonly tries: Try | readonly Try[]
  /** Tried alone, before all other checks. */
  readonly triesFirst?: Try
}

/** A check as the catalogue lists it. */
export function check({
  tries,
  triesFirst,
  requires = [],
  explainedBy = [],
  when,
  ...facts
}: PromiseFacts): Check<Directories> {
  const all = typeof tries === 'function' ? [tries] : tries
  return {
    ...facts,
    requires,
    explainedBy,
    when: when ?? 'any time',
    ...(triesFirst && { before: triesFirst }),
    async run(trial) {
      for (const one of all) if (!trial.isBroken()) await one(trial)
    },
  }
}

/** Tries a promise once. */
export const once =
  (ask: (directories: Directories, read: Read) => Promise<void>): Try =>
  (trial) =>
    trial.judge((read) => ask(trial.context, read))

/** Tries a promise on every input given, or on a stated sample of them. */
export const each =
  <I>(
    given: (directories: Directories, read: Read) => Promise<readonly I[]> | readonly I[],
    ask: (input: I, directories: Directories, read: Read) => Promise<void>,
    { textOf = inputText }: { readonly textOf?: (input: I) => string } = {},
  ): Try =>
  async ({ context, read, judgeEach }) => {
    const inputs = await given(context, read)
    await judgeEach({
      inputs,
      textOf,
      ask: (input, reader) => ask(input, context, reader),
    })
  }

const inputText = (input: unknown): string => (typeof input === 'string' ? quoted(input) : JSON.stringify(input))

export interface Inputs {
  readonly generated: fc.Arbitrary<string>
  readonly always: readonly string[]
}

/** Tries a promise on strings that nobody chose. */
export const all =
  (
    given: (directories: Directories, read: Read) => Promise<Inputs>,
    reads: (input: string, directories: Directories) => readonly Subject<unknown>[],
    ask: (input: string, directories: Directories, read: Read) => Promise<void>,
  ): Try =>
  async (trial) => {
    const { generated, always } = await given(trial.context, trial.read)
    await trial.judgeAll({
      inputs: generated,
      examples: always,
      textOf: quoted,
      reads: (input) => reads(input, trial.context),
      ask: (input, read) => ask(input, trial.context, read),
    })
  }

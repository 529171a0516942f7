import type { Check } from './check.ts'
import type { Reader, Subject } from './reading.ts'
import type { Exchange, Session } from './session.ts'
import type { Effort } from './trial.ts'
import type { RunResult, Scope } from './verdict.ts'

/** Looks at what a deployment chose where the document is silent. Never judges. */
export interface Observer<C> {
  readonly id: string
  readonly versions: Check<C>['versions']
  readonly operation?: string | undefined
  /** @returns what was seen, or undefined when nothing was there to see */
  observe(
    context: C,
    memory: Reader,
  ): Promise<{ readonly value: string; readonly shownBy: readonly Subject<unknown>[] } | undefined>
}

export interface Plan<C> {
  readonly checks: readonly Check<C>[]
  readonly observers: readonly Observer<C>[]
  /** The prefixes to judge. */
  readonly versions: readonly ('v2' | 'v3')[]
  /** Which checks to report; their prerequisites are run too. */
  readonly selects: (id: string) => boolean
  /** With `false`, a violation is a finding even where another check's violation would explain it: for replays. */
  readonly explains: boolean
  readonly session: Session
  contextOf(scope: Scope, memory: Reader): C
  readonly effort: { readonly name: RunResult['effort'] } & Effort
  readonly seed: number
  readonly path: string | undefined
  /** Ids of checks about the deployment as a whole. */
  readonly ofAll: ReadonlySet<string>
  onVerdict?(done: number, total: number): void
}

export const scopesOf = (versions: Check<never>['versions']): readonly Scope[] =>
  versions === 'each' ? ['v2', 'v3'] : versions === 'both' ? ['v2+v3'] : [versions]

export const versionsIn = (scope: Scope): readonly ('v2' | 'v3')[] => (scope === 'v2+v3' ? ['v2', 'v3'] : [scope])

/** One check under one prefix, or of both. */
export interface Case<C> {
  readonly check: Check<C>
  readonly scope: Scope
}

/** Keeps an exchange for the reports; answers with what to cite it by. */
export type Cite = (exchanges: readonly Exchange[]) => number[]

import type { OperationId } from '../../../fixtures/contract/operations.ts'
import { type ClauseId, rulingNumbers } from '../../../fixtures/contract/rulings.ts'
import type { StatementId } from '../../../fixtures/contract/statements.ts'
import {
  type Deployment,
  type OneVersion,
  oneVersion,
  type TwoVersions,
  twoVersions,
} from '../../directory/deployment.ts'
import type { Drawn } from '../../directory/inputs/own-names.ts'
import type { Strings } from '../../directory/inputs.ts'
import { quoted } from '../../directory/shared/text.ts'
import { scopesOf } from '../../directory/shared/versions.ts'
import type { Cases, Check, CheckContext, Try as EngineTry } from '../../engine/check/check.ts'
import type { Read, Subject } from '../../engine/check/readers.ts'
import type { Scope } from '../../engine/check/verdict.ts'
import type { CheckId } from './ids.ts'

/** A probe: once, with the deployment's own names, or with generated inputs. */
export type Try<T = OneVersion> = EngineTry<T>

/** A requirement: its texts, its sources and its probes. */
export interface PromiseFacts<T, Id extends string = CheckId>
  extends Pick<Check<T>, 'title' | 'level' | 'why' | 'how' | 'fix' | 'tries'> {
  readonly id: Id
  readonly operation: OperationId | 'all'
  readonly statements: readonly StatementId[]
  /** The clauses that it verifies; a mutant that names none exercises the first. */
  readonly clauses: readonly ClauseId[]
  readonly requires?: readonly Id[]
  readonly explainedBy?: readonly Id[]
  readonly when?: 'last'
  /** Requests per scope that no other check sends, whatever is listed: quick effort reserves them. */
  readonly requestsOfItsOwn?: number
  /** Run alone, before all other checks. */
  readonly triesFirst?: readonly Try<T>[]
  /** Run beside other checks, at many moments of the run. */
  readonly triesMeanwhile?: readonly Try<T>[]
  /** Run again with new readings at the end, if lists have changed. */
  readonly triesAgain?: 'all' | readonly Try<T>[]
  /** Describes afterwards which inputs were tested. */
  readonly account?: Try<T>
}

/** A check of the catalogue has at least one probe: without any it could not fail. */
interface TriedFacts<T> extends PromiseFacts<T> {
  readonly tries: readonly [Try<T>, ...Try<T>[]]
}

/** Creates a check of the deployment from a requirement on a part of it. */
export function built<T>(
  {
    requires = [],
    explainedBy = [],
    when,
    requestsOfItsOwn = 0,
    triesFirst = [],
    triesMeanwhile = [],
    triesAgain = [],
    tries,
    account,
    ...facts
  }: PromiseFacts<T, string>,
  scopes: readonly Scope[],
  narrowed: (deployment: Deployment, scope: Scope, more: Pick<OneVersion, 'spoilt' | 'glance'>) => T,
): Check<Deployment> {
  const onDeployment =
    (one: Try<T>): Try<Deployment> =>
    (context: CheckContext<Deployment>) =>
      one({
        ...context,
        target: narrowed(context.target, context.scope, { spoilt: context.spoilt, glance: context.read }),
      })
  return {
    ...facts,
    rulings: rulingNumbers(facts.clauses),
    inputNoun: facts.operation === 'searchCats' ? 'queries' : 'names',
    scopes,
    requires,
    explainedBy,
    when: when ?? 'any time',
    requestsOfItsOwn,
    isOfWhole: false,
    triesFirst: triesFirst.map(onDeployment),
    triesMeanwhile: triesMeanwhile.map(onDeployment),
    tries: tries.map(onDeployment),
    triesAgain: (triesAgain === 'all' ? tries : triesAgain).map(onDeployment),
    ...(account && { account: onDeployment(account) }),
  }
}

/** A requirement on each version that has the operation. */
export const check = (facts: TriedFacts<OneVersion>): Check<Deployment> =>
  built(facts, scopesOf.each(facts.operation), oneVersion)

/** A requirement on each version that lacks the operation. */
export const checkOfAbsence = (facts: TriedFacts<OneVersion>): Check<Deployment> =>
  built(facts, scopesOf.without(facts.operation), oneVersion)

/** A requirement on two versions together. */
export const comparison = (facts: TriedFacts<TwoVersions>): Check<Deployment> =>
  built(facts, scopesOf.pairs(facts.operation), twoVersions)

/** A requirement on the deployment as a whole. */
export const checkOfWhole = (facts: TriedFacts<Deployment>): Check<Deployment> => ({
  ...built(facts, scopesOf.whole(), (deployment) => deployment),
  isOfWhole: true,
})

/** Tests a requirement once. */
export const once =
  <T>(assert: (target: T, read: Read) => Promise<void>): Try<T> =>
  ({ target, verify }) =>
    verify((read) => assert(target, read))

/** Tests a requirement with every given input, or with a stated sample. */
export const forEach =
  <I, T = OneVersion>(
    given: (target: T, read: Read) => Given<I> | Promise<Given<I>>,
    assert: (input: I, target: T, read: Read) => Promise<void>,
    {
      textOf = inputText,
      stringOf,
      areUnlisted = false,
    }: Partial<Pick<Cases<I>, 'textOf' | 'stringOf' | 'areUnlisted'>> = {},
  ): Try<T> =>
  async ({ target, read, verifyEach }) => {
    const all = await given(target, read)
    const drawn = 'from' in all ? all : { inputs: all }
    await verifyEach({
      ...drawn,
      textOf,
      ...(stringOf && { stringOf }),
      areUnlisted,
      assert: (input, reader) => assert(input, target, reader),
    })
  }

/** All inputs, or a sample of more. */
type Given<I> = readonly I[] | Drawn<I>

const inputText = (input: unknown): string => (typeof input === 'string' ? quoted(input) : JSON.stringify(input))

/** Tests a requirement with generated strings. */
export const forAll =
  <T = OneVersion>(
    given: (target: T, read: Read) => Promise<Strings>,
    reads: (input: string, target: T) => readonly Subject<unknown>[],
    assert: (input: string, target: T, read: Read) => Promise<void>,
  ): Try<T> =>
  async ({ target, read, verifyLaw }) => {
    const { generated, examples, leftOut } = await given(target, read)
    await verifyLaw({
      inputs: generated,
      examples,
      leftOut,
      textOf: quoted,
      reads: (input) => reads(input, target),
      assert: (input, reader) => assert(input, target, reader),
    })
  }

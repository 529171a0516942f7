import type { OperationId } from '../../../fixtures/contract/operations.ts'
import { type ClauseId, rulingNumbersOf } from '../../../fixtures/contract/rulings.ts'
import type { StatementId } from '../../../fixtures/contract/statements.ts'
import {
  createVersionPairTarget,
  createVersionTarget,
  type Deployment,
  type VersionPairTarget,
  type VersionTarget,
} from '../../directory/deployment.ts'
import type { InputSample } from '../../directory/inputs/listed-names.ts'
import type { TestStrings } from '../../directory/inputs.ts'
import { quoted } from '../../directory/shared/text.ts'
import { scopesOf } from '../../directory/shared/versions.ts'
import type { Cases, Check, CheckContext, Probe as EngineTry } from '../../engine/check/check.ts'
import type { Read, Subject } from '../../engine/check/readers.ts'
import type { Scope } from '../../engine/check/verdict.ts'
import type { CheckId } from './ids.ts'

/** A probe: once, with the deployment's own names, or with generated inputs. */
export type CheckProbe<T = VersionTarget> = EngineTry<T>

/** The context of a check of one version. */
export type VersionContext = CheckContext<VersionTarget>

/** A requirement: its texts, its sources and its probes. */
export interface RequirementFacts<T, Id extends string = CheckId>
  extends Pick<Check<T>, 'title' | 'level' | 'why' | 'how' | 'fix' | 'probes'> {
  readonly id: Id
  readonly operation: OperationId | 'all'
  readonly statements: readonly StatementId[]
  /** The clauses that it verifies; a mutant that names none exercises the first. */
  readonly clauses: readonly ClauseId[]
  readonly requires?: readonly Id[]
  readonly explainedBy?: readonly Id[]
  readonly when?: 'last'
  /** Requests per scope that no other check sends, whatever is listed: quick effort reserves them. */
  readonly ownRequests?: number
  /** Run alone, before all other checks. */
  readonly probesFirst?: readonly CheckProbe<T>[]
  /** Run beside other checks, at many moments of the run. */
  readonly probesMeanwhile?: readonly CheckProbe<T>[]
  /** Run again with new readings at the end, if lists have changed. */
  readonly probesAtEnd?: 'all' | readonly CheckProbe<T>[]
  /** Describes afterwards which inputs were tested. */
  readonly describe?: CheckProbe<T>
}

/** A check of the catalogue has at least one probe: without any it could not fail. */
interface CatalogueCheckFacts<T> extends RequirementFacts<T> {
  readonly probes: readonly [CheckProbe<T>, ...CheckProbe<T>[]]
}

/** Creates a check of the deployment from a requirement on a part of it. */
export function createCheck<T>(
  {
    requires = [],
    explainedBy = [],
    when,
    ownRequests = 0,
    probesFirst = [],
    probesMeanwhile = [],
    probesAtEnd = [],
    probes,
    describe,
    ...facts
  }: RequirementFacts<T, string>,
  scopes: readonly Scope[],
  createTarget: (
    deployment: Deployment,
    scope: Scope,
    more: Pick<VersionTarget, 'skippedInputs' | 'readForDisplay'>,
  ) => T,
): Check<Deployment> {
  const probeOnDeployment =
    (one: CheckProbe<T>): CheckProbe<Deployment> =>
    (context: CheckContext<Deployment>) =>
      one({
        ...context,
        target: createTarget(context.target, context.scope, {
          skippedInputs: context.skippedInputs,
          readForDisplay: context.read,
        }),
      })
  return {
    ...facts,
    rulings: rulingNumbersOf(facts.clauses),
    inputNoun: facts.operation === 'searchCats' ? 'queries' : 'names',
    scopes,
    requires,
    explainedBy,
    when: when ?? 'any time',
    ownRequests,
    concernsWholeDeployment: false,
    probesFirst: probesFirst.map(probeOnDeployment),
    probesMeanwhile: probesMeanwhile.map(probeOnDeployment),
    probes: probes.map(probeOnDeployment),
    probesAtEnd: (probesAtEnd === 'all' ? probes : probesAtEnd).map(probeOnDeployment),
    ...(describe && { describe: probeOnDeployment(describe) }),
  }
}

/** A requirement on each version that has the operation. */
export const defineCheck = (facts: CatalogueCheckFacts<VersionTarget>): Check<Deployment> =>
  createCheck(facts, scopesOf.each(facts.operation), createVersionTarget)

/** A requirement on each version that lacks the operation. */
export const defineAbsenceCheck = (facts: CatalogueCheckFacts<VersionTarget>): Check<Deployment> =>
  createCheck(facts, scopesOf.without(facts.operation), createVersionTarget)

/** A requirement on two versions together. */
export const defineComparison = (facts: CatalogueCheckFacts<VersionPairTarget>): Check<Deployment> =>
  createCheck(facts, scopesOf.pairs(facts.operation), createVersionPairTarget)

/** A requirement on the deployment as a whole. */
export const defineDeploymentCheck = (facts: CatalogueCheckFacts<Deployment>): Check<Deployment> => ({
  ...createCheck(facts, scopesOf.whole(), (deployment) => deployment),
  concernsWholeDeployment: true,
})

/** Tests a requirement once. */
export const once =
  <T>(assert: (target: T, read: Read) => Promise<void>): CheckProbe<T> =>
  ({ target, verify }) =>
    verify((read) => assert(target, read))

/** Tests a requirement with every given input, or with a stated sample. */
export const forEach =
  <I, T = VersionTarget>(
    selectInputs: (target: T, read: Read) => CheckInputs<I> | Promise<CheckInputs<I>>,
    assert: (input: I, target: T, read: Read) => Promise<void>,
    {
      textOf = describeInput,
      stringOf,
      areUnlisted = false,
    }: Partial<Pick<Cases<I>, 'textOf' | 'stringOf' | 'areUnlisted'>> = {},
  ): CheckProbe<T> =>
  async ({ target, read, verifyEach }) => {
    const all = await selectInputs(target, read)
    const drawn = 'population' in all ? all : { inputs: all }
    await verifyEach({
      ...drawn,
      textOf,
      ...(stringOf && { stringOf }),
      areUnlisted,
      assert: (input, reader) => assert(input, target, reader),
    })
  }

/** All inputs, or a sample of more. */
type CheckInputs<I> = readonly I[] | InputSample<I>

const describeInput = (input: unknown): string => (typeof input === 'string' ? quoted(input) : JSON.stringify(input))

/** Tests a requirement with generated strings. */
export const forAll =
  <T = VersionTarget>(
    createInputs: (target: T, read: Read) => Promise<TestStrings>,
    subjectsOf: (input: string, target: T) => readonly Subject<unknown>[],
    assert: (input: string, target: T, read: Read) => Promise<void>,
  ): CheckProbe<T> =>
  async ({ target, read, verifyProperty }) => {
    const { generated, examples, omittedCount } = await createInputs(target, read)
    await verifyProperty({
      inputs: generated,
      examples,
      omittedExamples: omittedCount,
      textOf: quoted,
      subjectsOf: (input) => subjectsOf(input, target),
      assert: (input, reader) => assert(input, target, reader),
    })
  }

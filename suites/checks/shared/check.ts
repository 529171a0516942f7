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
import { nameListOf } from '../../directory/readings/names.ts'
import { quoted } from '../../directory/shared/text.ts'
import { checkScopes } from '../../directory/shared/versions.ts'
import type { Check, CheckContext, Probe as EngineProbe, InputCases } from '../../engine/check/check.ts'
import type { Read, Resource } from '../../engine/check/readers.ts'
import type { VerdictScope } from '../../engine/check/verdict.ts'
import type { CheckId } from './ids.ts'

/** One way in which a check tests its requirement: once, with each of some names, or with generated strings. */
export type CheckProbe<T = VersionTarget> = EngineProbe<T>

export type VersionContext = CheckContext<VersionTarget>

/** The definition of a check: its texts, the clauses of the contract that it verifies, and its probes. */
export interface CheckDefinition<T, Id extends string = CheckId>
  extends Pick<Check<T>, 'title' | 'level' | 'why' | 'how' | 'fix'> {
  readonly id: Id
  readonly operation: OperationId | 'all'
  readonly statements: readonly StatementId[]
  /**
   * The statements that are reported instead if the violation is intermittent: the check compares two requests, but if
   * one of them sometimes passes and sometimes fails, the difference between them is not the cause.
   */
  readonly statementsIfIntermittent?: readonly StatementId[]
  /**
   * The clauses of the contract that the check verifies. A mutant (a faulty deployment that this check must catch)
   * violates the first clause, unless it names others.
   */
  readonly clauses: readonly ClauseId[]
  readonly requires?: readonly Id[]
  readonly explainedBy?: readonly Id[]
  readonly when?: 'last'
  /**
   * The number of requests per version that only this check sends. It does not depend on the number of listed names.
   * With `--effort quick`, these requests are reserved for this check in the request budget.
   */
  readonly ownRequests?: number
  /** Probes that run alone, before everything else. */
  readonly probesAtStart?: readonly CheckProbe<T>[]
  /** Probes that run alone, before all other checks. */
  readonly probesFirst?: readonly CheckProbe<T>[]
  /** Probes that run concurrently with other checks, throughout the run. */
  readonly probesMeanwhile?: readonly CheckProbe<T>[]
  /** At least one probe, because a check without probes cannot fail. */
  readonly probes: readonly [CheckProbe<T>, ...CheckProbe<T>[]]
  /** Probes that run again at the end of the run, with new readings, if lists have changed. */
  readonly probesAtEnd?: 'all' | readonly CheckProbe<T>[]
  /** A probe that runs after all others. It describes for the report which inputs were tested, or that there was no data. */
  readonly describe?: CheckProbe<T>
}

/** The nouns for the inputs of a check in messages, e.g. "1 of 3 breed names affected". Other inputs are "names". */
const INPUT_NOUNS: Readonly<Partial<Record<string, string>>> = {
  searchCats: 'queries',
  listCatsOfBreed: 'breed names',
  all: 'operations',
}

/**
 * Creates a check of a deployment. Its definition is about one scope, e.g. one version; the check runs once for each
 * scope.
 */
export function createCheck<T>(
  {
    requires = [],
    explainedBy = [],
    when,
    ownRequests = 0,
    probesAtStart = [],
    probesFirst = [],
    probesMeanwhile = [],
    probesAtEnd = [],
    probes,
    describe,
    ...facts
  }: CheckDefinition<T, string>,
  scopes: readonly VerdictScope[],
  createTarget: (
    deployment: Deployment,
    scope: VerdictScope,
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
    inputNoun: INPUT_NOUNS[facts.operation] ?? 'names',
    scopes,
    requires,
    explainedBy,
    when: when ?? 'any time',
    ownRequests,
    concernsWholeDeployment: false,
    probesAtStart: probesAtStart.map(probeOnDeployment),
    probesFirst: probesFirst.map(probeOnDeployment),
    probesMeanwhile: probesMeanwhile.map(probeOnDeployment),
    probes: probes.map(probeOnDeployment),
    probesAtEnd: (probesAtEnd === 'all' ? probes : probesAtEnd).map(probeOnDeployment),
    ...(describe && { describe: probeOnDeployment(describe) }),
  }
}

/** Defines a check that runs once for each version with the operation of the check, e.g. `getLivesLeft`. */
export const defineCheck = (facts: CheckDefinition<VersionTarget>): Check<Deployment> =>
  createCheck(facts, checkScopes.each(facts.operation), createVersionTarget)

/** Defines a check that runs once for each version without the operation of the check. */
export const defineCheckWithoutOperation = (facts: CheckDefinition<VersionTarget>): Check<Deployment> =>
  createCheck(facts, checkScopes.without(facts.operation), createVersionTarget)

/** Defines a check that compares two versions. */
export const defineComparison = (facts: CheckDefinition<VersionPairTarget>): Check<Deployment> =>
  createCheck(facts, checkScopes.pairs(facts.operation), createVersionPairTarget)

/** Defines a check of the deployment as a whole. */
export const defineDeploymentCheck = (facts: CheckDefinition<Deployment>): Check<Deployment> => ({
  ...createCheck(facts, checkScopes.whole(), (deployment) => deployment),
  concernsWholeDeployment: true,
})

export const probeOnce =
  <T>(assert: (target: T, read: Read) => Promise<void>): CheckProbe<T> =>
  ({ target, verify }) =>
    verify((read) => assert(target, read))

/** Reports if there are no cats, because a requirement about them cannot be tested then (R16.1). */
export const reportIfNoCats: CheckProbe = async ({ target: { directory }, read, reportNoData }) => {
  if (nameListOf(await read(directory.cats))?.size === 0) reportNoData()
}

/** Creates a probe that tests a requirement with each of the given inputs. */
export const forEach =
  <I, T = VersionTarget>(
    selectInputs: (target: T, read: Read) => CheckInputs<I> | Promise<CheckInputs<I>>,
    assert: (input: I, target: T, read: Read) => Promise<void>,
    {
      textOf = describeInput,
      stringOf,
      areUnlisted = false,
    }: Partial<Pick<InputCases<I>, 'textOf' | 'stringOf' | 'areUnlisted'>> = {},
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

/** All inputs, or a sample of them with the size of the population. */
type CheckInputs<I> = readonly I[] | InputSample<I>

const describeInput = (input: unknown): string => (typeof input === 'string' ? quoted(input) : JSON.stringify(input))

/** Creates a probe that tests a requirement with generated strings. */
export const forAll =
  <T = VersionTarget>(
    createInputs: (target: T, read: Read) => Promise<TestStrings>,
    resourcesOf: (input: string, target: T) => readonly Resource<unknown>[],
    assert: (input: string, target: T, read: Read) => Promise<void>,
  ): CheckProbe<T> =>
  async ({ target, read, verifyProperty }) => {
    const { generated, examples, omittedCount } = await createInputs(target, read)
    await verifyProperty({
      inputs: generated,
      examples,
      omittedExamples: omittedCount,
      textOf: quoted,
      resourcesOf: (input) => resourcesOf(input, target),
      assert: (input, reader) => assert(input, target, reader),
    })
  }

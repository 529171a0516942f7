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
import { scopeSelectors } from '../../directory/shared/versions.ts'
import type { Check, CheckContext, Probe as EngineProbe, InputCases } from '../../engine/check/check.ts'
import type { Read, Resource } from '../../engine/check/readers.ts'
import type { VerdictScope } from '../../engine/check/verdict.ts'
import type { CheckId } from './ids.ts'

/** One way in which a check tests its requirement: once, with each of some names, or with generated strings. */
export type CheckProbe<T = VersionTarget> = EngineProbe<T>

/** The parameter of a probe that tests one version. */
export type VersionContext = CheckContext<VersionTarget>

/** The definition of a check: its texts, the clauses of the contract that it verifies, and its probes. */
export interface CheckDefinition<T, Id extends string = CheckId>
  extends Pick<Check<T>, 'title' | 'level' | 'why' | 'how' | 'fix'> {
  readonly id: Id
  readonly operation: OperationId | 'all'
  readonly statements: readonly StatementId[]
  /**
   * The statements to report instead if the violation is intermittent. E.g. a check compares two requests: if one of
   * them fails only sometimes, the difference between the requests is not the cause.
   */
  readonly statementsIfIntermittent?: readonly StatementId[]
  /**
   * The clauses of the contract that the check verifies. The first one is the main clause: mutants that this check must
   * catch violate it, unless they name other clauses.
   */
  readonly clauses: readonly ClauseId[]
  readonly requires?: readonly Id[]
  readonly explainedBy?: readonly Id[]
  readonly when?: 'last'
  /**
   * The number of requests per version that only this check sends. It does not depend on the size of the directory.
   * `--effort quick` reserves these requests in its budget.
   */
  readonly ownRequests?: number
  // The type `Check` of the engine says when each of the following groups of probes runs.
  readonly probesAtStart?: readonly CheckProbe<T>[]
  readonly probesFirst?: readonly CheckProbe<T>[]
  readonly earlyExperiments?: readonly CheckProbe<T>[]
  readonly probesMeanwhile?: readonly CheckProbe<T>[]
  /** At least one probe, because a check without probes cannot fail. */
  readonly probes: readonly [CheckProbe<T>, ...CheckProbe<T>[]]
  readonly probesAfterChange?: 'all' | readonly CheckProbe<T>[]
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
 * Creates a check of a deployment. The check runs once for each scope, i.e. for each version or pair of versions that
 * it judges.
 * @param createTarget creates what the probes test, e.g. one version of the deployment
 */
export function createCheck<T>(
  {
    requires = [],
    explainedBy = [],
    when,
    ownRequests = 0,
    probesAtStart = [],
    probesFirst = [],
    earlyExperiments = [],
    probesMeanwhile = [],
    probesAfterChange = [],
    probes,
    describe,
    ...definition
  }: CheckDefinition<T, string>,
  scopes: readonly VerdictScope[],
  createTarget: (
    deployment: Deployment,
    scope: VerdictScope,
    context: Pick<VersionTarget, 'skippedInputs' | 'readForDisplay'>,
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
    ...definition,
    rulings: rulingNumbersOf(definition.clauses),
    inputNoun: INPUT_NOUNS[definition.operation] ?? 'names',
    scopes,
    requires,
    explainedBy,
    when: when ?? 'any time',
    ownRequests,
    concernsWholeDeployment: false,
    probesAtStart: probesAtStart.map(probeOnDeployment),
    probesFirst: probesFirst.map(probeOnDeployment),
    earlyExperiments: earlyExperiments.map(probeOnDeployment),
    probesMeanwhile: probesMeanwhile.map(probeOnDeployment),
    probes: probes.map(probeOnDeployment),
    probesAfterChange: (probesAfterChange === 'all' ? probes : probesAfterChange).map(probeOnDeployment),
    ...(describe && { describe: probeOnDeployment(describe) }),
  }
}

/** Defines a check that runs once for each version that has the operation of the check, e.g. v3 for `getLivesLeft`. */
export const defineCheck = (definition: CheckDefinition<VersionTarget>): Check<Deployment> =>
  createCheck(definition, scopeSelectors.each(definition.operation), createVersionTarget)

/** Defines a check that runs once for each version that does not have the operation, e.g. v2 for `getLivesLeft`. */
export const defineCheckWithoutOperation = (definition: CheckDefinition<VersionTarget>): Check<Deployment> =>
  createCheck(definition, scopeSelectors.without(definition.operation), createVersionTarget)

/** Defines a check that compares two versions. */
export const defineComparison = (definition: CheckDefinition<VersionPairTarget>): Check<Deployment> =>
  createCheck(definition, scopeSelectors.pairs(definition.operation), createVersionPairTarget)

/** Defines a check of the deployment as a whole. */
export const defineDeploymentCheck = (definition: CheckDefinition<Deployment>): Check<Deployment> => ({
  ...createCheck(definition, scopeSelectors.whole(), (deployment) => deployment),
  concernsWholeDeployment: true,
})

/** Creates a probe that tests a requirement once, without inputs. */
export const probeOnce =
  <T>(assert: (target: T, read: Read) => Promise<void>): CheckProbe<T> =>
  ({ target, verify }) =>
    verify((read) => assert(target, read))

/** Reports if there are no cats, because a requirement about them cannot be tested then (R16.1). */
export const reportIfNoCats: CheckProbe = async ({ target: { directory }, read, reportNoData }) => {
  if (nameListOf(await read(directory.cats))?.size === 0) reportNoData()
}

/**
 * Creates a probe that tests a requirement with each of the selected inputs.
 * @param assert fails if an input violates the requirement
 */
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
    const sample = 'population' in all ? all : { inputs: all }
    await verifyEach({
      ...sample,
      textOf,
      ...(stringOf && { stringOf }),
      areUnlisted,
      assert: (input, reader) => assert(input, target, reader),
    })
  }

/** All inputs, or a sample of them with the size of the population. */
type CheckInputs<I> = readonly I[] | InputSample<I>

const describeInput = (input: unknown): string => (typeof input === 'string' ? quoted(input) : JSON.stringify(input))

/**
 * Creates a probe that tests a requirement with generated strings and with examples.
 * @param resourcesOf returns what `assert` reads for a string, so that it can be requested ahead
 */
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

import type { StatementId } from '../../../../fixtures/contract/statements.ts'
import { isDataContent, isFailureContent } from '../../../directory/facts/reading-contents.ts'
import { readBreedsIfReadable, readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { Effort } from '../../../directory/shared/effort.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Resource } from '../../../engine/check/readers.ts'
import {
  COMPARISON_ROUNDS,
  type ComparedResource,
  type Condition,
  type DependenceOnCondition,
  findDependence,
  readComparedResource,
} from '../../../engine/evidence/compare-conditions.ts'
import { createConcurrencyCondition } from '../../../engine/evidence/concurrency-condition.ts'
import {
  createFirstRequestCondition,
  createNewUrlCondition,
  createPrecedingRequestCondition,
  headOf,
} from '../../../engine/evidence/request-conditions.ts'
import { findSharedEntry } from '../../../engine/finding/cache-symptoms.ts'
import { WAIT_BEYOND_UNDECLARED_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { createFailureContradiction, describeServiceFailure, reportViolationOfReadings } from '../report-violation.ts'

type OperationUnderConditions = 'cats' | 'breeds' | 'catsOf' | 'search' | 'lives'

/** Returns whether the run has quick effort: it sends too few requests for repeated readings. */
export const isQuickEffort = ({ pollsPerList }: Pick<Effort, 'pollsPerList'>): boolean => pollsPerList === 0

/** A resource whose readings varied during the run, e.g. a list that had different names. */
export interface VariedResource<T> extends ComparedResource<T> {
  /** The resource as a noun phrase, e.g. `the list of all cats`. */
  readonly description: string
  /** The listed name that the resource is for. Findings report it as an affected name. */
  readonly namesAtFault?: readonly string[]
  /** Resources of the same operation that a cache may confuse with this one, e.g. cats with similar names. */
  readonly similar?: readonly { readonly name: string; readonly resource: Resource<T> }[]
  /** Other resources of the same operation to request at the same time. */
  readonly sameOperation?: readonly Resource<unknown>[]
}

/** An operation whose responses must not depend on other requests. */
interface TestedOperation<T> {
  readonly operation: OperationUnderConditions
  /** The statement of the operation, which a failure violates. */
  readonly statement: StatementId
  /** Selects the resources of the operation whose readings varied during the run. */
  readonly selectVaried: (context: VersionContext) => Promise<readonly VariedResource<T>[]>
}

/** Selects one resource of each operation testedOperation one: that under test. */
async function selectOtherOperations(
  testedOperation: OperationUnderConditions,
  { target: { directory, livesDirectory }, read }: VersionContext,
): Promise<readonly Resource<unknown>[]> {
  const [[cat], [breed]] = await Promise.all([
    readNamesForPaths(directory.cats, read),
    readBreedsIfReadable(directory, read),
  ])
  const hasLives = livesDirectory === directory
  return [
    ...(testedOperation === 'breeds' ? [] : [directory.breeds]),
    ...(testedOperation === 'catsOf' || breed === undefined ? [] : [directory.catsOf(breed)]),
    ...(testedOperation === 'cats' ? [] : [directory.cats]),
    ...(testedOperation === 'search' || cat === undefined ? [] : [directory.search(cat)]),
    ...(testedOperation === 'lives' || cat === undefined || !hasLives ? [] : [directory.lives(cat)]),
  ]
}

/**
 * Requests each similar resource right before the varied one. Returns the similar resource whose content the varied one
 * then returns: a cache probably confuses them. Returns undefined if there is none.
 */
async function findConfusedResource<T>(varied: VariedResource<T>, context: VersionContext) {
  for (const { name, resource } of varied.similar ?? []) {
    const before = await readComparedResource({ ...varied, resource }, context)
    const own = await readComparedResource(varied, context)
    if (before.content === own.content && isDataContent(own.content)) return { name, resource }
  }
  return undefined
}

/**
 * Tests whether resources return the content of a similar one that is requested directly before: two names share an
 * entry of a cache. Returns the dependence that was found; undefined if there is none.
 */
async function findSharedEntries<T>(
  all: readonly VariedResource<T>[],
  context: VersionContext,
): Promise<DependenceOnCondition<T, VariedResource<T>> | undefined> {
  for (const compared of all) {
    const confused = await findConfusedResource(compared, context)
    if (!confused) continue
    const condition = createPrecedingRequestCondition<T>(
      confused.resource,
      quoted(confused.name),
      WAIT_BEYOND_UNDECLARED_COPIES_MS,
    )
    const found = await findDependence<T, VariedResource<T>>([{ compared, condition }], context)
    if (found) return found
  }
  return undefined
}

/** Creates the conditions on which the response of a resource must not depend. */
function createConditions<T>(
  varied: VariedResource<T>,
  otherOperations: readonly Resource<unknown>[],
  context: VersionContext,
): readonly Condition<T>[] {
  const { createUniqueValue, effort } = context.target
  const precedingOthers = isQuickEffort(effort) ? [] : otherOperations
  return [
    createPrecedingRequestCondition(headOf(varied.resource), 'its headers (HEAD)'),
    ...precedingOthers.map((other) => createPrecedingRequestCondition<T>(other, other.key)),
    createFirstRequestCondition(createUniqueValue),
    createNewUrlCondition(createUniqueValue, (content) => !isDataContent(content)),
    createConcurrencyCondition({ sameOperation: varied.sameOperation ?? [], otherOperations }),
  ]
}

/** Reports that the response of a resource depends on a condition. */
export async function reportDependence<T>(
  { compared, condition, alone, evidence }: DependenceOnCondition<T, VariedResource<T>>,
  statement: StatementId,
  context: VersionContext,
  fix?: string,
): Promise<void> {
  const { description, resource, namesAtFault } = compared
  const circumstances = `${condition.circumstance} (${COMPARISON_ROUNDS} of ${COMPARISON_ROUNDS} tries)`
  const failure = isFailureContent(alone) ? undefined : describeServiceFailure(evidence)
  await reportViolationOfReadings(resource, context, {
    ...(failure === undefined
      ? {
          expected: 'the same response, whatever other requests are sent before or at the same time',
          actual: `${description} is different ${circumstances}`,
          statements: [statement, 'S-READ-ONLY'],
        }
      : createFailureContradiction(failure, `${description} returned ${failure} ${circumstances}`, statement)),
    shownBy: [resource],
    evidence,
    intermittent: 'yes',
    // A violation of another check explains this one, unless two requests share an entry of a cache: this causes the
    // violations of other checks.
    ...(findSharedEntry(evidence.exchanges) === undefined && { relation: 'explained by any' as const }),
    ...(namesAtFault && { names: { atFault: namesAtFault } }),
    ...(fix !== undefined && { fix }),
  })
}

/**
 * Creates a probe that fails if a response of an operation varied because it depends on requests sent before it or at
 * the same time (T2.5, T2.6).
 */
export const createDependenceProbe =
  <T>({ operation, statement, selectVaried }: TestedOperation<T>): CheckProbe =>
  async (context) => {
    const isExplained = context.target.changeMonitor.isExplained(operation === 'lives' ? 'lives' : 'lists')
    if (context.hasViolation() || isExplained) return
    const varied = await selectVaried(context)
    const shared = await findSharedEntries(varied, context)
    if (shared) return reportDependence(shared, statement, context)
    const possible: { compared: VariedResource<T>; condition: Condition<T> }[] = []
    for (const compared of varied) {
      // Pauses after a failure: a cache that stores failures would return this failure even without the other requests.
      if (isFailureContent((await readComparedResource(compared, context)).content))
        await context.pause(WAIT_BEYOND_UNDECLARED_COPIES_MS)
      const otherOperations = await selectOtherOperations(operation, context)
      for (const condition of createConditions(compared, otherOperations, context))
        possible.push({ compared, condition })
    }
    const found = await findDependence<T, VariedResource<T>>(possible, context)
    if (found) await reportDependence(found, statement, context)
  }

import { openPoints } from '../../fixtures/contract/open-points.ts'
import { type OperationId, operations } from '../../fixtures/contract/operations.ts'
import { statements } from '../../fixtures/contract/statements.ts'
import { type CheckDefinition, createCheck } from '../checks/shared/check.ts'
import { createVersionTarget, type Deployment, type VersionTarget } from '../directory/deployment.ts'
import { scopeSelectors } from '../directory/shared/versions.ts'
import type { Check } from '../engine/check/check.ts'
import type { Read } from '../engine/check/readers.ts'
import type { ObservedChoice, OpenPointObserver } from '../engine/run/plan.ts'
import { createObserver } from '../open-points/shared/observe.ts'

/** A requirement that a user defines, with at least one probe. It is tested in addition to those of the contract. */
export interface UserRequirement
  extends Pick<CheckDefinition<VersionTarget>, 'title' | 'fix' | 'probes'>,
    Partial<Pick<CheckDefinition<VersionTarget>, 'operation' | 'statements' | 'ownRequests'>> {
  /** An id that no check of this suite has, e.g. `zoo/at-most-nine-lives`. */
  readonly id: string
  /** `must` (default): a violation makes the run nonconformant. `should`: a violation is only advice. */
  readonly level?: 'must' | 'should'
  /** Ids of prerequisite checks. If one of them fails, this check is inconclusive. */
  readonly requires?: readonly string[]
  /** Ids of checks whose violation explains a violation of this one. */
  readonly explainedBy?: readonly string[]
}

/**
 * Creates a check that runs in each version that has the operation, or in all versions if `operation` is omitted.
 * @throws {TypeError} if a member has an invalid value, e.g. an id that reports could not show
 */
export function createUserCheck({
  operation = 'all',
  level = 'must',
  statements = [],
  ownRequests = 0,
  ...requirement
}: UserRequirement): Check<Deployment> {
  const definition = { ...requirement, ownRequests, operation, level, statements, clauses: [], why: '', how: '' }
  const problem = describeInvalidMember(definition)
  if (problem !== undefined) throw new TypeError(`check: ${JSON.stringify(definition.id)} ${problem}.`)
  return createCheck(definition, scopeSelectors.each(operation), createVersionTarget)
}

/**
 * Describes a member with an invalid value, e.g. `has no title: …`; undefined if all are valid. Programs in plain
 * JavaScript can pass any value.
 */
function describeInvalidMember({
  id,
  title,
  operation,
  level,
  statements: named,
  probes,
}: CheckDefinition<VersionTarget, string>) {
  const known = { operations: ['all', ...operations.map((one) => one.id)], statements: statements.map((one) => one.id) }
  const unknown = named.find((one) => !known.statements.includes(one))
  if (!/^[a-z0-9-]+(?:\/[A-Za-z0-9-]+)+$/.test(id))
    return 'is not a valid id: an id has the form word/other-words, e.g. lives/at-most-nine'
  if (id.startsWith('pinned/')) return 'begins with pinned/, which is reserved for the open points that a profile pins'
  if (typeof title !== 'string' || title === '') return 'has no title: give a title that states the requirement'
  if (!known.operations.includes(operation)) return `has an operation that is none of ${known.operations.join(', ')}`
  if (level !== 'must' && level !== 'should') return 'has a level that is neither must nor should'
  if (unknown !== undefined) return `names a statement that is none of ${known.statements.join(', ')}`
  return probes.length === 0 ? 'has no probe: give at least one function in probes' : undefined
}

/** Something that a user wants to be observed and reported in each run, without ever failing it. */
export interface UserOpenPoint {
  /** An id that no open point of the contract has, e.g. `O-HOW-MANY`. */
  readonly id: string
  /** The operation: only versions that have it are observed. By default, all versions are observed. */
  readonly operation?: OperationId
  /**
   * Observes the open point.
   * @returns the observed choice; undefined if there was nothing to observe
   */
  observe(target: VersionTarget, read: Read): Promise<ObservedChoice | undefined>
}

/**
 * Creates an observer whose observations are reported with those of the contract's open points.
 * @throws {TypeError} if the id has another form than `O-HOW-MANY`, or belongs to the contract
 */
export function createUserOpenPoint(point: UserOpenPoint): OpenPointObserver<Deployment> {
  const { id, operation } = point
  if (!/^O-[A-Z0-9-]+$/.test(id))
    throw new TypeError(`openPoint: ${JSON.stringify(id)} is not a valid id: an id has the form O-HOW-MANY.`)
  if (openPoints.some((one) => one.id === id))
    throw new TypeError(`openPoint: the contract already has an open point ${id}.`)
  return createObserver({ id, operation }, ({ target, read }) => point.observe(target, read))
}

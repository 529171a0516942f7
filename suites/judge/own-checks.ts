import { openPoints } from '../../fixtures/contract/open-points.ts'
import { type OperationId, operations } from '../../fixtures/contract/operations.ts'
import { statements } from '../../fixtures/contract/statements.ts'
import { built, type PromiseFacts } from '../checks/shared/check.ts'
import { type Deployment, type OneVersion, oneVersion } from '../directory/deployment.ts'
import { scopesOf } from '../directory/shared/versions.ts'
import type { Check } from '../engine/check/check.ts'
import type { Read } from '../engine/check/readers.ts'
import type { Observer, Seen } from '../engine/run/plan.ts'

/** A promise of the user's own, beside those of the contract. */
export interface OwnPromise
  extends Pick<PromiseFacts<OneVersion>, 'title' | 'fix' | 'tries'>,
    Partial<Pick<PromiseFacts<OneVersion>, 'operation' | 'statements' | 'requestsOfItsOwn'>> {
  /** As `zoo/at-most-nine-lives`; no check of the catalogue is called so. */
  readonly id: string
  /** A `must` counts in the verdict, and is meant where nothing is said; a `should` is advice. */
  readonly level?: 'must' | 'should'
  /** Ids of checks without which it cannot be asked: where one fails, it is inconclusive. */
  readonly requires?: readonly string[]
  /** Ids of checks whose violation explains one here. */
  readonly explainedBy?: readonly string[]
}

/**
 * A check of one's own, tried in each version that has the operation; in all, where it names none.
 * @throws {TypeError} when it is not what the reports can tell
 */
export function check({
  operation = 'all',
  level = 'must',
  statements = [],
  ...promise
}: OwnPromise): Check<Deployment> {
  const facts = { ...promise, operation, level, statements, clauses: [], why: '', how: '' }
  const wrong = whatIsWrong(facts)
  if (wrong !== undefined) throw new TypeError(`check: ${JSON.stringify(facts.id)} ${wrong}.`)
  return built(facts, scopesOf.each(operation), oneVersion)
}

/** What a program without types may give. */
function whatIsWrong({ id, title, operation, level, statements: named, tries }: PromiseFacts<OneVersion, string>) {
  const known = { operations: ['all', ...operations.map((one) => one.id)], statements: statements.map((one) => one.id) }
  const unknown = named.find((one) => !known.statements.includes(one))
  if (!/^[a-z0-9-]+(?:\/[A-Za-z0-9-]+)+$/.test(id))
    return 'is no id: a word, a slash and words are, as zoo/at-most-nine'
  if (id.startsWith('pinned/')) return 'is an id of the open points that a profile pins'
  if (typeof title !== 'string' || title === '') return 'needs a title, which says what is promised'
  if (!known.operations.includes(operation)) return `has an operation that is none of ${known.operations.join(', ')}`
  if (level !== 'must' && level !== 'should') return 'has a level that is neither must nor should'
  if (unknown !== undefined) return `names a statement that is none of ${known.statements.join(', ')}`
  return tries.length === 0 ? 'needs a way of trying it, in tries' : undefined
}

/** Something of the user's own to be told, and never judged. */
export interface OwnOpenPoint {
  /** As `O-HOW-MANY`; none of the contract is called so. */
  readonly id: string
  /** It is looked at in each version that has the operation; in all, where none is named. */
  readonly operation?: OperationId
  /** @returns what was seen, or undefined where nothing was there to see */
  observe(target: OneVersion, read: Read): Promise<Seen | undefined>
}

/**
 * An open point of one's own, told with those of the contract.
 * @throws {TypeError} when it is not what the reports can tell
 */
export function openPoint(point: OwnOpenPoint): Observer<Deployment> {
  const { id, operation } = point
  if (!/^O-[A-Z0-9-]+$/.test(id)) throw new TypeError(`openPoint: ${JSON.stringify(id)} is no id as O-HOW-MANY is.`)
  if (openPoints.some((one) => one.id === id)) throw new TypeError(`openPoint: ${id} is one of the contract.`)
  return {
    id,
    operation,
    scopes: scopesOf.each(operation ?? 'all'),
    observe: ({ target, scope, read }) => point.observe(oneVersion(target, scope, { glance: read }), read),
  }
}

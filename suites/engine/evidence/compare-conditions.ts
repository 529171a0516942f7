import type { CheckContext } from '../check/check.ts'
import type { Reader, Resource } from '../check/readers.ts'
import type { Evidence } from '../check/violations.ts'
import { findDifferingExchanges } from '../finding/shown-exchanges.ts'
import { WAIT_BEYOND_UNDECLARED_COPIES_MS } from '../history/fewest-changes.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { maxCopyAgeMsOf, mayCachedCopyOutlastMaxWait } from '../http/client/freshness.ts'
import { Inconclusive } from '../inconclusive.ts'

/** A resource whose responses to repeated requests are compared. */
export interface ComparedResource<T> {
  readonly resource: Resource<T>
  /**
   * Returns the content to compare: a few words, or one name per line; undefined if the response cannot be compared.
   */
  readonly contentOf: (reading: T) => string | undefined
}

/** The content of a reading; undefined if it cannot be compared. */
export interface ResponseContent {
  readonly content: string | undefined
  readonly exchanges: readonly Exchange[]
}

/**
 * The readings of the resource under a condition (e.g. with many requests in flight), and the exchanges that make up the
 * condition.
 */
export interface ReadingsUnderCondition {
  readonly own: readonly ResponseContent[]
  /** If the condition is a preceding request: the exchanges of this request. */
  readonly before?: readonly Exchange[]
  /** If the condition is concurrency: the exchanges of other requests in flight. */
  readonly inFlight?: readonly Exchange[]
}

export type ComparisonContext = Pick<CheckContext<unknown>, 'createFreshReader' | 'pause'>

/** A condition on which a response must not depend, e.g. other requests in flight. */
export interface Condition<T> {
  /** The condition as a phrase that follows "the list differs", e.g. `under concurrent requests`. */
  readonly circumstance: string
  /**
   * Sends the requests under this condition.
   * @param alone the content of the response if no other request is in flight
   * @param round the number of the round, counted from 0
   */
  readonly read: (
    compared: ComparedResource<T>,
    context: ComparisonContext,
    alone: string,
    round: number,
  ) => Promise<ReadingsUnderCondition>
  /**
   * The waits before the resource is read alone: `restMs` before the condition, `settleMs` after it. In this time
   * caches drop the responses that they stored earlier.
   */
  readonly restMs?: number
  readonly settleMs?: number
}

/**
 * The number of rounds in which the responses under a condition are compared with those without it. The pauses between
 * rounds outlast all stale copies (T2.5).
 */
export const COMPARISON_ROUNDS = 3
const REPEATS_ALONE = 3

/** Reads a resource once more, with new requests. */
export async function readComparedResource<T>(
  { resource, contentOf }: ComparedResource<T>,
  { createFreshReader }: { createFreshReader(): Reader },
): Promise<ResponseContent> {
  const reader = createFreshReader()
  const content = contentOf(await reader.read(resource))
  return { content, exchanges: reader.exchangesFor(resource) }
}

/** The wait for a cache to fetch a response. It is so short that the new copy does not expire. */
const REFRESH_MS = 500

/**
 * Requests a resource once, and waits until a cache that may have answered with its old copy has fetched a new response
 * (RFC 5861).
 */
export async function refreshCopy(resource: Resource<unknown>, context: ComparisonContext): Promise<void> {
  await context.createFreshReader().read(resource)
  await context.pause(REFRESH_MS)
}

/**
 * Reads a resource several times, one request at a time.
 * @param hasRest whether the condition has a `restMs`; if so, cached copies are refreshed first
 * @returns the first reading; undefined if the contents of the readings differ
 */
async function readAlone<T>(
  compared: ComparedResource<T>,
  { settleMs, hasRest }: { readonly settleMs: number; readonly hasRest: boolean },
  context: ComparisonContext,
): Promise<ResponseContent | undefined> {
  if (settleMs > 0) await context.pause(settleMs)
  if (hasRest) await refreshCopy(compared.resource, context)
  const first = await readComparedResource(compared, context)
  for (let time = 1; time < REPEATS_ALONE; time++)
    if ((await readComparedResource(compared, context)).content !== first.content) return undefined
  return first
}

/** Returns a line that only one of two texts has; `''` if there is none. */
function findDifferingLine(one = '', other = ''): string {
  const [lines, others] = [new Set(one.split('\n')), new Set(other.split('\n'))]
  return [...lines, ...others].find((line) => lines.has(line) !== others.has(line)) ?? ''
}

/** Returns whether a response is an error or has no JSON. Such a response is the clearest evidence. */
const isErrorOrNotJson = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'fault' || outcome.status >= 400 || outcome.body.kind !== 'json'

/**
 * Orders the exchanges so that the same requests, sent again in this order, show the difference. Without a preceding
 * request, the order has no effect, and the clearest exchange comes first.
 * @param differing the exchange under the condition, followed by the one without the condition
 * @param previous the exchanges directly before the one under the condition
 */
function orderExchanges(differing: readonly Exchange[], previous: readonly Exchange[]): readonly Exchange[] {
  const [faulty, ...usual] = differing
  if (faulty === undefined) return previous
  if (previous.length > 0) return [...usual, ...previous, faulty]
  return differing.toSorted((a, b) => Number(isErrorOrNotJson(b)) - Number(isErrorOrNotJson(a)))
}

/** The evidence that a response depends on a condition. */
interface Dependence {
  /** The content of the responses without the condition. */
  readonly alone: string
  /**
   * The reading without the condition, made after the one under it. If the condition has a `restMs`, the next round uses
   * it as its first reading without the condition.
   */
  readonly after: ResponseContent
  readonly evidence: Evidence
}

/**
 * Reads the resource alone, under the condition, and alone again.
 * @param last the result of the previous round
 * @returns the evidence if the response depends on the condition; undefined if it does not, or if the readings without the
 * condition already differ
 */
async function compareOnce<T>(
  compared: ComparedResource<T>,
  condition: Condition<T>,
  context: ComparisonContext,
  round: number,
  last?: Dependence,
): Promise<Dependence | undefined> {
  const { restMs = 0, settleMs = 0 } = condition
  const hasRest = restMs > 0
  const known = hasRest ? last?.after : undefined
  const before = known ?? (await readAlone(compared, { settleMs: restMs, hasRest }, context))
  if (before?.content === undefined) return undefined
  const { own, before: previous = [], inFlight } = await condition.read(compared, context, before.content, round)
  const different = own.find(({ content }) => content !== undefined && content !== before.content)
  if (!different) return undefined
  const after = await readAlone(compared, { settleMs, hasRest }, context)
  if (before.content !== after?.content) return undefined
  const differingLine = findDifferingLine(different.content, before.content)
  const difference = findDifferingExchanges(different.exchanges, before.exchanges, differingLine)
  const evidence = {
    ...difference,
    exchanges: orderExchanges(difference.exchanges, previous),
    inFlight: inFlight ? [...difference.inFlight, ...inFlight] : [],
  }
  return { alone: before.content, after, evidence }
}

/**
 * Returns the wait after which stale copies cannot explain a difference. Several caches may serve different copies for as
 * long as the responses declare (T3.4).
 * @throws {Inconclusive} if the wait would be too long
 */
function waitBeyondCopiesMs({ exchanges }: Evidence): number {
  if (exchanges.some(mayCachedCopyOutlastMaxWait))
    throw new Inconclusive(
      'drift',
      'the responses differ, but some of them may be stale copies that are older than a minute',
    )
  return Math.max(
    WAIT_BEYOND_UNDECLARED_COPIES_MS,
    ...exchanges.map((exchange) => (maxCopyAgeMsOf(exchange) ?? 0) + 1000),
  )
}

/** A resource, and a condition on which its response may depend, to be tested. */
interface PossibleDependenceOnCondition<T, S extends ComparedResource<T> = ComparedResource<T>> {
  readonly compared: S
  readonly condition: Condition<T>
}

/** A response that depends on a condition. */
export type DependenceOnCondition<T, S extends ComparedResource<T>> = PossibleDependenceOnCondition<T, S> & Dependence

/**
 * Finds a response that differs under its condition in every round, and is the same whenever it is requested without
 * the condition. Neither a changing directory nor a lagging replica causes that (T2.5). All comparisons of a round
 * share one wait. Returns undefined if there is no such response.
 */
export async function findDependence<T, S extends ComparedResource<T>>(
  possible: readonly PossibleDependenceOnCondition<T, S>[],
  context: ComparisonContext,
): Promise<DependenceOnCondition<T, S> | undefined> {
  interface RecurringDependence {
    readonly one: PossibleDependenceOnCondition<T, S>
    readonly first: Dependence
    readonly latest: Dependence
  }
  let left: readonly RecurringDependence[] = []
  for (const one of possible) {
    const first = await compareOnce(one.compared, one.condition, context, 0)
    if (first) left = [...left, { one, first, latest: first }]
  }
  for (let round = 1; round < COMPARISON_ROUNDS && left.length > 0; round++) {
    // A condition with a `restMs` waits by itself.
    const waits = left.map(({ one, first }) => waitBeyondCopiesMs(first.evidence) - (one.condition.restMs ?? 0))
    await context.pause(Math.max(0, ...waits))
    const recurring: RecurringDependence[] = []
    for (const { one, first, latest } of left) {
      const again = await compareOnce(one.compared, one.condition, context, round, latest)
      if (again?.alone === first.alone) recurring.push({ one, first, latest: again })
    }
    left = recurring
  }
  const [found] = left
  return found && { ...found.one, ...found.first }
}

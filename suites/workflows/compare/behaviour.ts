import type { Version } from '../../../fixtures/contract/operations.ts'
import { createCachingReader } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import type { TextMask } from '../../engine/run/masking.ts'
import {
  type ComparedOperation,
  createComparedOperations,
  findSharedNames,
  readListedNames,
  type SharedNames,
} from './compared-operations.ts'
import type { DifferenceRechecker } from './confirm-differences.ts'
import type { OperationDifference } from './difference.ts'
import { ComparedSidePair, type LiveDeployment, type LiveSide } from './side-pair.ts'

/** An operation, and the inputs for which the two deployments respond differently. */
interface DistinguishingInputs {
  readonly operation: ComparedOperation
  /** The inputs for which a second request to both deployments confirmed the difference, the shortest first. */
  readonly inputs: readonly string[]
  /** The number of further inputs with different responses, for which no second request was sent. */
  readonly unconfirmedCount: number
}

/** Inputs for which two live deployments respond differently, in one version. */
export class BehaviourComparison implements DifferenceRechecker {
  readonly version: Version
  /** True if each deployment listed the same names after the comparison as before it. */
  readonly isUnchanged: boolean
  private readonly pair: ComparedSidePair
  private distinguishing: readonly DistinguishingInputs[]
  /** Descriptions of inputs that were not compared. */
  readonly uncomparedInputs: readonly string[]
  /** True if one of the deployments gave different responses to the same input. */
  private readonly isSideInconsistent: boolean
  /** True if the data of a deployment changed during the comparison. */
  private isChanging = false

  constructor(version: Version, pair: ComparedSidePair, results: readonly OperationComparison[], isUnchanged: boolean) {
    this.version = version
    this.pair = pair
    this.isUnchanged = isUnchanged
    this.distinguishing = isUnchanged ? results : []
    this.uncomparedInputs = results
      .filter(({ uncomparedCount }) => uncomparedCount > 0)
      .map(
        ({ operation: { id, inputs }, uncomparedCount }) =>
          `${uncomparedCount} of ${inputs.length} inputs of ${id} ${version}`,
      )
    this.isSideInconsistent = !isUnchanged || results.some((one) => one.isSideInconsistent)
  }

  /** The names that the deployments list, with secrets masked, for reports. */
  get maskedNames(): SharedNames {
    return this.pair.maskedNames
  }

  get hasDifferences(): boolean {
    return this.distinguishing.some(({ inputs }) => inputs.length > 0)
  }

  get cacheableExchanges(): readonly Exchange[] {
    return this.pair.sides.flatMap(({ directory, reader }) => reader.exchangesFor(directory.cats))
  }

  async hasChanged(): Promise<boolean> {
    return this.isSideInconsistent || ((await this.pair.canBypassCaches()) && (await this.isCausedByCachedCopies()))
  }

  /** Returns whether a difference disappears when caches are bypassed, so that a cached copy was its cause. */
  private async isCausedByCachedCopies(): Promise<boolean> {
    const all = this.distinguishing.flatMap(({ operation, inputs }) => inputs.map((input) => ({ operation, input })))
    const agree = all.map(
      async ({ operation, input }) => !(await this.pair.differs(operation, input, 'sendPastCaches')),
    )
    return (await Promise.all(agree)).includes(true)
  }

  onChange(): void {
    this.isChanging = true
  }

  /**
   * Drops each difference that does not recur when both deployments are requested again, with caches bypassed where
   * possible.
   */
  async readAgain(): Promise<void> {
    const canBypassCaches = await this.pair.canBypassCaches()
    const recurs = async (operation: ComparedOperation, input: string): Promise<boolean> =>
      !(await this.pair.isSideInconsistent(operation, input, 1)) &&
      (!canBypassCaches || (await this.pair.differs(operation, input, 'sendPastCaches')))
    this.distinguishing = await Promise.all(
      this.distinguishing.map(async ({ operation, inputs, unconfirmedCount }) => ({
        operation,
        unconfirmedCount,
        inputs: await selectInputs(inputs, (input) => recurs(operation, input)),
      })),
    )
  }

  dropAll(): void {
    this.distinguishing = []
  }

  async differences(): Promise<readonly OperationDifference[]> {
    const found = this.distinguishing.map(
      async ({ operation, inputs: [first, ...others], unconfirmedCount }): Promise<readonly OperationDifference[]> => {
        if (first === undefined) return []
        // Does not shorten the input in a changing directory, or if the run ends: the difference may not recur.
        const input = this.isChanging
          ? first
          : await this.pair.shrinkInput(operation, first).catch(resolveInconclusiveTo(first))
        return [await this.pair.createDifference(operation, input, this.version, others.length + unconfirmedCount)]
      },
    )
    return (await Promise.all(found)).flat()
  }
}

/**
 * Compares both deployments in one version. Inputs that would exceed `maxRequests`, the maximum number of requests to
 * both together, are not compared. Returns undefined if one of the deployments has no such version.
 */
export async function compareBehaviour(
  liveDeployments: readonly LiveDeployment[],
  version: Version,
  { seed, mask, maxRequests }: { readonly seed: number; readonly mask: TextMask; readonly maxRequests: number },
) {
  const sides = await Promise.all(
    liveDeployments.flatMap((live) => {
      const directory = live.deployment.directories.find((one) => one.version === version)
      const reader = createCachingReader(live.session.sendOnce)
      return directory
        ? [readListedNames(directory, reader).then((listed): LiveSide => ({ live, directory, reader, listed }))]
        : []
    }),
  )
  const [one, two] = sides
  if (!one || !two) return undefined
  const names = findSharedNames(one.listed, two.listed)
  const pair = new ComparedSidePair(sides, names, mask, maxRequests)
  const results: OperationComparison[] = []
  // Compares one operation after the other, so that the same inputs are left out each time when the limit is reached.
  for (const operation of createComparedOperations(names, seed))
    results.push(await findDistinguishingInputs(pair, operation))
  return new BehaviourComparison(version, pair, results, await pair.areListsUnchanged())
}

/** The result of comparing one operation of the two deployments. */
interface OperationComparison extends DistinguishingInputs {
  /** True if one of the deployments gave different responses to the same request. */
  readonly isSideInconsistent: boolean
  /** The number of inputs that were not compared. */
  readonly uncomparedCount: number
}

/** The number of inputs that are sent at the same time. The last of these batches may exceed the limit of requests. */
const INPUTS_PER_BATCH = 16
/**
 * The maximum number of inputs with different responses that are requested again at once. If none of them is confirmed,
 * the next ones follow; else further inputs are left out, because they mostly differ for the same reason.
 */
const MAX_CONFIRMED_INPUTS = 12

/**
 * Compares one operation. Requests inputs with different responses again, those with the fewest requests first, until
 * the difference is confirmed for some of them.
 */
async function findDistinguishingInputs(
  pair: ComparedSidePair,
  operation: ComparedOperation,
): Promise<OperationComparison> {
  const differing: string[] = []
  let sentCount = 0
  for (; sentCount < operation.inputs.length && !pair.isLimitReached; sentCount += INPUTS_PER_BATCH)
    differing.push(
      ...(await selectInputs(operation.inputs.slice(sentCount, sentCount + INPUTS_PER_BATCH), (input) =>
        pair.differs(operation, input),
      )),
    )
  const left = differing.toSorted(
    (a, b) => pair.countRequestsFor(operation, a) - pair.countRequestsFor(operation, b) || a.length - b.length,
  )
  let [inputs, isSideInconsistent]: [readonly string[], boolean] = [[], false]
  while (inputs.length === 0 && left.length > 0) {
    const some = left.splice(0, MAX_CONFIRMED_INPUTS)
    inputs = await selectInputs(some, async (input) => !(await pair.isSideInconsistent(operation, input)))
    isSideInconsistent ||= inputs.length < some.length
  }
  const uncomparedCount = Math.max(0, operation.inputs.length - sentCount)
  return {
    operation,
    inputs: inputs.toSorted((a, b) => a.length - b.length),
    unconfirmedCount: left.length,
    isSideInconsistent,
    uncomparedCount,
  }
}

/** Selects the inputs for which `holds` returns true. Leaves out inputs for which no usable response arrives. */
async function selectInputs(
  inputs: readonly string[],
  holds: (input: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const kept = inputs.map(async (input) => ((await holds(input).catch(resolveInconclusiveTo(false))) ? [input] : []))
  return (await Promise.all(kept)).flat()
}

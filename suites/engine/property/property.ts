import fc from 'fast-check'

interface CounterexampleOptions<I> {
  /** Returns the time on the run's clock, in milliseconds. */
  readonly now: () => number
  readonly inputs: fc.Arbitrary<I>
  /** Fixed inputs, which are tested before the generated ones. */
  readonly examples: readonly I[]
  readonly seed: number
  /**
   * The steps by which fast-check reaches a counterexample (not a file path). If set, only this counterexample is
   * tested.
   */
  readonly path: string | undefined
  /** The number of generated inputs. The examples are tested in addition. */
  readonly runs: number
  /** The maximum number of shrink steps. It limits the number of requests; after so many steps, the input is small. */
  readonly maxShrinks: number
  /** Sends the requests for an input early, without waiting for the responses. */
  readonly prefetch: (input: I) => void
  /** Resolves to whether the input meets the requirement. */
  readonly holds: (input: I) => Promise<boolean>
}

/** The number of inputs whose requests are sent early. */
const PREFETCH_WINDOW = 48
const MAX_SHRINK_MS = 15_000

/** The tests of one property. It sends requests early, and ends the shrinking when the input is small enough. */
class PropertyRun<I> {
  testedCount = 0
  /** The error that `holds` threw, if any. */
  failure: { readonly error: unknown } | undefined
  private readonly search: CounterexampleOptions<I>
  private readonly predictedInputs: readonly I[]
  private prefetchedCount = 0
  private shrinks = 0
  private shrinkingSince = Number.POSITIVE_INFINITY

  constructor(search: CounterexampleOptions<I>, predicted: readonly I[]) {
    this.search = search
    this.predictedInputs = predicted
  }

  prefetchWindow(): void {
    const end = Math.min(this.predictedInputs.length, this.testedCount + PREFETCH_WINDOW)
    for (; this.prefetchedCount < end; this.prefetchedCount++)
      this.search.prefetch(this.predictedInputs[this.prefetchedCount] as I) // The index is in range.
  }

  async holds(input: I): Promise<boolean> {
    if (this.failure || this.isSmallEnough()) return true // Reports success, because that ends the shrinking.
    this.testedCount++
    this.prefetchWindow()
    try {
      const passed = await this.search.holds(input)
      if (!passed || this.shrinks > 0) this.shrinks++
      if (this.shrinks === 1) this.shrinkingSince = this.search.now()
      return passed
    } catch (error) {
      this.failure = { error }
      return true
    }
  }

  private isSmallEnough(): boolean {
    return this.shrinks > this.search.maxShrinks || this.search.now() - this.shrinkingSince > MAX_SHRINK_MS
  }
}

/**
 * Runs fast-check.
 * @returns its result; undefined if the path leads to no input
 */
async function runCheck<I>(property: fc.IAsyncProperty<[I]>, parameters: fc.Parameters<[I]> & { numRuns: number }) {
  const { path, numRuns } = parameters
  if (path !== undefined && Number(path.split(':', 1)[0]) >= numRuns) return undefined
  try {
    return await fc.check(property, parameters)
  } catch (error) {
    // fast-check throws this error before it tests anything, so it is not the error of a test.
    if (path !== undefined && /wrong path/.test(String(error))) return undefined
    throw error
  }
}

/**
 * Looks for a failing input, and shrinks it. The requests for the next inputs are sent early: these inputs are
 * predicted by a sample with the same seed. A wrong prediction only costs time.
 * @returns the number of inputs tested, and the smallest failing input; undefined instead of the latter if all inputs passed
 * @throws the error that `holds` throws; `holds` is not called afterwards
 */
export async function findCounterexample<I>(search: CounterexampleOptions<I>) {
  const { inputs, seed, path } = search
  const replaying = path !== undefined
  const numRuns = search.examples.length + search.runs
  const predicted = replaying ? [] : fc.sample(inputs, { seed, numRuns, examples: [...search.examples] })
  const run = new PropertyRun(search, predicted)
  run.prefetchWindow()
  const property = fc.asyncProperty(inputs, (input) => run.holds(input))
  const details = await runCheck(property, {
    seed,
    numRuns,
    examples: search.examples.map((example): [I] => [example]),
    ...(replaying && { path, endOnFailure: true }),
  })
  if (run.failure) throw run.failure.error
  const failing = details?.counterexample ?? undefined
  return {
    inputsTested: run.testedCount,
    counterexample: failing && { input: failing[0], path: details?.counterexamplePath ?? '' },
  }
}

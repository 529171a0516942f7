import fc from 'fast-check'

export interface Search<I> {
  readonly inputs: fc.Arbitrary<I>
  /** Always tried, before anything generated. */
  readonly examples: readonly I[]
  readonly seed: number
  /** A counterexample's path: only that one is tried. */
  readonly path: string | undefined
  /** Generated inputs, beside the examples. */
  readonly runs: number
  /** Starts what an input will need, without waiting. */
  readonly warm: (input: I) => void
  /** Resolves to whether the law holds for the input. */
  readonly holds: (input: I) => Promise<boolean>
}

export interface Found<I> {
  readonly tried: number
  readonly counterexample?: { readonly input: I; readonly path: string }
}

const WINDOW = 48
const AHEAD = 4
/** Judgements after the first that failed: what is not small by then is small enough, and a deployment is not hammered. */
const MOST_SHRINKS = 300
const LONGEST_SHRINKING_MS = 15_000

/** Warms shrink candidates a few ahead; what is tried, and in which order, stays exactly fast-check's. */
function warming<I>(property: fc.IAsyncProperty<[I]>, warm: (input: I) => void): fc.IAsyncProperty<[I]> {
  const shrink = (value: fc.Value<[I]>) => fc.stream(ahead(property.shrink(value)[Symbol.iterator](), warm))
  return Object.create(property, { shrink: { value: shrink } }) as fc.IAsyncProperty<[I]>
}

function* ahead<I>(candidates: Iterator<fc.Value<[I]>>, warm: (input: I) => void): IterableIterator<fc.Value<[I]>> {
  const ready: fc.Value<[I]>[] = []
  let ended = false
  for (;;) {
    while (!ended && ready.length < AHEAD) {
      const next = candidates.next()
      if (next.done) ended = true
      else {
        warm(next.value.value[0])
        ready.push(next.value)
      }
    }
    const candidate = ready.shift()
    if (!candidate) return
    yield candidate
  }
}

/**
 * Looks for an input that breaks a law, and for the smallest near it. Inputs are warmed in a window: fast-check's
 * sample with the same seed foretells its check; should it ever not, only speed is lost.
 * @throws whatever `holds` throws, after which it is not called again
 */
export async function findCounterexample<I>(search: Search<I>): Promise<Found<I>> {
  const { inputs, seed, path } = search
  const numRuns = search.examples.length + search.runs
  const replaying = path !== undefined
  const foretold = replaying ? [] : fc.sample(inputs, { seed, numRuns, examples: [...search.examples] })
  let started = 0
  let warmed = 0
  let shrinks = 0
  let shrinkingSince = Number.POSITIVE_INFINITY
  let thrown: { readonly error: unknown } | undefined
  const isSmallEnough = () => shrinks > MOST_SHRINKS || performance.now() - shrinkingSince > LONGEST_SHRINKING_MS
  const warm = (input: I) => (isSmallEnough() ? undefined : search.warm(input))
  const warmOn = () => {
    for (; warmed < foretold.length && warmed < started + WINDOW; warmed++) warm(foretold[warmed] as I) // below length
  }
  warmOn()
  const plain = fc.asyncProperty(inputs, async (input) => {
    if (thrown || isSmallEnough()) return true // nothing more can be found out, or nothing worth the asking
    started++
    warmOn()
    try {
      const isKept = await search.holds(input)
      if (!isKept || shrinks > 0) shrinks++
      if (shrinks === 1) shrinkingSince = performance.now()
      return isKept
    } catch (error) {
      thrown = { error }
      return true
    }
  })
  const details = await fc.check(replaying ? plain : warming(plain, warm), {
    seed,
    numRuns,
    examples: search.examples.map((example): [I] => [example]),
    ...(replaying && { path, endOnFailure: true }),
  })
  if (thrown) throw thrown.error
  if (details.counterexample === null) return { tried: started }
  return {
    tried: started,
    counterexample: { input: details.counterexample[0], path: details.counterexamplePath ?? '' },
  }
}

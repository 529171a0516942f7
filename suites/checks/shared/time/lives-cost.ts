import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import { countIn, distance, livesOf, type State, stateOfLives } from '../../../directory/changes/state.ts'
import type { Motion } from '../../../directory/changes/watch.ts'
import type { OneVersion } from '../../../directory/deployment.ts'
import type { Directory, List } from '../../../directory/facts/directory.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Subject } from '../../../engine/check/readers.ts'
import { type Cause, compareIntervals, type ExperimentClock, FEW_ACTING } from '../../../engine/history/experiment.ts'
import { compareReadings } from '../../../engine/history/repeated-readings.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'

type Context = CheckContext<OneVersion>

/** The clock of an experiment, whose waits end with the run. */
export const clockOf = ({ clock, pause }: Context): ExperimentClock => ({ now: clock.now, sleep: pause })

/** The requests, and the cats whose lives they might cost. */
export interface Touching {
  /** The version of the requests, if it differs from the version with lives. */
  readonly version?: string
  /** Requested in turn: some of the cats each time. */
  readonly asks: readonly Subject<unknown>[]
  /** Requested in addition: a new unlisted name each time. */
  readonly inVain?: (name: string) => Subject<unknown>
  readonly cats: readonly string[]
}

/** Cats with many lives, because a falling count stops at 0. */
async function lively(names: readonly string[], { fresh, target }: Context, most: number) {
  const { read } = fresh()
  const cats = await Promise.all(
    names.slice(0, target.effort.livelyLookedAt).map(async (name) => ({
      name,
      lives: livesOf(await read(target.withLives.lives(name))) ?? 0,
    })),
  )
  return cats
    .sort((a, b) => b.lives - a.lives)
    .slice(0, most)
    .map(({ name }) => name)
}

/** A list, the first cats, which a defect of a single cat is likely to concern, and cats with many lives. */
export const aListAndSomeCats =
  (listOf: (directory: Directory) => Subject<unknown>) =>
  async (context: Context): Promise<Touching> => {
    const { directory, effort } = context.target
    const names = await pathNames(directory.cats, context.read)
    const [first, others] = [names.slice(0, effort.firstCats), names.slice(effort.firstCats)]
    return { asks: [listOf(directory)], cats: [...first, ...(await lively(others, context, effort.livelyCats))] }
  }

/** The lists of some breeds, and a cat with many lives of each. */
export async function breedsAndTheirCats(context: Context): Promise<Touching> {
  const { target, read } = context
  const { directory, effort } = target
  const breeds = (await pathNames(directory.breeds, read)).slice(0, effort.livelyCats)
  const lists = breeds.map((breed) => directory.catsOf(breed))
  const cats = await Promise.all(lists.map(async (list) => lively(await pathNames(list, read), context, 1)))
  return { asks: lists.filter((_, i) => cats[i]?.length), inVain: directory.catsOf, cats: cats.flat() }
}

const livelyOf = async (cats: List, context: Context): Promise<readonly string[]> =>
  lively(await pathNames(cats, context.read), context, context.target.effort.livelyCats)

/** Searches for cats with many lives. */
export async function searchesForCats(context: Context): Promise<Touching> {
  const { directory } = context.target
  const cats = await livelyOf(directory.cats, context)
  return { asks: cats.map((cat) => directory.search(cat)), inVain: directory.search, cats }
}

/** Lives of unlisted cats, which leaves those of listed cats untouched. */
export async function livesInVain(context: Context): Promise<Touching> {
  const { withLives } = context.target
  return { asks: [], inVain: withLives.lives, cats: await livelyOf(withLives.cats, context) }
}

/** Lives of cats in a version without lives. */
export const livesOfVersionWithout =
  ({ version, lives }: Directory) =>
  async (context: Context): Promise<Touching> => {
    const cats = await livelyOf(context.target.withLives.cats, context)
    return { version, asks: cats.map((cat) => lives(cat)), cats }
  }

/** Above the rounds of other experiments, so that these requests are new. */
const FIRST_ROUND = 100

/** Tests whether requests cost lives: the lives of some cats are read with the requests and without them. */
export async function verifyCost(operation: OperationId, touching: Touching, context: Context): Promise<void> {
  const { target, seed } = context
  const { watch, withLives, directory } = target
  const { asks, inVain, cats, version = directory.version } = touching
  const [first, ...others] = cats.map((cat) => withLives.lives(cat))
  const asksOf = (round: number) =>
    [asks[round % asks.length], inVain?.(directory.controlName(FIRST_ROUND + round))].flatMap((one) => one ?? [])
  if (!first || asksOf(0).length === 0) return
  const cause = await compareIntervals(
    {
      observe: async () => stateOfLives([first, ...others], (await watch.fresh()).read),
      act: (round) => askAnew(asksOf(round), context),
      placebo: (requests) =>
        askAnew(
          Array.from({ length: requests }, () => first),
          context,
        ),
      distance,
      intervals: FEW_ACTING,
      isOneWay: true,
    },
    seed,
    clockOf(context),
  )
  if (cause !== 'asking' && cause !== 'unclear') return
  await context.verifyCause({
    experiments: [async () => cause],
    expected: `requests of ${operation} (${version}) do not change the lives of cats`,
    actual: `requests of ${operation} (${version}) change the lives of cats: they change more often with the requests than without`,
    manner: 'lives change with the requests',
    otherwise: 'lives changed during the run',
    demonstrate: async () => showLivesChange(cats, context, asksOf(FIRST_ROUND)),
  })
}

/**
 * Sends the request of each subject again, one after the other.
 * @returns the number of requests sent
 */
export async function askAnew(subjects: readonly Subject<unknown>[], { target }: Context): Promise<number> {
  let requests = 0
  for (const subject of subjects) {
    const reader = await target.watch.fresh()
    await reader.read(subject)
    requests += reader.evidence(subject).length
  }
  return requests
}

/** The count at which falling counts may stop. */
const LOWEST = 1

/** Two readings of a cat's lives that show the change, with the suspected requests in between. */
async function showLivesChange(
  cats: readonly string[],
  { target, fresh }: Context,
  suspected: readonly Subject<unknown>[] = [],
): Promise<readonly Exchange[]> {
  let shown: readonly Exchange[] = []
  // At the end of a run most falling counts have reached 0, so more cats are read to find one that can still fall.
  for (const cat of cats.slice(-target.effort.catsReadInRows).reverse()) {
    const lives = target.withLives.lives(cat)
    const [before, between, after] = [fresh(), fresh(), fresh()]
    const first = await before.read(lives)
    for (const subject of suspected) await between.read(subject)
    const second = await after.read(lives)
    shown = [before.evidence(lives), ...suspected.map(between.evidence), after.evidence(lives)].flat()
    // Picks a cat with lives left, so that the user can reproduce the finding.
    if (livesOf(first) !== livesOf(second) && (livesOf(second) ?? 0) > LOWEST) break
  }
  return shown
}

/** If every tenth reading costs a life, this many readings in a row include one, and the next reading shows it. */
const IN_A_ROW = 12
/** The number of changed cats that are read first. */
const MOST_CHANGED = 8

/** The cause of changed lives, determined once for all checks. */
export function causeOfLives(motion: Motion, context: Context): Promise<Cause> {
  const cause = causes.get(motion) ?? readInRows(motion, context)
  causes.set(motion, cause)
  return cause
}

const causes = new WeakMap<Motion, Promise<Cause>>()

/** Cats with changed lives first, then cats that were not read yet, because a falling count stops at 0. */
async function readInRows(motion: Motion, context: Context): Promise<Cause> {
  const { target, read } = context
  const { withLives, effort, watch } = target
  const names = await pathNames(withLives.cats, read)
  const others = names.slice(effort.catsWatchedEarly, effort.catsWatchedEarly + effort.catsReadInRows)
  const cats = new Set([...motion.cats.slice(0, MOST_CHANGED), ...others])
  return compareReadings<State>(
    {
      things: [...cats].map((cat) => async () => {
        const state = await stateOfLives([withLives.lives(cat)], (await watch.fresh()).read)
        return state.size > 0 ? state : undefined
      }),
      distance,
      canChange: (state) => (countIn(state) ?? 0) > 0,
      inARow: IN_A_ROW,
      mayBeCopies: !(await watch.passesCaches()),
    },
    context.seed,
    clockOf(context),
  )
}

/** Tests whether reading lives costs lives. */
export async function verifyReading(motion: Motion, context: Context): Promise<void> {
  const names = await pathNames(context.target.withLives.cats, context.read)
  await context.verifyCause({
    experiments: [() => causeOfLives(motion, context)],
    expected: 'reading the lives of a cat does not change them',
    actual: 'reading the lives of a cat changes them, however little time passes',
    manner: 'lives change when they are read',
    otherwise: motion.example ?? 'lives changed during the run',
    demonstrate: () => showLivesChange([...names, ...motion.cats], context),
  })
}

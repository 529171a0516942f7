import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import type { DataChanges } from '../../../directory/changes/change-monitor.ts'
import {
  countDifferences,
  type DirectoryState,
  livesCountInState,
  livesCountOf,
  readStateOfLives,
} from '../../../directory/changes/directory-state.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { readNamesForPaths, selectNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import type { Resource } from '../../../engine/check/readers.ts'
import { compareBurstsWithPauses } from '../../../engine/history/bursts-with-pauses.ts'
import {
  type ChangeCause,
  compareActiveAndIdleIntervals,
  type ExperimentClock,
  FEW_ACTIVE_INTERVALS,
  findCauseByExperiments,
} from '../../../engine/history/experiment.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import type { VersionContext } from '../check.ts'

/** Creates the clock of an experiment. Its pauses are cut short when the run ends. */
export const experimentClockOf = ({ clock, pause }: VersionContext): ExperimentClock => ({
  now: clock.now,
  sleep: pause,
})

/** Requests that may cost lives, and the cats whose lives are compared. */
export interface SuspectedRequests {
  /** The version in which the requests are sent, if it is not the tested version. */
  readonly version?: string
  /** The resources to request: one in each round, in turn. One resource may take several requests. */
  readonly resources: readonly Resource<unknown>[]
  /** Creates an additional request for each round, with an unlisted name that is new in each round. */
  readonly unlistedResource?: (name: string) => Resource<unknown>
  readonly cats: readonly string[]
}

/** Selects cats with many lives: a count of 0 cannot fall. */
async function selectCatsWithManyLives(
  names: readonly string[],
  { createFreshReader, target }: VersionContext,
  most: number,
) {
  const { read } = createFreshReader()
  const cats = await Promise.all(
    names.slice(0, target.effort.catsReadForManyLives).map(async (name) => ({
      name,
      lives: livesCountOf(await read(target.livesDirectory.lives(name))) ?? 0,
    })),
  )
  return cats
    .sort((a, b) => b.lives - a.lives)
    .slice(0, most)
    .map(({ name }) => name)
}

/**
 * Creates requests for one list. Their effect on lives is tested on the first cats of the list of all cats, because a
 * defect that affects a single cat often affects one of the first, and on some cats with many lives.
 */
export const createListRequests =
  (listOf: (directory: Directory) => Resource<unknown>) =>
  async (context: VersionContext): Promise<SuspectedRequests> => {
    const { directory, effort } = context.target
    const names = await readNamesForPaths(directory.cats, context.read)
    const [first, others] = [names.slice(0, effort.firstCats), names.slice(effort.firstCats)]
    return {
      resources: [listOf(directory)],
      cats: [...first, ...(await selectCatsWithManyLives(others, context, effort.catsWithManyLives))],
    }
  }

/**
 * Combines all resources into one, so that each round sends all requests: then every interval shows a side effect,
 * whichever request has it.
 */
const readTogether = (resources: readonly Resource<unknown>[]): readonly Resource<unknown>[] =>
  resources.length === 0
    ? []
    : [
        {
          key: resources.map(({ key }) => key).join(' '),
          readWith: (ask) => Promise.all(resources.map((one) => one.readWith(ask))),
        },
      ]

/**
 * Creates requests for the lists of some breeds. Their effect on lives is tested on the first cat of each breed, and on
 * one with many lives.
 */
export async function createBreedRequests(context: VersionContext): Promise<SuspectedRequests> {
  const { target, read } = context
  const { directory, effort } = target
  const breeds = (await readNamesForPaths(directory.breeds, read)).slice(0, effort.catsWithManyLives)
  const lists = breeds.map((breed) => directory.catsOf(breed))
  const cats = await Promise.all(
    lists.map(async (list) => {
      const [first, ...others] = selectNamesForPaths(namesOfReading(await read(list)))
      return first === undefined ? [] : [first, ...(await selectCatsWithManyLives(others, context, 1))]
    }),
  )
  const requested = lists.filter((_, i) => cats[i]?.length)
  return { resources: readTogether(requested), unlistedResource: directory.catsOf, cats: cats.flat() }
}

const catsWithManyLivesOf = async (cats: ListResource, context: VersionContext): Promise<readonly string[]> =>
  selectCatsWithManyLives(await readNamesForPaths(cats, context.read), context, context.target.effort.catsWithManyLives)

export async function createSearchRequests(context: VersionContext): Promise<SuspectedRequests> {
  const { directory } = context.target
  const cats = await catsWithManyLivesOf(directory.cats, context)
  return { resources: cats.map((cat) => directory.search(cat)), unlistedResource: directory.search, cats }
}

/** Creates requests for the lives of unlisted cats, which must not change the lives of listed cats. */
export async function createUnlistedLivesRequests(context: VersionContext): Promise<SuspectedRequests> {
  const { livesDirectory } = context.target
  return {
    resources: [],
    unlistedResource: livesDirectory.lives,
    cats: await catsWithManyLivesOf(livesDirectory.cats, context),
  }
}

export const createOtherVersionRequests =
  ({ version, lives }: Directory) =>
  async (context: VersionContext): Promise<SuspectedRequests> => {
    const cats = await catsWithManyLivesOf(context.target.livesDirectory.cats, context)
    return { version, resources: cats.map((cat) => lives(cat)), cats }
  }

const compareLives = (
  observed: readonly [Resource<LivesReading>, ...Resource<LivesReading>[]],
  requestsOf: (round: number) => readonly Resource<unknown>[],
  context: VersionContext,
): Promise<ChangeCause> =>
  compareActiveAndIdleIntervals(
    {
      observe: async () => readStateOfLives(observed, (await context.target.changeMonitor.createFreshReader()).read),
      sendSuspectedRequests: (round) => resendRequests(requestsOf(round), context),
      sendControlRequests: (requests) =>
        resendRequests(
          Array.from({ length: requests }, () => observed[0]),
          context,
        ),
      distance: countDifferences,
      intervals: FEW_ACTIVE_INTERVALS,
      isOneWay: true,
    },
    context.seed,
    experimentClockOf(context),
  )

/**
 * The first round number. It is higher than in other experiments, because control names are numbered by round and must
 * be new.
 */
const FIRST_ROUND = 100

/** Fails if requests cost lives: compares the lives of some cats with and without the requests. */
export async function verifyRequestsCostNoLives(
  operation: OperationId,
  suspected: SuspectedRequests,
  context: VersionContext,
): Promise<void> {
  const { livesDirectory, directory } = context.target
  const { resources, unlistedResource, cats, version = directory.version } = suspected
  const [first, ...others] = cats.map((cat) => livesDirectory.lives(cat))
  const asksOf = (round: number) =>
    [resources[round % resources.length], unlistedResource?.(directory.controlName(FIRST_ROUND + round))].flatMap(
      (one) => one ?? [],
    )
  if (!first || asksOf(0).length === 0) return
  const cause = await compareLives([first, ...others], asksOf, context)
  if (cause !== 'requests' && cause !== 'unclear') return
  await context.verifySideEffect({
    experiments: [async () => cause],
    expected: `requests of ${operation} (${version}) do not change the lives of cats`,
    actual: `requests of ${operation} (${version}) change the lives of cats: they change more often with the requests than without`,
    manner: 'lives change with the requests',
    observedChange: 'lives changed during the run',
    demonstrate: async () => findLivesChange(cats, context, asksOf(FIRST_ROUND)),
  })
}

/**
 * Sends the request of each resource again, one after the other.
 * @returns the number of requests sent
 */
export async function resendRequests(
  resources: readonly Resource<unknown>[],
  { target }: VersionContext,
): Promise<number> {
  let requests = 0
  for (const resource of resources) {
    const reader = await target.changeMonitor.createFreshReader()
    await reader.read(resource)
    requests += reader.exchangesFor(resource).length
  }
  return requests
}

/** The lowest count for a finding: a defect may stop taking lives at this count. */
const LOWEST_COUNT = 1

/**
 * Reads the lives of a cat twice, with the suspected requests in between. Returns the exchanges that show the change.
 */
async function findLivesChange(
  cats: readonly string[],
  { target, createFreshReader }: VersionContext,
  suspected: readonly Resource<unknown>[] = [],
): Promise<readonly Exchange[]> {
  let shown: readonly Exchange[] = []
  // At the end of a run most falling counts have reached 0, so more cats are read to find one that can still fall.
  for (const cat of cats.slice(-target.effort.catsReadInBursts).reverse()) {
    const lives = target.livesDirectory.lives(cat)
    const [before, between, after] = [createFreshReader(), createFreshReader(), createFreshReader()]
    const first = await before.read(lives)
    for (const resource of suspected) await between.read(resource)
    const second = await after.read(lives)
    shown = [before.exchangesFor(lives), ...suspected.map(between.exchangesFor), after.exchangesFor(lives)].flat()
    // Picks a cat with lives left, so that the user can reproduce the finding.
    if (livesCountOf(first) !== livesCountOf(second) && (livesCountOf(second) ?? 0) > LOWEST_COUNT) break
  }
  return shown
}

/** The number of readings in a row. A defect in which only every tenth reading costs a life is still noticed. */
const READINGS_IN_A_ROW = 12
const MAX_CHANGED_CATS = 8

/** Returns the cause of changed lives. It is determined once per run, and several checks use it. */
export function findCauseOfChangedLives(changes: DataChanges, context: VersionContext): Promise<ChangeCause> {
  const experiments = [() => readInBursts(changes, context), () => compareWithOtherCats(context)]
  const cause = causeByChanges.get(changes) ?? findCauseByExperiments(experiments)
  causeByChanges.set(changes, cause)
  return cause
}

const causeByChanges = new WeakMap<DataChanges, Promise<ChangeCause>>()

/**
 * Reads lives in bursts, to find out whether reading changes them. Begins with cats whose lives changed; then takes
 * cats that were not read yet and still have lives.
 */
async function readInBursts(changes: DataChanges, context: VersionContext): Promise<ChangeCause> {
  const { target, read } = context
  const { livesDirectory, effort, changeMonitor } = target
  const names = await readNamesForPaths(livesDirectory.cats, read)
  const others = names.slice(effort.catsWatchedEarly, effort.catsWatchedEarly + effort.catsReadInBursts)
  const cats = new Set([...changes.catsWithChangedLives.slice(0, MAX_CHANGED_CATS), ...others])
  return compareBurstsWithPauses<DirectoryState>(
    {
      observers: [...cats].map((cat) => async () => {
        const state = await readStateOfLives(
          [livesDirectory.lives(cat)],
          (await changeMonitor.createFreshReader()).read,
        )
        return state.size > 0 ? state : undefined
      }),
      distance: countDifferences,
      canChange: (state) => (livesCountInState(state) ?? 0) > 0,
      maxReadingsPerBurst: READINGS_IN_A_ROW,
      mayBeCopies: !(await changeMonitor.canBypassCaches()),
    },
    context.seed,
    experimentClockOf(context),
  )
}

const MAX_OTHER_CATS = 24

/** Finds out whether reading the lives of all other cats changes the lives of one cat. */
async function compareWithOtherCats(context: VersionContext): Promise<ChangeCause> {
  const { livesDirectory } = context.target
  const names = (await readNamesForPaths(livesDirectory.cats, context.read)).slice(0, MAX_OTHER_CATS)
  const [cat] = await selectCatsWithManyLives(names, context, 1)
  const others = readTogether(names.filter((name) => name !== cat).map((name) => livesDirectory.lives(name)))
  return cat === undefined || others.length === 0
    ? 'nothing'
    : compareLives([livesDirectory.lives(cat)], () => others, context)
}

export async function verifyReadingCostsNoLives(changes: DataChanges, context: VersionContext): Promise<void> {
  const names = await readNamesForPaths(context.target.livesDirectory.cats, context.read)
  await context.verifySideEffect({
    experiments: [() => findCauseOfChangedLives(changes, context)],
    expected: 'reading lives changes no lives',
    actual: 'the lives of cats change when lives are read, and do not change in the pauses between readings',
    manner: 'lives change when they are read',
    observedChange: changes.example ?? 'lives changed during the run',
    demonstrate: () => findLivesChange([...names, ...changes.catsWithChangedLives], context),
  })
}

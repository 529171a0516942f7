import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import type { DataChanges } from '../../../directory/changes/change-monitor.ts'
import {
  countDifferences,
  type DirectoryState,
  livesCountOf,
  readDirectoryState,
} from '../../../directory/changes/directory-state.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { readBreedsIfReadable, readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import { CATS_READ_FOR_MANY_LIVES, CATS_READ_IN_BURSTS } from '../../../directory/shared/effort.ts'
import type { Resource } from '../../../engine/check/readers.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import {
  type ChangeCause,
  type ControlExperiment,
  FEW_ACTIVE_INTERVALS,
  findCauseByExperiments,
  findCauseByOtherRequests,
} from '../../../engine/side-effects/other-requests.ts'
import type { VersionContext } from '../check.ts'
import { experimentClockOf, REQUESTS_PER_INTERVAL, resendRequests } from './experiment-requests.ts'
import { describeLivesSideEffect } from './side-effect-texts.ts'

/** The requests of one operation whose effect on lives is tested. */
export interface LivesExperimentRequests {
  readonly operation: OperationId
  /** The directory to which the requests are sent, if it is not that of the tested version. */
  readonly sentTo?: Directory
  /**
   * Returns the resources to request. Each round requests the next one; one resource may take several requests.
   * @param cats the cats whose lives are compared
   * @param breeds some listed breeds
   */
  readonly resources?: (
    directory: Directory,
    cats: readonly string[],
    breeds: readonly string[],
  ) => readonly Resource<unknown>[]
  /** True if the requests are for lists of breeds' cats. The lives of the first cat of each are compared, too. */
  readonly areForBreeds?: true
  /** Creates an additional request for each round, with an unlisted name that is new in each round. */
  readonly unlistedResource?: (directory: Directory) => (name: string) => Resource<unknown>
}

/** The number of cats with many lives that are compared. */
const CATS_WITH_MANY_LIVES = 4
/** The number of cats at the beginning of the list that are compared. */
const FIRST_CATS = 2

/** Selects the cats with the most lives: a count of 0 cannot fall. */
export async function selectCatsWithMostLives(
  names: readonly string[],
  { createFreshReader, target }: VersionContext,
  maxCount = CATS_WITH_MANY_LIVES,
) {
  const { read } = createFreshReader()
  const cats = await Promise.all(
    names.slice(0, CATS_READ_FOR_MANY_LIVES).map(async (name) => ({
      name,
      lives: livesCountOf(await read(target.livesDirectory.lives(name))) ?? 0,
    })),
  )
  return cats
    .sort((a, b) => b.lives - a.lives)
    .slice(0, maxCount)
    .map(({ name }) => name)
}

/**
 * Selects the cats whose lives are compared: cats whose lives changed, the first cats of the list of all cats and of some
 * breeds, and other cats with many lives. The first ones are compared because a defect that affects a single cat often
 * affects one of these.
 */
async function selectComparedCats(
  changed: readonly string[],
  breeds: readonly string[],
  context: VersionContext,
): Promise<readonly string[]> {
  const { read, target } = context
  const { directory, livesDirectory } = target
  const names = await readNamesForPaths(livesDirectory.cats, read)
  const members = await Promise.all(breeds.map((breed) => readNamesForPaths(directory.catsOf(breed), read)))
  return [
    ...new Set([
      ...(await selectCatsWithMostLives(changed, context)),
      ...names.slice(0, FIRST_CATS),
      ...members.flatMap((cats) => cats.slice(0, 1)),
      ...(await selectCatsWithMostLives(names.slice(FIRST_CATS), context)),
    ]),
  ]
}

/** Finds out whether lives change more often in intervals with the suspected requests than in those without them. */
export const findCauseOfLivesChangeInIntervals = (
  requests: Pick<ControlExperiment<DirectoryState>, 'observe' | 'sendSuspectedRequests' | 'sendControlRequests'>,
  context: VersionContext,
): Promise<ChangeCause> =>
  findCauseByOtherRequests(
    {
      ...requests,
      distance: countDifferences,
      intervals: FEW_ACTIVE_INTERVALS,
      isOneWay: true,
    },
    context.seed,
    experimentClockOf(context),
  )

/**
 * Finds out whether some requests change the observed lives.
 * @param requestsOf returns the suspected requests of a round
 */
export const findCauseOfLivesChange = (
  observed: readonly [Resource<LivesReading>, ...Resource<LivesReading>[]],
  requestsOf: (round: number) => readonly Resource<unknown>[],
  context: VersionContext,
): Promise<ChangeCause> =>
  findCauseOfLivesChangeInIntervals(
    {
      observe: async () => readDirectoryState(observed, (await context.target.changeMonitor.createFreshReader()).read),
      sendSuspectedRequests: (round) => resendRequests(requestsOf(round), context),
      sendControlRequests: (requests) =>
        resendRequests(
          Array.from({ length: requests }, () => observed[0]),
          context,
        ),
    },
    context,
  )

/**
 * The first round number. It is higher than in other experiments, because control names are numbered by round and must
 * be new.
 */
const FIRST_LIVES_ROUND = 100

/** Fails if requests cost lives: compares the lives of some cats with and without the requests. */
export async function verifyRequestsCostNoLives(
  { operation, sentTo, resources, areForBreeds, unlistedResource }: LivesExperimentRequests,
  { catsWithChangedLives }: Pick<DataChanges, 'catsWithChangedLives'>,
  context: VersionContext,
): Promise<void> {
  const { livesDirectory, directory: tested } = context.target
  const directory = sentTo ?? tested
  const breeds = (await readBreedsIfReadable(directory, context.read)).slice(0, CATS_WITH_MANY_LIVES)
  const cats = await selectComparedCats(catsWithChangedLives, areForBreeds ? breeds : [], context)
  const resourcesInTurn = resources?.(directory, cats, breeds) ?? []
  const [first, ...others] = cats.map((cat) => livesDirectory.lives(cat))
  const requestsOf = (round: number) =>
    [
      resourcesInTurn[round % resourcesInTurn.length],
      unlistedResource?.(directory)(directory.controlName(FIRST_LIVES_ROUND + round)),
    ].flatMap((one) => one ?? [])
  if (!first || requestsOf(0).length === 0) return
  const repeated = (times: number) => (round: number) => Array.from({ length: times }, () => requestsOf(round)).flat()
  const cause = await findCauseByExperiments(
    REQUESTS_PER_INTERVAL.map((times) => () => findCauseOfLivesChange([first, ...others], repeated(times), context)),
  )
  if (cause !== 'requests' && cause !== 'unclear') return
  await context.verifySideEffect({
    experiments: [async () => cause],
    ...describeLivesSideEffect(operation, directory.version),
    observedChange: 'lives changed during the run',
    demonstrate: async () => {
      const { exchanges } = await findLivesChange(cats, context, async () => {
        const { read, exchangesFor } = context.createFreshReader()
        for (const resource of requestsOf(FIRST_LIVES_ROUND)) await read(resource)
        return requestsOf(FIRST_LIVES_ROUND).flatMap(exchangesFor)
      })
      return exchanges
    },
  })
  if (context.hasViolation()) context.target.changeMonitor.noteSideEffect('lives')
}

/** The lowest count that a finding shows: a defect may stop taking lives at this count. */
const LOWEST_COUNT = 1

/** The exchanges of a finding, and whether they show different counts of one cat. */
interface LivesChange {
  readonly exchanges: readonly Exchange[]
  readonly isShown: boolean
}

/**
 * Reads the lives of one cat after another twice, with the suspected requests in between. Stops at a cat whose count
 * changed and is still above `LOWEST_COUNT`.
 * @param sendBetween sends the suspected requests for a cat, and returns their exchanges
 * @returns the exchanges of this cat, else of another whose count changed, else of the last one; and whether they show a change
 */
export async function findLivesChange(
  cats: readonly string[],
  { target, createFreshReader }: VersionContext,
  sendBetween: (lives: Resource<LivesReading>) => Promise<readonly Exchange[]> = async () => [],
): Promise<LivesChange> {
  let seen: LivesChange = { exchanges: [], isShown: false }
  // At the end of a run most falling counts have reached 0, so more cats are read to find one that can still fall.
  for (const cat of cats.slice(-CATS_READ_IN_BURSTS).reverse()) {
    const lives = target.livesDirectory.lives(cat)
    const [before, after] = [createFreshReader(), createFreshReader()]
    const first = livesCountOf(await before.read(lives))
    const between = await sendBetween(lives)
    const second = livesCountOf(await after.read(lives))
    const exchanges = [...before.exchangesFor(lives), ...between, ...after.exchangesFor(lives)]
    const isShown = first !== second
    // Keeps an earlier change if this cat shows none.
    if (isShown || !seen.isShown) seen = { exchanges, isShown }
    // Picks a cat with lives left, so that the user can reproduce the finding.
    if (isShown && (second ?? 0) > LOWEST_COUNT) break
  }
  return seen
}

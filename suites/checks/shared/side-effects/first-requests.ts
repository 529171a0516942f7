import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import type { ChangeMonitor } from '../../../directory/changes/change-monitor.ts'
import {
  countDifferences,
  createDirectoryState,
  type DirectoryState,
  isDifferentAt,
  livesCountOf,
  readDirectoryState,
} from '../../../directory/changes/directory-state.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import type { Read, Reader, Resource } from '../../../engine/check/readers.ts'
import { computeOncePerObject } from '../../../engine/memoise.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { type ChangingRequest, findRequestThatChanges, type SuspectedRequest } from './first-request-experiments.ts'
import { createRawResource, readLikelyNames, readLikelyState } from './likely-names.ts'
import { describeListSideEffect, describeLivesSideEffect } from './side-effect-texts.ts'

/** The number of cats whose lives the experiments read. */
const MAX_CATS_OBSERVED = 6
/** Lists with more cats are not read again: later experiments still find cats in them. */
export const MAX_CATS_COMPARED = 1000

/** Reads the likely names in the lists of all cats. */
const readListsOfCats = (directories: readonly Directory[], read: Read): Promise<DirectoryState> =>
  readLikelyState(
    directories.map(({ cats }) => cats),
    'cat',
    read,
  )

/** Selects the first two cats, the last one, and some between them: a defect may concern any of them. */
function selectCats(names: readonly string[], maxCount: number): readonly string[] {
  const step = Math.max(1, (names.length - 1) / Math.max(1, maxCount - 1))
  const evenlySpaced = Array.from({ length: maxCount }, (_, nth) => names[Math.round(nth * step)] ?? [])
  return [...new Set([...names.slice(0, 2), ...names.slice(-1), ...evenlySpaced.flat()])].slice(0, maxCount)
}

/**
 * Creates the requests of one version that may change data: one of each operation for a listed name, and one for a name
 * that no cat or breed has. Each round of an experiment requests the next listed name, because e.g. only the first
 * request for a cat may change something.
 * @param hasLives whether the version has lives_left; if not, only the lives of a listed cat are requested
 */
function createSuspectedRequests(
  directory: Directory,
  cats: readonly string[],
  breeds: readonly string[],
  hasLives: boolean,
): readonly SuspectedRequest[] {
  const { version } = directory
  const unlisted = [directory.controlName()]
  const createForNames = (
    operation: OperationId,
    names: readonly string[],
    resourceOf: (name: string) => Pick<Resource<unknown>, 'key'>,
  ): readonly SuspectedRequest[] => {
    const resources = names.map((name) => createRawResource(resourceOf(name)))
    return resources.slice(0, 1).map((first) => ({
      operation,
      version,
      resourceInRound: (round) => resources[round % resources.length] ?? first,
    }))
  }
  return [
    ...createForNames('listCats', [''], () => directory.cats),
    ...createForNames('listBreeds', [''], () => directory.breeds),
    ...[breeds, unlisted].flatMap((names) => createForNames('listCatsOfBreed', names, directory.catsOf)),
    ...[cats, breeds, unlisted].flatMap((names) => createForNames('searchCats', names, directory.search)),
    ...(hasLives ? [cats, unlisted] : [cats]).flatMap((names) =>
      createForNames('getLivesLeft', names, directory.lives),
    ),
  ]
}

/** The first request of each kind, and the lists and lives before and after these requests. */
interface FirstRequests {
  readonly livesOfCats: readonly Resource<LivesReading>[]
  readonly requests: readonly SuspectedRequest[]
  readonly lists: readonly [before: DirectoryState, after: DirectoryState]
  readonly lives: readonly [before: DirectoryState, after: DirectoryState]
}

/** Reads lists and lives, sends the first request of each kind, and reads lists and lives again. */
async function sendFirstRequests({ target, read, createFreshReader }: VersionContext): Promise<FirstRequests> {
  const { judgedDirectories: directories, livesDirectory, changeMonitor, effort } = target
  const lists = await readListsOfCats(directories, read)
  const names = await readLikelyNames(livesDirectory.cats, 'cat', read)
  const cats = directories.includes(livesDirectory) ? selectCats(names, effort.catsReadAtStart) : []
  const livesOfCats = cats.map((cat) => livesDirectory.lives(cat))
  const lives = await readDirectoryState(livesOfCats, read)
  const requests = await Promise.all(
    directories.map(async (one) =>
      createSuspectedRequests(
        one,
        cats.length > 0 ? cats : names,
        await readLikelyNames(one.breeds, 'breed', read),
        one === livesDirectory,
      ),
    ),
  )
  await Promise.all(requests.flat().map(({ resourceInRound }) => read(resourceInRound(0))))
  const { read: readAgain } = createFreshReader()
  const areFew = names.length <= MAX_CATS_COMPARED
  return {
    livesOfCats,
    requests: requests.flat(),
    lists: [lists, areFew ? await readListsOfCats(directories, readAgain) : lists],
    lives: [lives, createDirectoryState(await changeMonitor.rereadLives(cats))],
  }
}

/**
 * Finds a request that changes lists.
 * @returns undefined if no request was shown to change them; `reading` if they also change when they are only read
 */
async function findRequestThatChangesLists(
  { lists: [before, after], requests }: FirstRequests,
  context: VersionContext,
) {
  const { judgedDirectories: directories, livesDirectory } = context.target
  if (countDifferences(before, after) === 0) return undefined
  const readState = ({ read }: Reader) => readListsOfCats(directories, read)
  if (countDifferences(after, await readState(context.createFreshReader())) > 0) return 'reading'
  const harmless = createRawResource(livesDirectory.cats)
  const others = requests.filter(({ operation }) => operation !== 'listCats')
  return findRequestThatChanges({ readState, harmless, isOneWay: false }, others, context)
}

/**
 * Finds a request that changes lives.
 * @returns undefined if no request was shown to change them, or if they also change when they are only read
 */
async function findRequestThatChangesLives(
  { lives: [before, after], livesOfCats, requests }: FirstRequests,
  context: VersionContext,
) {
  const changed = livesOfCats.filter(({ key }) => isDifferentAt(key, before, after))
  if (changed.length === 0) return undefined
  const { read } = context.createFreshReader()
  if (countDifferences(after, await readDirectoryState(changed, read)) > 0) return undefined
  const counts = await Promise.all(
    changed.map(async (lives) => ({ lives, count: livesCountOf(await read(lives)) ?? 0 })),
  )
  const observed = counts
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_CATS_OBSERVED)
    .map(({ lives }) => lives)
  const [harmless] = observed
  const ownKeys = new Set(livesOfCats.map((one) => createRawResource(one).key))
  const others = requests.filter(({ resourceInRound }) => !ownKeys.has(resourceInRound(0).key))
  const readState = (reader: Reader) => readDirectoryState(observed, reader.read)
  return harmless && findRequestThatChanges({ readState, harmless, isOneWay: true }, others, context)
}

/** Sends the first requests of the run, and finds those that change lists or lives. Memoised: runs once per run. */
const findSideEffects = computeOncePerObject(async (_: ChangeMonitor, context: VersionContext) => {
  const sent = await sendFirstRequests(context)
  const causeOfLists = await findRequestThatChangesLists(sent, context)
  const causeOfLives = await findRequestThatChangesLives(sent, context)
  return causeOfLists === 'reading'
    ? { areListsChangedByReading: true, lists: undefined, lives: causeOfLives }
    : { areListsChangedByReading: false, lists: causeOfLists, lives: causeOfLives }
})

/** Returns whether lists of cats changed between two readings at the start of the run, with no request in between. */
export const doListsChangeWhenRead = async (context: VersionContext): Promise<boolean> =>
  (await findSideEffects(context.target.changeMonitor, context)).areListsChangedByReading

/**
 * Tests with the very first requests of a run whether a request of this operation changes lists or lives (T4.2, T4.3).
 * Later, all lives may be used up and all cats may be gone.
 */
export const createFirstRequestsProbe =
  (operation: OperationId): CheckProbe =>
  async (context) => {
    const { directory, livesDirectory, changeMonitor } = context.target
    const sideEffects = await findSideEffects(changeMonitor, context)
    const isOwn = ({ request }: ChangingRequest) =>
      request.operation === operation &&
      (request.version === directory.version || (operation === 'getLivesLeft' && directory === livesDirectory))
    const changed = (['lists', 'lives'] as const).find((data) => sideEffects[data] && isOwn(sideEffects[data]))
    const cause = changed && sideEffects[changed]
    if (!cause) return
    await context.verifySideEffect({
      experiments: [async () => 'requests'],
      ...(changed === 'lists'
        ? describeListSideEffect(operation, directory)
        : describeLivesSideEffect(operation, cause.request.version)),
      observedChange: `${changed} changed while the first requests were sent`,
      demonstrate: async () => cause.exchanges,
    })
    changeMonitor.noteSideEffect(changed)
  }

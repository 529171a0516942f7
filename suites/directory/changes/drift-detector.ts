import type { DriftDetection, DriftReport } from '../../engine/check/drift.ts'
import {
  createFreshReader,
  createUncachedRead,
  type Read,
  type Reader,
  type Resource,
  type SendRequest,
} from '../../engine/check/readers.ts'
import type { Clock } from '../../engine/clock.ts'
import { maxCopyAgeMsOf } from '../../engine/http/client/freshness.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import type { Directory } from '../facts/directory.ts'
import { selectNamesForPaths } from '../inputs/listed-names.ts'
import { removeNames } from '../readings/list-operations.ts'
import type { ListReading, NameList } from '../readings/list-reading.ts'
import { namesOfReading } from '../readings/names.ts'
import type { Effort } from '../shared/effort.ts'
import { quoted } from '../shared/text.ts'
import { livesCountOf } from './directory-state.ts'
import { compareListReadings, ignoreIncompleteFirstReadings, type ListChanges, NO_CHANGES } from './list-changes.ts'
import type { ParameterEffectDetection } from './parameter-effect.ts'

export interface DriftDetectorOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly watchedDirectories: readonly Directory[]
  /** The version that has lives, if it is under test. */
  readonly livesDirectory: Directory | undefined
  readonly readings: Reader
  /** The readings from the start of the run. Present at the end of the run, when `readings` are later ones. */
  readonly firstReadings?: Reader
  readonly send: SendRequest
  readonly sendPastCaches: SendRequest
  readonly detectParameterEffect: ParameterEffectDetection
  readonly effort: Pick<Effort, 'catsWatchedEarly' | 'driftDetection'>
}

/** If changes were detected less than this time ago, the next detection returns the same result without a request. */
const DETECTION_VALID_MS = 300

interface DriftDetector {
  /** Reads lists and lives again, and reports what has changed since the first readings. */
  readonly detectDrift: DriftDetection
  /** Describes the first change detected so far, without a request; undefined if there is none. */
  describeChangesSoFar(): string | undefined
}

/** Names whose data changed. A cat may have the name of a breed: if one is removed, the other is still listed. */
interface ChangedNames {
  readonly cats: Set<string>
  readonly breeds: Set<string>
}

interface DriftLog {
  firstChange: string | undefined
  readonly changedNames: ChangedNames
}

/** If more names than this have changed, every name counts as changed, to save memory. */
const MAX_CHANGED_NAMES = 200_000

/** Creates a detector of drift, i.e. changes of the listed data since the first readings. */
export function createDriftDetector(options: DriftDetectorOptions): DriftDetector {
  const driftLog: DriftLog = { firstChange: undefined, changedNames: { cats: new Set(), breeds: new Set() } }
  let latest: { readonly at: number; readonly isShort: boolean; readonly report: Promise<DriftReport> } | undefined
  return {
    describeChangesSoFar: () => driftLog.firstChange,
    detectDrift(since = Number.NEGATIVE_INFINITY, isRevisable = false) {
      const now = options.clock.now()
      const isShort = isRevisable && options.effort.driftDetection === 'short'
      const isRecent = (at: number) =>
        now - at < DETECTION_VALID_MS && (isShort || at >= since || driftLog.firstChange !== undefined)
      if (latest && isRecent(latest.at) && (isShort || !latest.isShort)) return latest.report
      const report = detectOnce(options, driftLog, isShort)
      latest = { at: now, isShort, report }
      return report
    },
  }
}

/** Compares lists and lives with the first readings. `isShort` skips breed lists and readings that bypass caches. */
async function detectOnce(options: DriftDetectorOptions, driftLog: DriftLog, isShort: boolean): Promise<DriftReport> {
  const { readings, send, sendPastCaches, detectParameterEffect } = options
  const groups = await selectComparedLists(options, isShort)
  const [now, pastCaches] = [createUncachedRead(send), createFreshReader(sendPastCaches)]
  const newParameter = await detectParameterEffect(pastCaches)
  const breedListKeys = keysOfBreedLists(options)
  const findChangesInList = (list: Resource<ListReading>, read: Read, again: Read) =>
    readings
      .read(list)
      .then((before) => findConfirmedChanges(list, before, { read, again }))
      .then((changes) => ({ ...changes, areOfBreeds: breedListKeys.has(list.key) }))
      .catch(noneIfWithheld)
  const findChangesIn = async (read: Read, again: Read) => {
    const changes = groups.map(async (lists) => {
      const found = await Promise.all(lists.map((list) => findChangesInList(list, read, again)))
      return ignoreIncompleteFirstReadings(lists, found, readings.read, again)
    })
    return (await Promise.all(changes)).flat()
  }
  const findChangesPastCaches = () => findChangesIn(pastCaches.read, createUncachedRead(sendPastCaches))
  // If the lists have their first content when they are read with caches bypassed, nothing has changed, and nothing
  // else is read.
  const areUnchanged =
    !isShort &&
    options.effort.driftDetection === 'short' &&
    newParameter === 'passes caches' &&
    (await findChangesPastCaches()).every(({ description }) => description === undefined)
  const inLists = areUnchanged ? [] : await findChangesIn(now, now)
  for (const changes of [...inLists, ...(await findLivesChanges(options, now))]) noteChanges(changes, driftLog)
  // If the usual responses show no change, compares the lists again with caches bypassed. A difference then means that
  // the usual response is a stale copy from a cache. The difference is reported, but its names do not count as changed.
  const inCopies =
    !isShort && !areUnchanged && newParameter !== 'is refused' && driftLog.firstChange === undefined
      ? await findChangesPastCaches()
      : []
  const changeInCopies = inCopies.find(({ description }) => description !== undefined)?.description
  const newCats = newParameter === 'is refused' ? [] : await findNewCatsPastCaches(options, pastCaches.read)
  const { cats, breeds } = driftLog.changedNames
  const keepUnchangedNames = await createUnchangedNamesFilter(options, { cats: new Set([...cats, ...newCats]), breeds })
  return {
    change: driftLog.firstChange ?? (changeInCopies && `past the caches ${changeInCopies}`),
    unknownParameterEffect: newParameter,
    withoutChanged: async (resource, reading) =>
      isListReading(reading) ? ((await keepUnchangedNames(resource, reading)) as typeof reading) : reading, // The cast is safe: a filtered list is a list.
  }
}

const keysOfBreedLists = ({ watchedDirectories }: DriftDetectorOptions): ReadonlySet<string> =>
  new Set(watchedDirectories.map(({ breeds }) => breeds.key))

function noteChanges({ changedNames, areOfBreeds, description }: ListChanges, driftLog: DriftLog): void {
  driftLog.firstChange ??= description
  const noted = areOfBreeds ? driftLog.changedNames.breeds : driftLog.changedNames.cats
  for (const name of changedNames) if (noted.size <= MAX_CHANGED_NAMES) noted.add(name)
}

/**
 * Returns the cats that are listed only if caches are bypassed. Leaves out lists whose responses declare no age: the
 * suite assumes that such copies expire during its pauses.
 */
async function findNewCatsPastCaches(
  { watchedDirectories, readings }: DriftDetectorOptions,
  past: Read,
): Promise<readonly string[]> {
  const declareNoAge = ({ cats }: Directory) =>
    readings.exchangesFor(cats).every((page) => maxCopyAgeMsOf(page) === undefined)
  const newCats = watchedDirectories.map(async (one) =>
    declareNoAge(one) ? [] : compareListReadings(await readings.read(one.cats), await past(one.cats)).newNames,
  )
  return (await Promise.all(newCats)).flat().slice(0, MAX_CHANGED_NAMES)
}

/**
 * Creates a filter that removes names that are not in both the first and the last reading of their list. Only the other
 * names are evidence (T3.3).
 */
async function createUnchangedNamesFilter(options: DriftDetectorOptions, changedNames: ChangedNames) {
  const { watchedDirectories, readings, firstReadings = readings } = options
  const breedListKeys = keysOfBreedLists(options)
  const cats = await Promise.all(watchedDirectories.map((one) => firstReadings.read(one.cats)))
  return async (resource: Resource<unknown>, list: NameList): Promise<NameList> => {
    const isOfBreeds = breedListKeys.has(resource.key)
    const changed = isOfBreeds ? changedNames.breeds : changedNames.cats
    if (changed.size > MAX_CHANGED_NAMES) return removeNames(list, new Set(list.names))
    const firstReading =
      firstReadings.exchangesFor(resource).length > 0 ? await firstReadings.read(resource) : undefined
    const first = [...cats, firstReading].filter(isListReading)
    const isNewSinceFirst = (name: string) => first.length > cats.length && !first.some((one) => one.has(name))
    // Keeps new names in the list of all breeds: the cats of a new breed may have been listed from the start.
    const others = isOfBreeds ? [] : list.names.filter(isNewSinceFirst)
    return removeNames(list, others.length === 0 ? changed : new Set([...changed, ...others]))
  }
}

const isListReading = (reading: unknown): reading is NameList =>
  typeof reading === 'object' && reading !== null && 'kind' in reading && reading.kind === 'list'

/** The maximum number of breeds whose lists are compared, to save requests. */
const BREEDS_CHECKED = 40

/** Selects the lists to compare in each version. Lists of breeds must have been read before. */
async function selectComparedLists(
  { watchedDirectories, readings }: DriftDetectorOptions,
  isShort: boolean,
): Promise<readonly (readonly Resource<ListReading>[])[]> {
  const lists = watchedDirectories.map(async ({ cats, breeds, catsOf }) => {
    const names = selectNamesForPaths(namesOfReading(await readings.read(breeds)))
    const breedLists = names.slice(0, isShort ? 0 : BREEDS_CHECKED).map((breed) => catsOf(breed))
    return [cats, breeds, ...breedLists.filter((list) => readings.exchangesFor(list).length > 0)]
  })
  return Promise.all(lists)
}

/** Returns no changes if a request was withheld, because similar names made the service unavailable twice (R13.7). */
function noneIfWithheld(error: unknown): ListChanges {
  if (error instanceof Inconclusive && error.kind === 'withheld') return NO_CHANGES
  throw error
}

/** The number of repeated readings that confirm a change. With so many, probably every replica responds once. */
const CONFIRMING_READINGS = 12
/** Changes of longer lists are accepted without repeated readings, which would be too slow. */
const MAX_NAMES_TO_CONFIRM = 1000

/**
 * Returns whether at least one of several further readings shows the same change. A single wrong response is no change
 * (T2.2).
 */
const isConfirmed = async (hasChanged: () => Promise<boolean>): Promise<boolean> =>
  (await hasChanged()) ||
  (await Promise.all(Array.from({ length: CONFIRMING_READINGS - 1 }, hasChanged))).includes(true)

/**
 * Finds the changes between an earlier reading of a list and a new one. Ignores changes that no further reading shows.
 * @param again reads the list without caching
 */
async function findConfirmedChanges(
  list: Resource<ListReading>,
  before: ListReading,
  { read, again }: { readonly read: Read; readonly again: Read },
): Promise<ListChanges> {
  const seen = compareListReadings(before, await read(list))
  if (
    seen.description === undefined ||
    Math.max(seen.changedNames.length, namesOfReading(before).length) > MAX_NAMES_TO_CONFIRM
  )
    return seen
  const hasChanged = async () => compareListReadings(before, await again(list)).description !== undefined
  return (await isConfirmed(hasChanged)) ? seen : NO_CHANGES
}

/**
 * Finds changed lives. A cat with changed lives does not count as changed: a search must still find it (mutant
 * search-misses-one-and-lives-cost).
 */
async function findLivesChanges(
  { livesDirectory, readings, effort }: DriftDetectorOptions,
  now: Read,
): Promise<readonly ListChanges[]> {
  if (!livesDirectory) return []
  const cats = selectNamesForPaths(namesOfReading(await readings.read(livesDirectory.cats))).slice(
    0,
    effort.catsWatchedEarly,
  )
  const seen = cats.map(async (cat): Promise<ListChanges> => {
    const lives = livesDirectory.lives(cat)
    const [before, after] = [livesCountOf(await readings.read(lives)), livesCountOf(await now(lives))]
    if (before === after || before === undefined || after === undefined) return NO_CHANGES
    if (!(await isConfirmed(async () => livesCountOf(await now(lives)) !== before))) return NO_CHANGES
    return { ...NO_CHANGES, description: `the lives of ${quoted(cat)} went from ${before} to ${after}` }
  })
  return Promise.all(seen.map((one) => one.catch(noneIfWithheld)))
}

import type { DriftDetection, DriftReport } from '../../engine/check/drift.ts'
import {
  createFreshReader,
  createUncachedRead,
  type Read,
  type Reader,
  type SendRequest,
  type Subject,
} from '../../engine/check/readers.ts'
import type { Clock } from '../../engine/clock.ts'
import { maxCopyAgeMs } from '../../engine/http/client/freshness.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import type { Directory } from '../facts/directory.ts'
import { selectPathNames } from '../inputs/listed-names.ts'
import { removeNames } from '../readings/list-operations.ts'
import type { ListReading, NameList } from '../readings/list-reading.ts'
import { areEqualLists } from '../readings/name-index.ts'
import { namesOfReading } from '../readings/names.ts'
import type { Effort } from '../shared/effort.ts'
import { quoted } from '../shared/text.ts'
import { livesCountOf } from './directory-state.ts'
import type { DetectParameterEffect } from './parameter-effect.ts'

export interface DriftDetectorOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly watchedDirectories: readonly Directory[]
  /** The version in which lives can be read, if it is watched. */
  readonly livesDirectory: Directory | undefined
  readonly readings: Reader
  /** The first readings of the run, if `readings` are later ones. */
  readonly firstReadings?: Reader
  /** Always sends the request. */
  readonly send: SendRequest
  /** Always sends the request, past the caches. */
  readonly sendPastCaches: SendRequest
  readonly detectParameterEffect: DetectParameterEffect
  readonly effort: Pick<Effort, 'catsWatchedEarly' | 'breedsCheckedForDrift'>
}

/** The time for which a detection is recent enough for the next caller. */
const DETECTION_VALID_MS = 300

export interface DriftDetector {
  /** Detects changes now. */
  readonly detectDrift: DriftDetection
  /** The changes observed so far, in words, without a request. */
  describeChangesSoFar(): string | undefined
}

/** The names that changed, and a description of the first change. */
interface DriftLog {
  firstChange: string | undefined
  readonly changedNames: Set<string>
}

/** Above this number of changed names, no name counts as unchanged. */
const MAX_CHANGED_NAMES = 200_000

/** Detects changes since the first readings, and remembers them. */
export function createDriftDetector(options: DriftDetectorOptions): DriftDetector {
  const driftLog: DriftLog = { firstChange: undefined, changedNames: new Set() }
  let latest: { readonly at: number; readonly motion: Promise<DriftReport> } | undefined
  return {
    describeChangesSoFar: () => driftLog.firstChange,
    detectDrift(since = Number.NEGATIVE_INFINITY) {
      const now = options.clock.now()
      const isRecent = (at: number) =>
        now - at < DETECTION_VALID_MS && (at >= since || driftLog.firstChange !== undefined)
      if (latest && isRecent(latest.at)) return latest.motion
      const motion = detectOnce(options, driftLog)
      latest = { at: now, motion }
      return motion
    },
  }
}

/** @param driftLog receives the changes */
async function detectOnce(options: DriftDetectorOptions, driftLog: DriftLog): Promise<DriftReport> {
  const { watchedDirectories, readings, send, sendPastCaches, detectParameterEffect } = options
  const lists = (await Promise.all(watchedDirectories.map((one) => selectComparedLists(one, options)))).flat()
  const [now, pastCaches] = [createUncachedRead(send), createFreshReader(sendPastCaches)]
  const newParameter = await detectParameterEffect(pastCaches)
  const findChangesIn = (read: Read, again: Read) =>
    Promise.all(
      lists.map((list) =>
        readings
          .read(list)
          .then((before) => findConfirmedChanges(list, before, { read, again }))
          .catch(noneIfWithheld),
      ),
    )
  const inLists = await findChangesIn(now, now)
  for (const { changedNames, description } of [...inLists, ...(await findLivesChanges(options, now))]) {
    driftLog.firstChange ??= description
    for (const name of changedNames)
      if (driftLog.changedNames.size <= MAX_CHANGED_NAMES) driftLog.changedNames.add(name)
  }
  // A list that differs only past the caches is a stale copy: an allowance, but no addition or removal.
  const inCopies =
    newParameter !== 'is refused' && driftLog.firstChange === undefined
      ? await findChangesIn(pastCaches.read, createUncachedRead(sendPastCaches))
      : []
  const changeInCopies = inCopies.find(({ description }) => description !== undefined)?.description
  const newCats = newParameter === 'is refused' ? [] : await findNewCatsPastCaches(options, pastCaches.read)
  const keepUnchangedNames = await createUnchangedNamesFilter(options, new Set([...driftLog.changedNames, ...newCats]))
  return {
    change: driftLog.firstChange ?? (changeInCopies && `past the caches ${changeInCopies}`),
    unknownParameterEffect: newParameter,
    withoutChanged: async (subject, fact) =>
      isListReading(fact) ? ((await keepUnchangedNames(subject, fact)) as typeof fact) : fact, // The filter keeps the type of a list.
  }
}

/**
 * The cats that are listed past the caches and were not listed at first: a copy that declares its age says nothing
 * about them. Undeclared copies expire within the waits of a run.
 */
async function findNewCatsPastCaches(
  { watchedDirectories, readings }: DriftDetectorOptions,
  past: Read,
): Promise<readonly string[]> {
  const declareNoAge = ({ cats }: Directory) =>
    readings.exchangesFor(cats).every((page) => maxCopyAgeMs(page) === undefined)
  const newCats = watchedDirectories.map(async (one) =>
    declareNoAge(one) ? [] : compareListReadings(await readings.read(one.cats), await past(one.cats)).newNames,
  )
  return (await Promise.all(newCats)).flat().slice(0, MAX_CHANGED_NAMES)
}

/**
 * Removes from lists what changed, and cats that are new since the first reading of the run: a name is evidence only if
 * it was in the first and the last reading of its list (T3.3).
 */
async function createUnchangedNamesFilter(
  { watchedDirectories, readings, firstReadings = readings }: DriftDetectorOptions,
  changedNames: ReadonlySet<string>,
) {
  // A new breed may contain cats of the first readings.
  const ofBreeds = new Set(watchedDirectories.map(({ breeds }) => breeds.key))
  const cats = await Promise.all(watchedDirectories.map((one) => firstReadings.read(one.cats)))
  return async (subject: Subject<unknown>, list: NameList): Promise<NameList> => {
    if (changedNames.size > MAX_CHANGED_NAMES) return removeNames(list, new Set(list.names))
    const own = firstReadings.exchangesFor(subject).length > 0 ? await firstReadings.read(subject) : undefined
    const first = [...cats, own].filter(isListReading)
    const isNewSinceFirst = (name: string) => first.length > cats.length && !first.some((one) => one.has(name))
    const others = ofBreeds.has(subject.key) ? [] : list.names.filter(isNewSinceFirst)
    return removeNames(list, others.length === 0 ? changedNames : new Set([...changedNames, ...others]))
  }
}

const isListReading = (fact: unknown): fact is NameList =>
  typeof fact === 'object' && fact !== null && 'kind' in fact && fact.kind === 'list'

/** The lists of a version: all cats, all breeds, and the cats of breeds. */
async function selectComparedLists(
  { cats, breeds, catsOf }: Directory,
  { readings, effort }: DriftDetectorOptions,
): Promise<readonly Subject<ListReading>[]> {
  const names = selectPathNames(namesOfReading(await readings.read(breeds)))
  return [cats, breeds, ...names.slice(0, effort.breedsCheckedForDrift).map((breed) => catsOf(breed))]
}

interface ListChanges {
  readonly changedNames: readonly string[]
  /** The names that are new. */
  readonly newNames: readonly string[]
  /** A description of the first change; undefined if nothing changed. */
  readonly description: string | undefined
}

const NO_CHANGES: ListChanges = { changedNames: [], newNames: [], description: undefined }

/** A name that is not sent any more, because its class cost two outages (R13.7), is no evidence of a change. */
function noneIfWithheld(error: unknown): ListChanges {
  if (error instanceof Inconclusive && error.kind === 'withheld') return NO_CHANGES
  throw error
}

/** Readings that are no lists are not compared. */
function compareListReadings(before: ListReading, after: ListReading): ListChanges {
  if (before === after || before.kind !== 'list' || after.kind !== 'list') return NO_CHANGES
  const isSame =
    areEqualLists(before.names, after.names) && areEqualLists(before.breedOf.byIndex, after.breedOf.byIndex)
  if (isSame) return NO_CHANGES
  const gone = before.names.filter((name) => !after.has(name))
  const come = after.names.filter((name) => !before.has(name))
  const isOtherBreed = (name: string, place: number) =>
    after.breedOf.byIndex[place] !== undefined &&
    before.has(name) &&
    before.breedOf.get(name) !== after.breedOf.byIndex[place]
  const other = after.names.filter(isOtherBreed)
  const words = [
    ...gone.slice(0, 1).map((name) => `${quoted(name)} was listed and is not any more`),
    ...come.slice(0, 1).map((name) => `${quoted(name)} was not listed and is now`),
    ...other.slice(0, 1).map((name) => `${quoted(name)} is shown as ${quoted(after.breedOf.get(name) ?? '')} now`),
  ]
  return { changedNames: [gone, come, other].flat(), newNames: come, description: words[0] }
}

/** The number of repeated readings: enough to reach every connection, and so every replica. */
const CONFIRMING_READINGS = 12
/** The largest list that is read so often. */
const MAX_NAMES_TO_CONFIRM = 1000

/**
 * Returns whether a change is seen again each time that the list is read again at once. If not, one response was wrong:
 * that is no change of the directory, and dismisses nothing (T2.2).
 * @param hasChanged reads it anew
 */
const isConfirmed = async (hasChanged: () => Promise<boolean>): Promise<boolean> =>
  (await Promise.all(Array.from({ length: CONFIRMING_READINGS }, hasChanged))).includes(true)

/** Returns the change of a list if repeated readings confirm it. */
async function findConfirmedChanges(
  list: Subject<ListReading>,
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

async function findLivesChanges(
  { livesDirectory, readings, effort }: DriftDetectorOptions,
  now: Read,
): Promise<readonly ListChanges[]> {
  if (!livesDirectory) return []
  const cats = selectPathNames(namesOfReading(await readings.read(livesDirectory.cats))).slice(
    0,
    effort.catsWatchedEarly,
  )
  const seen = cats.map(async (cat): Promise<ListChanges> => {
    const lives = livesDirectory.lives(cat)
    const [before, after] = [livesCountOf(await readings.read(lives)), livesCountOf(await now(lives))]
    if (before === after || before === undefined || after === undefined) return NO_CHANGES
    if (!(await isConfirmed(async () => livesCountOf(await now(lives)) !== before))) return NO_CHANGES
    return {
      changedNames: [cat],
      newNames: [],
      description: `the lives of ${quoted(cat)} went from ${before} to ${after}`,
    }
  })
  return Promise.all(seen.map((one) => one.catch(noneIfWithheld)))
}

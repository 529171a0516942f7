import type { LookForMotion, Motion } from '../../engine/check/drift.ts'
import {
  type Asker,
  createFreshReader,
  type Read,
  type Reader,
  readingBy,
  type Subject,
} from '../../engine/check/readers.ts'
import type { Clock } from '../../engine/clock.ts'
import { oldestMs } from '../../engine/http/client/freshness.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import type { Directory } from '../facts/directory.ts'
import { thatCanStandInPath } from '../inputs/own-names.ts'
import { isSameList } from '../readings/index-of-names.ts'
import { without } from '../readings/list-operations.ts'
import type { ListReading, Named } from '../readings/list-reading.ts'
import { namesIn } from '../readings/names.ts'
import type { Effort } from '../shared/effort.ts'
import { quoted } from '../shared/text.ts'
import type { TellNewParameter } from './new-parameter.ts'
import { livesOf } from './state.ts'

export interface MotionOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly watched: readonly Directory[]
  /** The version in which lives can be read, if it is watched. */
  readonly whereLives: Directory | undefined
  readonly readings: Reader
  /** The first readings of the run, if `readings` are later ones. */
  readonly firstReadings?: Reader
  /** Always sends the request. */
  readonly ask: Asker
  /** Always sends the request, past the caches. */
  readonly askPastCaches: Asker
  readonly tellNewParameter: TellNewParameter
  readonly effort: Pick<Effort, 'catsWatchedEarly' | 'breedsWatchedForMotion'>
}

/** The time for which a detection is recent enough for the next caller. */
const GOOD_FOR_MS = 300

export interface MotionWatch {
  /** Detects changes now. */
  readonly lookForMotion: LookForMotion
  /** The changes observed so far, in words, without a request. */
  movedSoFar(): string | undefined
  /** The lists that have changed so far, without a request. */
  listsMovedSoFar(): readonly Subject<ListReading>[]
}

/** The names that changed, a description of the first change, and the lists with changes. */
interface Moving {
  first: string | undefined
  readonly names: Set<string>
  readonly lists: Map<string, Subject<ListReading>>
}

/** Above this number of changed names, no name counts as unchanged. */
const MOST_MOVING = 200_000

/** Detects changes since the first readings, and remembers them. */
export function createMotionWatch(options: MotionOptions): MotionWatch {
  const moving: Moving = { first: undefined, names: new Set(), lists: new Map() }
  let latest: { readonly at: number; readonly motion: Promise<Motion> } | undefined
  return {
    movedSoFar: () => moving.first,
    listsMovedSoFar: () => [...moving.lists.values()],
    lookForMotion(since = Number.NEGATIVE_INFINITY) {
      const now = options.clock.now()
      const isGood = (at: number) => now - at < GOOD_FOR_MS && (at >= since || moving.first !== undefined)
      if (latest && isGood(latest.at)) return latest.motion
      const motion = look(options, moving)
      latest = { at: now, motion }
      return motion
    },
  }
}

/** @param moving receives the changes */
async function look(options: MotionOptions, moving: Moving): Promise<Motion> {
  const { watched, readings, ask, askPastCaches, tellNewParameter } = options
  const lists = (await Promise.all(watched.map((one) => listsOf(one, options)))).flat()
  const [now, past] = [readingBy(ask), createFreshReader(askPastCaches)]
  const newParameter = await tellNewParameter(past)
  const changesTo = (read: Read, again: Read) =>
    Promise.all(
      lists.map(async (list) => ({
        list,
        seen: await readings
          .read(list)
          .then((before) => lastingChanges(list, before, { read, again }))
          .catch(noneIfWithheld),
      })),
    )
  const inLists = await changesTo(now, now)
  for (const { names, words } of [...inLists.map((one) => one.seen), ...(await livesChanges(options, now))]) {
    moving.first ??= words
    for (const name of names) if (moving.names.size <= MOST_MOVING) moving.names.add(name)
  }
  // A list that differs only past the caches is a stale copy: an allowance, but no addition or removal.
  const inCopies =
    newParameter !== 'is refused' && moving.first === undefined
      ? await changesTo(past.read, readingBy(askPastCaches))
      : []
  const copied = inCopies.find(({ seen }) => seen.words !== undefined)?.seen.words
  for (const { list, seen } of [...inLists, ...inCopies]) if (seen.words !== undefined) moving.lists.set(list.key, list)
  const come = newParameter === 'is refused' ? [] : await comePastCaches(options, past.read)
  const standing = await standingIn(options, new Set([...moving.names, ...come]))
  return {
    moved: moving.first ?? (copied && `past the caches ${copied}`),
    newParameter,
    still: async (subject, fact) => (isList(fact) ? ((await standing(subject, fact)) as typeof fact) : fact), // The filter keeps the type of a list.
  }
}

/**
 * The cats that are listed past the caches and were not listed at first: a copy that declares its age says nothing
 * about them. Undeclared copies expire within the waits of a run.
 */
async function comePastCaches({ watched, readings }: MotionOptions, past: Read): Promise<readonly string[]> {
  const areSilent = ({ cats }: Directory) => readings.evidence(cats).every((page) => oldestMs(page) === undefined)
  const come = watched.map(async (one) =>
    areSilent(one) ? [] : changes(await readings.read(one.cats), await past(one.cats)).come,
  )
  return (await Promise.all(come)).flat().slice(0, MOST_MOVING)
}

/**
 * Removes from lists what changed, and cats that are new since the first reading of the run: a name is evidence only if
 * it was in the first and the last reading of its list (T3.3).
 */
async function standingIn({ watched, readings, firstReadings = readings }: MotionOptions, moved: ReadonlySet<string>) {
  // A new breed may contain cats of the first readings.
  const ofBreeds = new Set(watched.map(({ breeds }) => breeds.key))
  const cats = await Promise.all(watched.map((one) => firstReadings.read(one.cats)))
  return async (subject: Subject<unknown>, list: Named): Promise<Named> => {
    if (moved.size > MOST_MOVING) return without(list, new Set(list.names))
    const own = firstReadings.evidence(subject).length > 0 ? await firstReadings.read(subject) : undefined
    const first = [...cats, own].filter(isList)
    const cameSince = (name: string) => first.length > cats.length && !first.some((one) => one.has(name))
    const others = ofBreeds.has(subject.key) ? [] : list.names.filter(cameSince)
    return without(list, others.length === 0 ? moved : new Set([...moved, ...others]))
  }
}

const isList = (fact: unknown): fact is Named =>
  typeof fact === 'object' && fact !== null && 'kind' in fact && fact.kind === 'list'

/** The lists of a version: all cats, all breeds, and the cats of breeds. */
async function listsOf(
  { cats, breeds, catsOf }: Directory,
  { readings, effort }: MotionOptions,
): Promise<readonly Subject<ListReading>[]> {
  const names = thatCanStandInPath(namesIn(await readings.read(breeds)))
  return [cats, breeds, ...names.slice(0, effort.breedsWatchedForMotion).map((breed) => catsOf(breed))]
}

interface Changes {
  readonly names: readonly string[]
  /** The names that are new. */
  readonly come: readonly string[]
  /** A description of the first change; undefined if nothing changed. */
  readonly words: string | undefined
}

const NO_CHANGES: Changes = { names: [], come: [], words: undefined }

/** A name that is not sent any more, because its class cost two outages (R13.7), is no evidence of a change. */
function noneIfWithheld(error: unknown): Changes {
  if (error instanceof Inconclusive && error.kind === 'withheld') return NO_CHANGES
  throw error
}

/** Readings that are no lists are not compared. */
function changes(before: ListReading, after: ListReading): Changes {
  if (before === after || before.kind !== 'list' || after.kind !== 'list') return NO_CHANGES
  const isSame = isSameList(before.names, after.names) && isSameList(before.breedOf.inOrder, after.breedOf.inOrder)
  if (isSame) return NO_CHANGES
  const gone = before.names.filter((name) => !after.has(name))
  const come = after.names.filter((name) => !before.has(name))
  const isOtherBreed = (name: string, place: number) =>
    after.breedOf.inOrder[place] !== undefined &&
    before.has(name) &&
    before.breedOf.get(name) !== after.breedOf.inOrder[place]
  const other = after.names.filter(isOtherBreed)
  const words = [
    ...gone.slice(0, 1).map((name) => `${quoted(name)} was listed and is not any more`),
    ...come.slice(0, 1).map((name) => `${quoted(name)} was not listed and is now`),
    ...other.slice(0, 1).map((name) => `${quoted(name)} is shown as ${quoted(after.breedOf.get(name) ?? '')} now`),
  ]
  return { names: [gone, come, other].flat(), come, words: words[0] }
}

/** The number of repeated readings: enough to reach every connection, and so every replica. */
const READ_AGAIN = 12
/** The largest list that is read so often. */
const MOST_READ_AGAIN = 1000

/**
 * Returns whether a change is seen again each time that the list is read again at once. If not, one response was wrong:
 * that is no change of the directory, and dismisses nothing (T2.2).
 * @param isOtherwise reads it anew
 */
const isSeenAgain = async (isOtherwise: () => Promise<boolean>): Promise<boolean> =>
  (await Promise.all(Array.from({ length: READ_AGAIN }, isOtherwise))).includes(true)

/** Returns the change of a list if repeated readings confirm it. */
async function lastingChanges(
  list: Subject<ListReading>,
  before: ListReading,
  { read, again }: { readonly read: Read; readonly again: Read },
): Promise<Changes> {
  const seen = changes(before, await read(list))
  if (seen.words === undefined || Math.max(seen.names.length, namesIn(before).length) > MOST_READ_AGAIN) return seen
  const hasChanged = async () => changes(before, await again(list)).words !== undefined
  return (await isSeenAgain(hasChanged)) ? seen : NO_CHANGES
}

async function livesChanges({ whereLives, readings, effort }: MotionOptions, now: Read): Promise<readonly Changes[]> {
  if (!whereLives) return []
  const cats = thatCanStandInPath(namesIn(await readings.read(whereLives.cats))).slice(0, effort.catsWatchedEarly)
  const seen = cats.map(async (cat): Promise<Changes> => {
    const lives = whereLives.lives(cat)
    const [before, after] = [livesOf(await readings.read(lives)), livesOf(await now(lives))]
    if (before === after || before === undefined || after === undefined) return NO_CHANGES
    if (!(await isSeenAgain(async () => livesOf(await now(lives)) !== before))) return NO_CHANGES
    return { names: [cat], come: [], words: `the lives of ${quoted(cat)} went from ${before} to ${after}` }
  })
  return Promise.all(seen.map((one) => one.catch(noneIfWithheld)))
}

import type { LookForMotion, Motion } from '../../engine/judging/motion.ts'
import { type Asker, createFreshReader, type Read, type Reader, type Subject } from '../../engine/judging/readers.ts'
import type { Effort } from '../effort.ts'
import { canStandInPath } from '../encodings.ts'
import { thatCanStandInPath } from '../inputs/own-names.ts'
import { quoted } from '../text.ts'
import type { Directory } from './directory.ts'
import type { ListReading, Named } from './list-reading.ts'
import { without } from './list-reading.ts'
import { namesIn } from './names.ts'
import { livesOf } from './state.ts'

export interface MotionOptions {
  readonly watched: readonly Directory[]
  /** The version in which lives can be read, when it is watched. */
  readonly whereLives: Directory | undefined
  readonly readings: Reader
  /** Always asks. */
  readonly ask: Asker
  /** Always asks, past the caches. */
  readonly askPastCaches: Asker
  readonly effort: Pick<Effort, 'catsWatchedEarly' | 'breedsWatchedForMotion'>
}

/** How long a look is good enough for the next who asks. */
const GOOD_FOR_MS = 300

export interface MotionWatch {
  /** Looks now. */
  readonly lookForMotion: LookForMotion
  /** What was seen to move so far, in words, without asking. */
  movedSoFar(): string | undefined
  /** The lists that were seen to read otherwise than at first, so far. */
  listsMovedSoFar(): readonly Subject<ListReading>[]
}

/** What was seen to move, by name, with what is said of it; and the lists in which it was seen. */
interface Moving {
  readonly names: Map<string, string>
  readonly lists: Map<string, Subject<ListReading>>
}

/** Finds out what moved since the first readings, whoever asks; remembers what was once seen to move. */
export function createMotionWatch(options: MotionOptions): MotionWatch {
  const moving: Moving = { names: new Map(), lists: new Map() }
  let latest: { readonly at: number; readonly motion: Promise<Motion> } | undefined
  return {
    movedSoFar: () => moving.names.values().next().value,
    listsMovedSoFar: () => [...moving.lists.values()],
    lookForMotion() {
      const now = performance.now()
      if (latest && now - latest.at < GOOD_FOR_MS) return latest.motion
      const motion = look(options, moving)
      latest = { at: now, motion }
      return motion
    },
  }
}

/** @param moving added to */
async function look(options: MotionOptions, moving: Moving): Promise<Motion> {
  const { watched, readings, ask, askPastCaches } = options
  const lists = (await Promise.all(watched.map((one) => listsOf(one, options)))).flat()
  const [now, past] = [createFreshReader(ask).read, createFreshReader(askPastCaches).read]
  const passesCaches = await isListed(watched, past)
  const changesTo = (read: Read) =>
    Promise.all(lists.map(async (list) => ({ list, seen: changes(await readings.read(list), await read(list)) })))
  const inLists = await changesTo(now)
  const seen = [...inLists.flatMap((one) => one.seen), ...(await livesChanges(options, now))]
  for (const [name, words] of seen) if (!moving.names.has(name)) moving.names.set(name, words)
  // What is otherwise past the caches alone is a copy: a ground for an excuse, but nothing that came or went.
  const isStill = moving.names.size === 0
  const inCopies = passesCaches && isStill ? await changesTo(past) : []
  const copied = inCopies.flatMap((one) => one.seen)[0]?.[1]
  for (const one of [...inLists, ...inCopies]) if (one.seen.length > 0) moving.lists.set(one.list.key, one.list)
  const names = new Set(moving.names.keys())
  return {
    moved: moving.names.values().next().value ?? (copied && `past the caches ${copied}`),
    passesCaches,
    still: (_, fact) => (isList(fact) ? (without(fact, names) as typeof fact) : fact), // a list stays a list
  }
}

const isList = (fact: unknown): fact is Named =>
  typeof fact === 'object' && fact !== null && 'kind' in fact && fact.kind === 'list'

/** The lists of a version: all cats, all breeds, and the cats of breeds. */
async function listsOf(
  { cats, breeds, catsOf }: Directory,
  { readings, effort }: MotionOptions,
): Promise<readonly Subject<ListReading>[]> {
  const names = namesIn(await readings.read(breeds)).filter(canStandInPath)
  return [cats, breeds, ...names.slice(0, effort.breedsWatchedForMotion).map((breed) => catsOf(breed))]
}

/** Whether the first list of cats is still a list with a parameter that nobody asked before. */
async function isListed([first]: readonly Directory[], past: Read): Promise<boolean> {
  return first !== undefined && (await past(first.cats)).kind === 'list'
}

type Changes = readonly (readonly [name: string, words: string])[]

/** Readings that are no lists are never compared as lists. */
function changes(before: ListReading, after: ListReading): Changes {
  if (before.kind !== 'list' || after.kind !== 'list') return []
  return [
    ...before.names
      .filter((name) => !after.has(name))
      .map((name) => [name, `${quoted(name)} was listed and is not any more`] as const),
    ...after.names
      .filter((name) => !before.has(name))
      .map((name) => [name, `${quoted(name)} was not listed and is now`] as const),
    ...[...after.breedOf]
      .filter(([name, breed]) => before.has(name) && before.breedOf.get(name) !== breed)
      .map(([name, breed]) => [name, `${quoted(name)} is shown as ${quoted(breed)} now`] as const),
  ]
}

async function livesChanges({ whereLives, readings, effort }: MotionOptions, now: Read): Promise<Changes> {
  if (!whereLives) return []
  const cats = thatCanStandInPath(namesIn(await readings.read(whereLives.cats))).slice(0, effort.catsWatchedEarly)
  const seen = cats.map(async (cat): Promise<Changes> => {
    const [before, after] = [
      livesOf(await readings.read(whereLives.lives(cat))),
      livesOf(await now(whereLives.lives(cat))),
    ]
    return before === after || before === undefined || after === undefined
      ? []
      : [[cat, `the lives of ${quoted(cat)} went from ${before} to ${after}`]]
  })
  return (await Promise.all(seen)).flat()
}

import { createFreshReader, createUncachedRead, type Read, type Reader } from '../../engine/check/readers.ts'
import type { ListResource } from '../facts/directory.ts'
import { selectNamesForPaths } from '../inputs/listed-names.ts'
import { hasNoValidCount, type LivesReading } from '../lives/lives-reading.ts'
import { haveSameOrder } from '../readings/entries.ts'
import { namesOfReading } from '../readings/names.ts'
import { quoted } from '../shared/text.ts'
import {
  countDifferences,
  type DirectoryState,
  describeFirstChange,
  haveDifferentLives,
  readStateOfLists,
} from './directory-state.ts'
import { type ChangeMonitorOptions, LivesMonitor, type LivesReadingPair } from './lives-monitor.ts'

export interface DataChanges {
  readonly hasListChanges: boolean
  readonly catsWithChangedLives: readonly string[]
  readonly catsWithoutCount: readonly { readonly cat: string; readonly reading: LivesReading }[]
  /** Cats whose lives could be read at first, while a later request for them was refused (4xx). */
  readonly catsWithRefusedLives: readonly string[]
  /** A description of one change, for messages. */
  readonly example: string | undefined
}

/** The kind of data that a request changes. If such a request is found, it explains all changes of this kind. */
export type ChangedDataKind = 'lists' | 'lives'

/** `breedCats` stands for the lists of cats of some breeds. */
export type WatchedListKind = 'cats' | 'breeds' | 'breedCats'

export interface ChangeMonitor {
  /** Reads lives again that were read before with `read`. Returns the new readings by the keys of their resources. */
  rereadLives(cats: readonly string[]): Promise<readonly (readonly [key: string, reading: LivesReading])[]>
  detectEarly(): Promise<DataChanges>
  /** Returns the changes that `detectEarly` had not reported yet. */
  detectLate(): Promise<DataChanges>
  /** Returns whether a list that was read earlier had no readable content at the end of the run. */
  wasMissingAtEnd(list: ListResource): boolean
  /** Returns whether the early rereading of a list had the same order as the first reading; sends no request. */
  hasKeptOrder(list: ListResource): boolean
  /** Reads lists again. `breedCats` are read in another version than the tested one: reading may be the side effect. */
  readState(parts: readonly WatchedListKind[], read: Read, testedVersion?: string): Promise<DirectoryState>
  /** Creates a reader that bypasses caches if possible: a cache that renews its copy would look like a change. */
  createFreshReader(): Promise<Reader>
  canBypassCaches(): Promise<boolean>
  noteSideEffect(changed: ChangedDataKind): void
  /** Returns whether a side effect explains changes. One on lists explains both: a removed cat has no lives. */
  isExplained(changed: ChangedDataKind): boolean
}

export async function haveListsChanged(watch: ChangeMonitor): Promise<boolean> {
  const [early, late] = [await watch.detectEarly(), await watch.detectLate()]
  return early.hasListChanges || late.hasListChanges
}

class MonitoredLists {
  private readonly options: ChangeMonitorOptions

  constructor(options: ChangeMonitorOptions) {
    this.options = options
  }

  async readState(
    parts: readonly WatchedListKind[],
    read: Read,
    whose: 'first' | 'last' = 'first',
    testedVersion?: string,
  ): Promise<DirectoryState> {
    const lists = await Promise.all(parts.map((part) => this.selectLists(part, whose, testedVersion)))
    return readStateOfLists(lists.flat(), read)
  }

  /** Selects the lists of a kind: of breeds' lists the first in the last version, or the last in alternate versions. */
  private async selectLists(
    part: WatchedListKind,
    whose: 'first' | 'last',
    testedVersion: string | undefined,
  ): Promise<readonly ListResource[]> {
    const { watchedDirectories, effort, readings } = this.options
    if (part !== 'breedCats') return watchedDirectories.map((one) => one[part])
    const last = watchedDirectories.findLast(({ version }) => version !== testedVersion) ?? watchedDirectories.at(-1)
    if (!last) return []
    const breeds = selectNamesForPaths(namesOfReading(await readings.read(last.breeds)))
    const most = effort.breedsWatched
    if (whose === 'first') return breeds.slice(0, most).map((breed) => last.catsOf(breed))
    return breeds
      .slice(-most)
      .map((breed, nth) => (watchedDirectories.at(-1 - (nth % watchedDirectories.length)) ?? last).catsOf(breed))
  }
}

function findDataChanges(
  before: DirectoryState,
  after: DirectoryState,
  pairs: readonly LivesReadingPair[],
): DataChanges {
  const areComparable = ({ before: one, after: other, hasOtherEncoding }: LivesReadingPair) =>
    !hasOtherEncoding || (one.kind === 'count' && other.kind === 'count')
  const changed = pairs.filter((pair) => areComparable(pair) && haveDifferentLives(pair.before, pair.after))
  const cats = new Set(changed.map(({ cat }) => cat))
  const [first] = cats
  return {
    hasListChanges: countDifferences(before, after) > 0,
    catsWithChangedLives: [...cats],
    catsWithoutCount: pairs
      .filter(
        (pair) =>
          areComparable(pair) &&
          pair.before.kind === 'count' &&
          !hasNoValidCount(pair.before) &&
          hasNoValidCount(pair.after),
      )
      .map(({ cat, after: reading }) => ({ cat, reading })),
    catsWithRefusedLives: pairs
      .filter(({ before: one, after: other }) => one.kind === 'count' && other.kind === 'refused')
      .map(({ cat }) => cat),
    example:
      describeFirstChange(before, after) ?? (first === undefined ? undefined : `the lives of ${quoted(first)} changed`),
  }
}

const NO_DATA_CHANGES: DataChanges = {
  hasListChanges: false,
  catsWithChangedLives: [],
  catsWithoutCount: [],
  catsWithRefusedLives: [],
  example: undefined,
}

const withoutEarlyChanges = (early: DataChanges, late: DataChanges): DataChanges => ({
  ...late,
  hasListChanges: late.hasListChanges && !early.hasListChanges,
  catsWithChangedLives: early.catsWithChangedLives.length > 0 ? [] : late.catsWithChangedLives,
})

const ALL_WATCHED_LISTS: readonly WatchedListKind[] = ['cats', 'breeds', 'breedCats']

export function createChangeMonitor(options: ChangeMonitorOptions): ChangeMonitor {
  const { readings, send, sendPastCaches, effort, livesDirectory, detectParameterEffect } = options
  const lists = new MonitoredLists(options)
  const lives = livesDirectory && new LivesMonitor(options, livesDirectory)
  const uncachedRead = createUncachedRead(send)
  let early: Promise<DataChanges> | undefined
  let inOrder: ReadonlySet<string> = new Set()
  let missing: ReadonlySet<string> = new Set()
  let reread: readonly LivesReadingPair[] = []
  const sideEffects = new Set<ChangedDataKind>()
  const rereadLives: ChangeMonitor['rereadLives'] = async (cats) => {
    const pairs = (await lives?.rereadCats(cats)) ?? []
    // A cat that is gone has no lives, but its lives did not change.
    reread = pairs.filter(({ after }) => after.kind !== 'refused')
    return pairs.flatMap(({ cat, after }) => (livesDirectory ? [[livesDirectory.lives(cat).key, after]] : []))
  }
  const detectEarly = async () => {
    const before = await lists.readState(ALL_WATCHED_LISTS, readings.read)
    const cats = (await lives?.readFirstCats()) ?? []
    await lives?.readInitialLives(cats)
    const after = await lists.readState(ALL_WATCHED_LISTS, uncachedRead)
    inOrder = new Set([...before].flatMap(([key, lists]) => (haveSameOrder(lists, after.get(key)) ? [key] : [])))
    // Reads lives after the lists: if a request for a list changes lives, these readings show it.
    // One cat is read twice more, i.e. four times in all: perhaps each third reading has a side effect.
    const pairs = (await lives?.rereadCats([...cats, ...cats.slice(0, 1)])) ?? []
    return findDataChanges(before, after, [...reread, ...pairs])
  }
  const detectLate = async () => {
    // Reads the lists of the last breeds: if there are many breeds, `lookEarly` has read only those of the first ones.
    const before = await lists.readState(ALL_WATCHED_LISTS, readings.read, 'last')
    const after = await lists.readState(ALL_WATCHED_LISTS, uncachedRead, 'last')
    missing = new Set([...before.keys()].filter((key) => !after.has(key)))
    // Reads the lives of one cat many times, to notice a defect in which only every tenth reading costs a life.
    const inARow = (await lives?.rereadOneCatRepeatedly(effort.rereadingsLate)) ?? []
    const changes = findDataChanges(before, after, [...inARow, ...((await lives?.rereadOtherCats()) ?? [])])
    return withoutEarlyChanges((await early) ?? NO_DATA_CHANGES, changes)
  }
  let late: Promise<DataChanges> | undefined
  let past: Promise<boolean> | undefined
  const passesCaches = () => (past ??= detectParameterEffect().then((effect) => effect === 'passes caches'))
  return {
    rereadLives,
    detectEarly: () => (early ??= detectEarly()),
    detectLate: () => (late ??= detectLate()),
    wasMissingAtEnd: ({ key }) => missing.has(key),
    hasKeptOrder: ({ key }) => inOrder.has(key),
    readState: (parts, read, testedVersion) => lists.readState(parts, read, 'first', testedVersion),
    canBypassCaches: passesCaches,
    noteSideEffect: (changed) => void sideEffects.add(changed),
    isExplained: (changed) =>
      effort.experiments === 'until explained' && (sideEffects.has('lists') || sideEffects.has(changed)),
    createFreshReader: async () => createFreshReader((await passesCaches()) ? sendPastCaches : send),
  }
}

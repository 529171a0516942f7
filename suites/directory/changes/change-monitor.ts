import { createFreshReader, createUncachedRead, type Read, type Reader } from '../../engine/check/readers.ts'
import { computeOnce } from '../../engine/memoise.ts'
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
  readDirectoryState,
} from './directory-state.ts'
import { type ChangeMonitorOptions, LivesMonitor, type LivesReadingPair } from './lives-monitor.ts'

/** The changes between two readings of lists and lives. */
export interface DataChanges {
  readonly hasListChanges: boolean
  readonly catsWithChangedLives: readonly string[]
  /** Cats that had a valid count at first, and no valid count later, each with the later reading. */
  readonly catsWithoutCount: readonly { readonly cat: string; readonly reading: LivesReading }[]
  /** Cats whose lives could be read at first, and were refused (4xx) later. */
  readonly catsWithRefusedLives: readonly string[]
  /** A sentence about the first change; undefined if there is none. */
  readonly example: string | undefined
}

/** The kind of data that some request changed as a side effect. All changes of this kind are attributed to it. */
export type ChangedDataKind = 'lists' | 'lives'

/** `breedCats` are the lists of the cats of some breeds. */
export type WatchedListKind = 'cats' | 'breeds' | 'breedCats'

/** Returns whether lists have changed early or late in the run. The first call reads the lists again. */
export async function haveListsChanged(changeMonitor: ChangeMonitor): Promise<boolean> {
  const [early, late] = [await changeMonitor.detectEarly(), await changeMonitor.detectLate()]
  return early.hasListChanges || late.hasListChanges
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

const ALL_WATCHED_LISTS: readonly WatchedListKind[] = ['cats', 'breeds', 'breedCats']

/** Finds changes of lists and lives early and late in a run. */
export class ChangeMonitor {
  private readonly options: ChangeMonitorOptions
  private readonly lives: LivesMonitor | undefined
  private readonly uncachedRead: Read
  private readonly sideEffects = new Set<ChangedDataKind>()
  /** The keys of the lists that had the same order in both readings of `detectEarly`. */
  private keysInSameOrder: ReadonlySet<string> = new Set()
  /** The keys of the lists that had no readable content in the last reading of `detectLate`. */
  private missingKeys: ReadonlySet<string> = new Set()
  /** The readings of `rereadLives`. */
  private rereadPairs: readonly LivesReadingPair[] = []
  private earlyChanges: Promise<DataChanges> | undefined

  constructor(options: ChangeMonitorOptions) {
    this.options = options
    this.lives = options.livesDirectory && new LivesMonitor(options, options.livesDirectory)
    this.uncachedRead = createUncachedRead(options.send)
  }

  /**
   * Reads lives again, and keeps both readings for `detectEarly`. Returns the new ones by the keys of their resources.
   */
  async rereadLives(cats: readonly string[]): Promise<readonly (readonly [key: string, reading: LivesReading])[]> {
    const pairs = (await this.lives?.rereadCats(cats)) ?? []
    // A cat that was removed has no lives any more. That is no change of its lives.
    this.rereadPairs = pairs.filter(({ after }) => after.kind !== 'refused')
    const { livesDirectory } = this.options
    return pairs.flatMap(({ cat, after }) => (livesDirectory ? [[livesDirectory.lives(cat).key, after]] : []))
  }

  detectEarly(): Promise<DataChanges> {
    this.earlyChanges ??= this.findEarlyChanges()
    return this.earlyChanges
  }

  private async findEarlyChanges(): Promise<DataChanges> {
    const before = await this.readWatchedLists(this.options.readings.read, 'first')
    const cats = (await this.lives?.readFirstCats()) ?? []
    await this.lives?.readInitialLives(cats)
    const after = await this.readWatchedLists(this.uncachedRead, 'first')
    this.keysInSameOrder = new Set([...before.keys()].filter((key) => haveSameOrder(before.get(key), after.get(key))))
    // Reads lives after the lists: if a request for a list changes lives, these readings show it.
    // Reads the first cat once more than the others: perhaps only each third reading has a side effect.
    const pairs = (await this.lives?.rereadCats([...cats, ...cats.slice(0, 1)])) ?? []
    return findDataChanges(before, after, [...this.rereadPairs, ...pairs])
  }

  /** Returns the changes at the end of the run, without those of lists or lives that `detectEarly` has found. */
  readonly detectLate = computeOnce(async (): Promise<DataChanges> => {
    // Reads the lists of the last breeds: if there are many breeds, `detectEarly` has read only the lists of the first
    // ones.
    const before = await this.readWatchedLists(this.options.readings.read, 'last')
    const after = await this.readWatchedLists(this.uncachedRead, 'last')
    this.missingKeys = new Set([...before.keys()].filter((key) => !after.has(key)))
    // Reads the lives of one cat many times, to notice a defect in which only every tenth reading costs a life.
    const rereadingsOfOneCat = (await this.lives?.rereadOneCatRepeatedly(this.options.effort.rereadingsLate)) ?? []
    const changes = findDataChanges(before, after, [
      ...rereadingsOfOneCat,
      ...((await this.lives?.rereadOtherCats()) ?? []),
    ])
    const early = await this.earlyChanges
    return {
      ...changes,
      hasListChanges: changes.hasListChanges && !early?.hasListChanges,
      catsWithChangedLives: early && early.catsWithChangedLives.length > 0 ? [] : changes.catsWithChangedLives,
    }
  })

  /** Returns whether a list that was read earlier had no readable content at the end of the run. */
  wasMissingAtEnd({ key }: ListResource): boolean {
    return this.missingKeys.has(key)
  }

  /** Returns whether a list had the same order when it was read again early in the run; sends no request. */
  hasKeptOrder({ key }: ListResource): boolean {
    return this.keysInSameOrder.has(key)
  }

  /** Returns whether requests with a unique query parameter bypass caches. */
  readonly canBypassCaches = computeOnce(
    async (): Promise<boolean> => (await this.options.detectParameterEffect()) === 'passes caches',
  )

  /** Creates a reader that bypasses caches if possible: a cache that renews its copy would look like a change. */
  readonly createFreshReader = async (): Promise<Reader> =>
    createFreshReader((await this.canBypassCaches()) ? this.options.sendPastCaches : this.options.send)

  /** Notes that a request has changed data of a kind, so that `isExplained` attributes further changes to it. */
  noteSideEffect(changed: ChangedDataKind): void {
    this.sideEffects.add(changed)
  }

  /**
   * Returns whether a known side effect explains changes, so that no more experiments are made about them (only with
   * `--effort quick`). A side effect on lists also explains changes of lives, because a removed cat has no lives.
   */
  isExplained(changed: ChangedDataKind): boolean {
    const { sideEffects } = this
    return (
      this.options.effort.experiments === 'until explained' && (sideEffects.has('lists') || sideEffects.has(changed))
    )
  }

  /**
   * Reads lists again. Reads `breedCats` in another version than the tested one: in the tested version, the reading
   * itself may have a side effect.
   */
  async readState(kinds: readonly WatchedListKind[], read: Read, testedVersion?: string): Promise<DirectoryState> {
    const lists = await Promise.all(kinds.map((kind) => this.selectLists(kind, 'first', testedVersion)))
    return readDirectoryState(lists.flat(), read)
  }

  private async readWatchedLists(read: Read, breedLists: 'first' | 'last'): Promise<DirectoryState> {
    const lists = await Promise.all(ALL_WATCHED_LISTS.map((kind) => this.selectLists(kind, breedLists)))
    return readDirectoryState(lists.flat(), read)
  }

  /**
   * Selects the lists of a kind. Of the lists of breeds' cats, only some are selected: the first in the last version,
   * or the last in alternate versions.
   */
  private async selectLists(
    kind: WatchedListKind,
    breedLists: 'first' | 'last',
    testedVersion?: string,
  ): Promise<readonly ListResource[]> {
    const { watchedDirectories, effort, readings } = this.options
    if (kind !== 'breedCats') return watchedDirectories.map((one) => one[kind])
    const last = watchedDirectories.findLast(({ version }) => version !== testedVersion) ?? watchedDirectories.at(-1)
    if (!last) return []
    const breeds = selectNamesForPaths(namesOfReading(await readings.read(last.breeds)))
    const count = effort.breedsWatched
    if (breedLists === 'first') return breeds.slice(0, count).map((breed) => last.catsOf(breed))
    return breeds
      .slice(-count)
      .map((breed, nth) => (watchedDirectories.at(-1 - (nth % watchedDirectories.length)) ?? last).catsOf(breed))
  }
}

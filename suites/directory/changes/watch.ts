import { createFreshReader, type Read, type Reader, readingBy } from '../../engine/check/readers.ts'
import type { Directory, List } from '../facts/directory.ts'
import { encodedNames, someOfMany, thatCanStandInPath } from '../inputs/own-names.ts'
import { isNoCount, type LivesReading } from '../lives/lives-reading.ts'
import { areInSameOrder } from '../readings/entries.ts'
import { namesIn } from '../readings/names.ts'
import type { Effort } from '../shared/effort.ts'
import { asSegment } from '../shared/encodings.ts'
import { quoted } from '../shared/text.ts'
import type { MotionOptions } from './motion.ts'
import { differ, difference, distance, livesOf, type State, stateOfLists } from './state.ts'

/** The changes that were observed. */
export interface Motion {
  readonly lists: boolean
  /** Cats whose lives changed. */
  readonly cats: readonly string[]
  /** Cats whose lives were a count at first, and later had no readable count. */
  readonly uncounted: readonly { readonly cat: string; readonly reading: LivesReading }[]
  /** Cats whose lives were a count at first, and later were refused. */
  readonly refused: readonly string[]
  /** A description of one change. */
  readonly example: string | undefined
}

/** All cats, all breeds, or the cats of some breeds. */
export type Part = 'cats' | 'breeds' | 'members'

/** Reports, once early and once late in a run, whether the listed data has changed since it was first read. */
export interface Watch {
  early(): Promise<Motion>
  /** Changes that were not observed early. */
  late(): Promise<Motion>
  /** Returns whether a list has changed, early or late; sends no request. */
  sawMove(list: List): boolean
  /** Returns whether any list has changed; sends no request. */
  sawAnyMove(): boolean
  /** Returns whether a list that was read at first had no content at the end. */
  wasMissingLate(list: List): boolean
  /** Returns whether a list had the same order when it was read again early; sends no request. */
  keptItsOrder(list: List): boolean
  /** The current content of these lists; sends no other request. */
  state(parts: readonly Part[], read: Read): Promise<State>
  /** A reader past the caches if they can be bypassed: renewing a copy is no change. */
  fresh(): Promise<Reader>
  passesCaches(): Promise<boolean>
}

/** Returns whether any list has changed, early or late. */
export async function sawListsMove(watch: Watch): Promise<boolean> {
  const [early, late] = [await watch.early(), await watch.late()]
  return early.lists || late.lists
}

/** The number of cats read to find one with lives left. */
const MOST_LOOKED_AT = 8
/** The largest directory in which names read in several encodings are looked for. */
const MOST_NAMES = 2000

/** Two readings of the lives of one cat. */
interface Pair {
  readonly cat: string
  readonly before: LivesReading
  readonly after: LivesReading
  /**
   * True if the readings used different encodings of the name. Another check judges whether both work, so only two
   * counts are compared.
   */
  readonly isEncodedOtherwise?: true
}

export interface WatchOptions extends Omit<MotionOptions, 'effort'> {
  readonly effort: Pick<
    Effort,
    | 'catsWithoutLivesEarly'
    | 'catsWatchedEarly'
    | 'catsWatchedLate'
    | 'encodedCatsWatched'
    | 'breedsWatched'
    | 'readAgainEarly'
    | 'readAgainLate'
  >
}

/** Reads lists. The breeds are chosen from the first readings, so that all states can be compared. */
class Lists {
  private readonly options: WatchOptions

  constructor(options: WatchOptions) {
    this.options = options
  }

  async state(parts: readonly Part[], read: Read, whose: 'first' | 'last' = 'first'): Promise<State> {
    const lists = await Promise.all(parts.map((part) => this.listsOf(part, whose)))
    return stateOfLists(lists.flat(), read)
  }

  /** Sends a few requests to everything that might change data. Requests the control name once per run. */
  async askOfEverything(fresh: Read): Promise<void> {
    await Promise.all(this.options.watched.map((one) => this.askOf(one, fresh)))
  }

  private async askOf(one: Directory, fresh: Read): Promise<void> {
    const { readings, whereLives, effort } = this.options
    const { read } = readings
    const [cats, [breed]] = await Promise.all([read(one.cats).then(namesIn), read(one.breeds).then(namesIn)])
    const [cat] = cats
    const unknown = one.controlName()
    const listed = [...(cat ? [one.search(cat)] : []), ...(breed ? [one.catsOf(breed)] : [])]
    const lives = one === whereLives ? [one.lives(unknown)] : []
    const some = thatCanStandInPath(cats).slice(0, effort.catsWithoutLivesEarly)
    const without = one === whereLives ? [] : some.map((name) => one.lives(name))
    await Promise.all([
      ...[one.search(unknown), one.catsOf(unknown)].map(read),
      ...lives.map(read),
      ...listed.map(fresh),
      ...without.map(fresh),
    ])
  }

  /**
   * @param whose which breeds, if not all are watched; the last ones alternate between the versions, because no other
   * check uses them
   */
  private async listsOf(part: Part, whose: 'first' | 'last'): Promise<readonly List[]> {
    const { watched, effort, readings } = this.options
    if (part !== 'members') return watched.map((one) => one[part])
    const last = watched.at(-1)
    if (!last) return []
    const breeds = thatCanStandInPath(namesIn(await readings.read(last.breeds)))
    const most = effort.breedsWatched
    if (whose === 'first') return breeds.slice(0, most).map((breed) => last.catsOf(breed))
    return breeds.slice(-most).map((breed, nth) => (watched.at(-1 - (nth % watched.length)) ?? last).catsOf(breed))
  }
}

/** Reads lives again. */
class LivesAgain {
  private readonly options: WatchOptions
  private readonly whereLives: Directory

  constructor(options: WatchOptions, whereLives: Directory) {
    this.options = options
    this.whereLives = whereLives
  }

  /** The first cats. */
  async first(): Promise<readonly string[]> {
    return (await this.cats()).slice(0, this.options.effort.catsWatchedEarly)
  }

  async known(cats: readonly string[]): Promise<void> {
    await Promise.all(cats.map((cat) => this.options.readings.read(this.whereLives.lives(cat))))
  }

  async again(cats: readonly string[]): Promise<readonly Pair[]> {
    return Promise.all(cats.map((cat) => this.once(cat)))
  }

  /** Reads one cat with lives left several times in a row. */
  async ofOne(times: number): Promise<readonly Pair[]> {
    for (const cat of (await this.cats()).slice(0, MOST_LOOKED_AT)) {
      const lives = livesOf(await this.options.readings.read(this.whereLives.lives(cat))) ?? 0
      if (lives > 0) return this.again(Array.from({ length: times }, () => cat))
    }
    return []
  }

  /**
   * Uses cats that were read in several encodings anyway, and reads some of them again; if these are few, others too.
   */
  async ofOthers(): Promise<readonly Pair[]> {
    const { catsWatchedLate, catsWatchedEarly, encodedCatsWatched } = this.options.effort
    const cats = someOfMany(await this.cats())
    const pairs = await this.inOtherEncodings(cats)
    const encoded = new Set(pairs.map(({ cat }) => cat))
    const others = cats.slice(catsWatchedEarly).filter((cat) => !encoded.has(cat))
    const most = Math.max(0, catsWatchedLate - encoded.size)
    const step = Math.max(1, Math.ceil(others.length / Math.max(1, most)))
    const some = others.filter((_, nth) => nth % step === 0).slice(0, most)
    return [...pairs, ...(await this.again([...[...encoded].slice(0, encodedCatsWatched), ...some]))]
  }

  private async inOtherEncodings(cats: readonly string[]): Promise<readonly Pair[]> {
    const { readings } = this.options
    const known = new Set(readings.known().map(({ key }) => key))
    const names = encodedNames(cats.slice(0, MOST_NAMES), asSegment)
    const pairs = names.map(async ({ name, encoding }): Promise<readonly Pair[]> => {
      const [plain, encoded] = [this.whereLives.lives(name), this.whereLives.lives(name, encoding)]
      if (!known.has(plain.key) || !known.has(encoded.key)) return []
      const [before, after] = await Promise.all([readings.read(plain), readings.read(encoded)])
      return [{ cat: name, before, after, isEncodedOtherwise: true }]
    })
    return (await Promise.all(pairs)).flat()
  }

  private async once(cat: string): Promise<Pair> {
    const lives = this.whereLives.lives(cat)
    const before = await this.options.readings.read(lives)
    return { cat, before, after: await createFreshReader(this.options.ask).read(lives) }
  }

  private async cats(): Promise<readonly string[]> {
    return thatCanStandInPath(namesIn(await this.options.readings.read(this.whereLives.cats)))
  }
}

/** The lists whose content has changed. */
const movedIn = (before: State, after: State): readonly string[] =>
  [...before].filter(([key, entries]) => entries.distance(after.get(key) ?? entries) > 0).map(([key]) => key)

function motionIn(before: State, after: State, pairs: readonly Pair[]): Motion {
  const areComparable = ({ before: one, after: other, isEncodedOtherwise }: Pair) =>
    !isEncodedOtherwise || (one.kind === 'count' && other.kind === 'count')
  const changed = pairs.filter((pair) => areComparable(pair) && differ(pair.before, pair.after))
  const cats = new Set(changed.map(({ cat }) => cat))
  const [first] = cats
  return {
    lists: distance(before, after) > 0,
    cats: [...cats],
    uncounted: pairs
      .filter(
        (pair) =>
          areComparable(pair) && pair.before.kind === 'count' && !isNoCount(pair.before) && isNoCount(pair.after),
      )
      .map(({ cat, after: reading }) => ({ cat, reading })),
    refused: pairs
      .filter(({ before: one, after: other }) => one.kind === 'count' && other.kind === 'refused')
      .map(({ cat }) => cat),
    example:
      difference(before, after) ??
      (first === undefined ? undefined : `the lives of ${quoted(first)} are not what they were`),
  }
}

const NOTHING_MOVED: Motion = { lists: false, cats: [], uncounted: [], refused: [], example: undefined }

const besides = (early: Motion, late: Motion): Motion => ({
  ...late,
  lists: late.lists && !early.lists,
  cats: early.cats.length > 0 ? [] : late.cats,
})

const ALL: readonly Part[] = ['cats', 'breeds', 'members']

/** Watches the listed data and some lives over a run. */
export function createWatch(options: WatchOptions): Watch {
  const { readings, ask, askPastCaches, effort, whereLives, tellNewParameter } = options
  const lists = new Lists(options)
  const lives = whereLives && new LivesAgain(options, whereLives)
  const anew = readingBy(ask)
  let early: Promise<Motion> | undefined
  let inOrder: ReadonlySet<string> = new Set()
  let missing: ReadonlySet<string> = new Set()
  const moved = new Set<string>()
  const lookEarly = async () => {
    const before = await lists.state(ALL, readings.read)
    const cats = (await lives?.first()) ?? []
    await lives?.known(cats)
    await lists.askOfEverything(anew)
    const after = await lists.state(ALL, anew)
    for (const key of movedIn(before, after)) moved.add(key)
    inOrder = new Set([...before.keys()].filter((key) => areInSameOrder(before.get(key), after.get(key))))
    // After the lists, which may have cost lives.
    const pairs = await Promise.all([lives?.again(cats), lives?.ofOne(effort.readAgainEarly)])
    return motionIn(
      before,
      after,
      pairs.flatMap((some) => some ?? []),
    )
  }
  const lookLate = async () => {
    // The breeds that were not read early, if there are others.
    const before = await lists.state(ALL, readings.read, 'last')
    const after = await lists.state(ALL, anew, 'last')
    for (const key of movedIn(before, after)) moved.add(key)
    missing = new Set([...before.keys()].filter((key) => !after.has(key)))
    // Alone: enough in a row to notice if every tenth read costs a life.
    const inARow = (await lives?.ofOne(effort.readAgainLate)) ?? []
    const motion = motionIn(before, after, [...inARow, ...((await lives?.ofOthers()) ?? [])])
    return besides((await early) ?? NOTHING_MOVED, motion)
  }
  let late: Promise<Motion> | undefined
  let past: Promise<boolean> | undefined
  const passesCaches = () => (past ??= tellNewParameter().then((told) => told === 'passes caches'))
  return {
    early: () => (early ??= lookEarly()),
    late: () => (late ??= lookLate()),
    sawMove: ({ key }) => moved.has(key),
    sawAnyMove: () => moved.size > 0,
    wasMissingLate: ({ key }) => missing.has(key),
    keptItsOrder: ({ key }) => inOrder.has(key),
    state: (parts, read) => lists.state(parts, read),
    passesCaches,
    fresh: async () => createFreshReader((await passesCaches()) ? askPastCaches : ask),
  }
}

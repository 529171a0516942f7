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

/** What was seen to change. */
export interface Motion {
  readonly lists: boolean
  /** The cats whose lives changed. */
  readonly cats: readonly string[]
  /** The cats whose lives were a count at first, and then none that anybody could read. */
  readonly uncounted: readonly { readonly cat: string; readonly reading: LivesReading }[]
  /** The cats whose lives were a count at first, and then refused. */
  readonly refused: readonly string[]
  /** One change, in words. */
  readonly example: string | undefined
}

/** What is listed: all cats, all breeds, and who stands in the lists of some breeds. */
export type Part = 'cats' | 'breeds' | 'members'

/** Looks, once early and once late, whether what is listed still is what was first read. */
export interface Watch {
  early(): Promise<Motion>
  /** What was not yet seen to move early. */
  late(): Promise<Motion>
  /** Whether a list read otherwise than at first, early or late; nothing is asked for it. */
  sawMove(list: List): boolean
  /** Whether any list read otherwise than at first; nothing is asked for it. */
  sawAnyMove(): boolean
  /** Whether a list that was read at first said nothing any more at the end. */
  wasMissingLate(list: List): boolean
  /** Whether a list came early in the order in which it had come at first; nothing is asked for it. */
  keptItsOrder(list: List): boolean
  /** What these lists say now; nothing else is asked. */
  state(parts: readonly Part[], read: Read): Promise<State>
  /** Reads anew, past the caches where they can be passed: a copy that the asking renews is no change. */
  fresh(): Promise<Reader>
  passesCaches(): Promise<boolean>
}

/** Whether any list was seen to move, early or late. */
export async function sawListsMove(watch: Watch): Promise<boolean> {
  const [early, late] = [await watch.early(), await watch.late()]
  return early.lists || late.lists
}

/** Where few cats have lives left, so many are looked at to find one that has. */
const MOST_LOOKED_AT = 8
/** Of many more cats, the names that were read in several encodings are not looked for. */
const MOST_NAMES = 2000

/** Two readings of the lives of one cat. */
interface Pair {
  readonly cat: string
  readonly before: LivesReading
  readonly after: LivesReading
  /** Where another encoding leads is for another check to say: only two counts are two lives. */
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

/** Reads lists. Which breeds are looked into is told from the first readings, so that all states can be compared. */
class Lists {
  private readonly options: WatchOptions

  constructor(options: WatchOptions) {
    this.options = options
  }

  async state(parts: readonly Part[], read: Read, whose: 'first' | 'last' = 'first'): Promise<State> {
    const lists = await Promise.all(parts.map((part) => this.listsOf(part, whose)))
    return stateOfLists(lists.flat(), read)
  }

  /** Asks a little of everything that might write. What nothing is called is asked for once in a run. */
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

  /** @param whose of the breeds, where not all are watched; the last by turns in each version, for nothing is tried on them */
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

  /** One cat that has lives left, so many times in a row. */
  async ofOne(times: number): Promise<readonly Pair[]> {
    for (const cat of (await this.cats()).slice(0, MOST_LOOKED_AT)) {
      const lives = livesOf(await this.options.readings.read(this.whereLives.lives(cat))) ?? 0
      if (lives > 0) return this.again(Array.from({ length: times }, () => cat))
    }
    return []
  }

  /** Cats that were read in several encodings, which costs nothing, and some of them once more; where those are few, others too. */
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

/** The lists that do not say what they said. */
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

/** Watches what is listed, and some lives, over a run. */
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
    // After the lists, which may have cost some.
    const pairs = await Promise.all([lives?.again(cats), lives?.ofOne(effort.readAgainEarly)])
    return motionIn(
      before,
      after,
      pairs.flatMap((some) => some ?? []),
    )
  }
  const lookLate = async () => {
    // Those that were not looked at early, as far as there are others.
    const before = await lists.state(ALL, readings.read, 'last')
    const after = await lists.state(ALL, anew, 'last')
    for (const key of movedIn(before, after)) moved.add(key)
    missing = new Set([...before.keys()].filter((key) => !after.has(key)))
    // Alone: so many in a row hold every tenth of all.
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

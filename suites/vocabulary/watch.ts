import { type Asker, createFreshReader, type Read, type Reader, type Subject } from '../engine/reading.ts'
import type { Directory } from './directory.ts'
import type { ListReading } from './list.ts'
import { canStandInPath } from './listed.ts'
import type { LivesReading } from './lives.ts'

/** What was seen to change between two readings. */
export interface Seen {
  readonly lists: boolean
  /** The cats whose lives changed. */
  readonly changed: readonly string[]
}

/** Everything that lists said at one moment, one entry for each name in each. */
export type State = ReadonlySet<string>

/** Looks, once early and once late, whether what is listed still is what was first read. */
export interface Watch {
  early(): Promise<Seen>
  late(): Promise<Seen>
  /** Whether lives that are read twice at once are the same: else no other asking can be told to cost them. */
  livesStandStill(): Promise<boolean>
  /** The lists of cats and breeds. */
  names(read: Read): Promise<State>
  /** Who stands in the lists of some breeds, and nothing else is asked. */
  standings(read: Read): Promise<State>
  /** Cats whose lives are read early, and so have been read more often than once. */
  readonly livesWatched: number
}

const NONCE = Date.now().toString(36)

/** A string that nothing is called, and that no run, nor the other version in this one, asked for before. */
export const unheardOf = (round: number, version: string): string => `zq${NONCE}${version}n${round}`

const CATS_WATCHED = 2
const CATS_WATCHED_LATE = 8
const CATS_READ_TWICE = 4
const BREEDS_WATCHED = 8

export const namesIn = (reading: ListReading): readonly string[] => (reading.kind === 'list' ? reading.names : [])

/** How many entries stand in one state and not in the other. */
export function distance(before: State, after: State): number {
  const only = (a: State, b: State) => [...a].filter((name) => !b.has(name)).length
  return only(before, after) + only(after, before)
}

export const livesOf = (reading: LivesReading): number | undefined =>
  reading.kind === 'count' ? reading.value : undefined

function entries(key: string, reading: ListReading): string[] {
  return namesIn(reading).map(
    (name) => `${key} ${name} ${reading.kind === 'list' ? (reading.breedOf.get(name) ?? '') : ''}`,
  )
}

/** Asks a little of everything that might write. */
async function stir(one: Directory, memory: Read, read: Read): Promise<void> {
  const [cats, breeds] = await Promise.all([memory(one.cats), memory(one.breeds)])
  const [cat, breed] = [namesIn(cats)[0], namesIn(breeds)[0]]
  const subjects = [
    one.search(unheardOf(0, one.version)),
    one.catsOf(unheardOf(0, one.version)),
    ...(cat ? [one.search(cat)] : []),
    ...(breed ? [one.catsOf(breed)] : []),
  ]
  const lives = one.version === 'v3' ? [one.lives(unheardOf(0, one.version))] : []
  await Promise.all([...subjects.map(read), ...lives.map(read)])
}

/** A few of the names in a list that can be asked about. */
async function someNamesIn(list: Subject<ListReading>, read: Read, most: number): Promise<readonly string[]> {
  return namesIn(await read(list))
    .filter(canStandInPath)
    .slice(0, most)
}

async function stateOf(lists: readonly Subject<ListReading>[], read: Read): Promise<State> {
  return new Set((await Promise.all(lists.map(async (list) => entries(list.key, await read(list))))).flat())
}

/** Everything that is watched, as it was at one moment. */
interface Glance {
  readonly state: State
  readonly lives: ReadonlyMap<string, number | undefined>
}

function compare(a: Glance, b: Glance): Seen {
  const changed = [...a.lives.keys()].filter((cat) => a.lives.get(cat) !== b.lives.get(cat))
  return { lists: distance(a.state, b.state) > 0, changed }
}

/** Knows what to look at: which cats and breeds, it takes from memory, so that every look is at the same. */
class Lookout {
  private readonly versions: readonly Directory[]
  private readonly v3: Directory | undefined
  private readonly memory: Read

  constructor(versions: readonly Directory[], v3: Directory | undefined, memory: Read) {
    this.versions = versions
    this.v3 = v3
    this.memory = memory
  }

  names(read: Read): Promise<State> {
    const lists = this.versions.flatMap((one) => [one.cats, one.breeds])
    return stateOf(lists, read)
  }

  async standings(read: Read): Promise<State> {
    const last = this.versions.at(-1)
    if (!last) return new Set()
    const breeds = await someNamesIn(last.breeds, this.memory, BREEDS_WATCHED)
    return stateOf(
      breeds.map((breed) => last.catsOf(breed)),
      read,
    )
  }

  async look(read: Read, cats: number): Promise<Glance> {
    const [named, standing] = await Promise.all([this.names(read), this.standings(read)])
    const lives = await this.lives(read, cats) // after the lists, which may have cost some
    return { state: new Set([...named, ...standing]), lives }
  }

  async stir(read: Read): Promise<void> {
    await Promise.all(this.versions.map((one) => stir(one, this.memory, read)))
  }

  /** @param most cats: the first two, and others from all over the list */
  async lives(read: Read, most: number): Promise<Glance['lives']> {
    const { v3 } = this
    if (!v3) return new Map()
    const cats = await someNamesIn(v3.cats, this.memory, Number.POSITIVE_INFINITY)
    const others = cats.slice(CATS_WATCHED)
    const step = Math.max(1, Math.ceil(others.length / Math.max(1, most - CATS_WATCHED)))
    const watched = [...cats.slice(0, CATS_WATCHED), ...others.filter((_, i) => i % step === 0)].slice(0, most)
    return new Map(await Promise.all(watched.map(async (cat) => [cat, livesOf(await read(v3.lives(cat)))] as const)))
  }
}

/**
 * @param versions those to be judged
 * @param v3 where lives are, when v3 is judged
 */
export function createWatch(
  versions: readonly Directory[],
  v3: Directory | undefined,
  memory: Reader,
  ask: Asker,
): Watch {
  const lookout = new Lookout(versions, v3, memory.read)
  const fresh = () => createFreshReader(ask).read
  let early: Promise<Seen> | undefined
  let late: Promise<Seen> | undefined
  const noticeEarly = async () => {
    const first = await lookout.look(memory.read, CATS_WATCHED)
    await lookout.stir(fresh())
    return compare(first, await lookout.look(fresh(), CATS_WATCHED))
  }
  const noticeLate = async () =>
    compare(await lookout.look(memory.read, CATS_WATCHED_LATE), await lookout.look(fresh(), CATS_WATCHED_LATE))
  const readTwice = async () => {
    const [once, twice] = [await lookout.lives(fresh(), CATS_READ_TWICE), await lookout.lives(fresh(), CATS_READ_TWICE)]
    return [...once].every(([cat, count]) => twice.get(cat) === count)
  }
  let still: Promise<boolean> | undefined
  return {
    early: () => (early ??= noticeEarly()),
    late: () => (late ??= noticeLate()),
    livesStandStill: () => (still ??= readTwice()),
    names: (read) => lookout.names(read),
    standings: (read) => lookout.standings(read),
    livesWatched: CATS_WATCHED,
  }
}

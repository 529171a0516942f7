import { type Asker, createFreshReader, type Read, type Reader } from '../engine/reading.ts'
import type { Directory } from './directory.ts'
import type { ListReading } from './list.ts'
import { canStandInPath } from './listed.ts'
import type { LivesReading } from './lives.ts'

/** What was seen to change between two readings. */
export interface Seen {
  readonly lists: boolean
  readonly lives: boolean
}

/** Everything that lists said at one moment, one entry for each name in each. */
export type State = ReadonlySet<string>

/** Looks, once early and once late, whether what is listed still is what was first read. */
export interface Watch {
  early(): Promise<Seen>
  late(): Promise<Seen>
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
  const last = versions.at(-1)
  const names = async (read: Read): Promise<State> => {
    const lists = versions.flatMap((one) => [one.cats, one.breeds])
    return new Set((await Promise.all(lists.map(async (list) => entries(list.key, await read(list))))).flat())
  }
  const standings = async (read: Read): Promise<State> => {
    const breeds = last
      ? namesIn(await memory.read(last.breeds))
          .filter(canStandInPath)
          .slice(0, BREEDS_WATCHED)
      : []
    const lists = breeds.flatMap((breed) => (last ? [last.catsOf(breed)] : []))
    return new Set((await Promise.all(lists.map(async (list) => entries(list.key, await read(list))))).flat())
  }
  const livesAt = async (read: Read) => {
    const cats = v3
      ? namesIn(await memory.read(v3.cats))
          .filter(canStandInPath)
          .slice(0, CATS_WATCHED)
      : []
    return Promise.all(cats.map(async (cat) => (v3 ? livesOf(await read(v3.lives(cat))) : undefined)))
  }
  const look = async (read: Read) => {
    const [named, standing, lives] = await Promise.all([names(read), standings(read), livesAt(read)])
    return { state: new Set([...named, ...standing]), lives }
  }
  const compare = (a: Awaited<ReturnType<typeof look>>, b: typeof a): Seen => ({
    lists: distance(a.state, b.state) > 0,
    lives: a.lives.some((count, i) => count !== b.lives[i]),
  })
  const fresh = () => createFreshReader(ask).read
  const noticeEarly = async () => {
    const first = await look(memory.read)
    const stirring = fresh()
    await Promise.all(versions.map((one) => stir(one, memory.read, stirring)))
    return compare(first, await look(fresh()))
  }
  const noticeLate = async () => compare(await look(memory.read), await look(fresh()))
  let early: Promise<Seen> | undefined
  let late: Promise<Seen> | undefined
  return {
    early: () => (early ??= noticeEarly()),
    late: () => (late ??= noticeLate()),
    names,
    standings,
    livesWatched: CATS_WATCHED,
  }
}

import { createFreshReader, type Asker, type Read, type Reader } from '../engine/reading.ts'
import type { Directory } from './directory.ts'
import type { ListReading } from './list.ts'
import type { LivesReading } from './lives.ts'

/** What was seen to change between two readings. */
export interface Seen {
  readonly lists: boolean
  readonly lives: boolean
}

/** Looks, once early and once late, whether what is listed still is what was first read. */
export interface Watch {
  early(): Promise<Seen>
  late(): Promise<Seen>
  /** The names on all lists of the versions watched. */
  state(read: Read): Promise<ReadonlySet<string>>
}

/** A query that finds nothing in particular, and that no one asked before. */
export const unheardOf = (round: number): string => `nocat${round}zq`

const CATS_WATCHED = 2

const names = (reading: ListReading): readonly string[] => (reading.kind === 'list' ? reading.names : [])

/** How many names stand in one state and not in the other. */
export function distance(before: ReadonlySet<string>, after: ReadonlySet<string>): number {
  const only = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].filter((name) => !b.has(name)).length
  return only(before, after) + only(after, before)
}

export const livesOf = (reading: LivesReading): number | undefined => (reading.kind === 'count' ? reading.value : undefined)

async function stateOf(versions: readonly Directory[], read: Read): Promise<ReadonlySet<string>> {
  const lists = versions.flatMap((one) => [one.cats, one.breeds])
  const readings = await Promise.all(lists.map(async (list) => names(await read(list)).map((name) => `${list.key} ${name}`)))
  return new Set(readings.flat())
}

/** Asks a little of everything that might write. */
async function stir(one: Directory, round: number, memory: Read, read: Read): Promise<void> {
  const [cats, breeds] = await Promise.all([memory(one.cats), memory(one.breeds)])
  const [cat, breed] = [names(cats)[0], names(breeds)[0]]
  const subjects = [one.search(unheardOf(round)), one.catsOf(unheardOf(round)), ...(cat ? [one.search(cat)] : []), ...(breed ? [one.catsOf(breed)] : [])]
  await Promise.all(subjects.map(read))
}

/**
 * @param versions those to be judged
 * @param v3 where lives are, when v3 is judged
 */
export function createWatch(versions: readonly Directory[], v3: Directory | undefined, memory: Reader, ask: Asker): Watch {
  const livesAt = async (read: Read) => {
    const cats = v3 ? names(await memory.read(v3.cats)).slice(0, CATS_WATCHED) : []
    return Promise.all(cats.map(async (cat) => (v3 ? livesOf(await read(v3.lives(cat))) : undefined)))
  }
  const look = async (read: Read) => ({ names: await stateOf(versions, read), lives: await livesAt(read) })
  const compare = (a: Awaited<ReturnType<typeof look>>, b: typeof a): Seen => ({
    lists: distance(a.names, b.names) > 0,
    lives: a.lives.some((count, i) => count !== b.lives[i]),
  })
  const fresh = () => createFreshReader(ask).read
  const noticeEarly = async () => {
    const first = await look(memory.read)
    const stirred = fresh()
    const [second] = await Promise.all([look(fresh()), ...versions.map((one) => stir(one, 0, memory.read, stirred))])
    const third = await look(fresh())
    const seen = [compare(first, second), compare(second, third)]
    return { lists: seen.some(({ lists }) => lists), lives: seen.some(({ lives }) => lives) }
  }
  const noticeLate = async () => compare(await look(memory.read), await look(fresh()))
  let early: Promise<Seen> | undefined
  let late: Promise<Seen> | undefined
  return { early: () => (early ??= noticeEarly()), late: () => (late ??= noticeLate()), state: (read) => stateOf(versions, read) }
}

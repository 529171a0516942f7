import type { Watch } from '../../../directory/changes/watch.ts'
import type { Deployment } from '../../../directory/deployment.ts'
import type { Directory, List } from '../../../directory/facts/directory.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import type { Named } from '../../../directory/readings/list-reading.ts'
import { namesIn } from '../../../directory/readings/names.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Read, Reader } from '../../../engine/check/readers.ts'
import type { Evidence } from '../../../engine/check/violations.ts'
import { differenceOf } from '../../../engine/finding/shown-exchanges.ts'
import { BEYOND_SILENT_COPIES_MS, fewestChanges, SILENT_COPY_MS } from '../../../engine/history/fewest-changes.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { oldestMs } from '../../../engine/http/client/freshness.ts'

/** Replicas may lag by the age of a copy, so bursts are farther apart. */
const APART_MS = BEYOND_SILENT_COPIES_MS
/**
 * First as many requests at once as there are connections; then fewer, with unequal pauses, so that no clock keeps
 * step.
 */
const AT_FIRST = 16
const AT_ONCE = 3
const PAUSES_MS = [7, 23, 41, 67, 113, 181]
/**
 * If a name comes and goes within a burst, further bursts follow after copies have expired. One burst proves at most
 * one change.
 */
interface Patience {
  readonly rows: number
  /** A name may leave and return, or arrive and leave; more changes are no life of a directory. */
  readonly mostChanges: number
}
const OF_ALL: Patience = { rows: 3, mostChanges: 2 }
/** A cat may move to another breed, return, and leave again. */
const OF_SOME: Patience = { rows: 5, mostChanges: 4 }

type Context = Pick<CheckContext<Deployment>, 'target' | 'read' | 'fresh' | 'pause' | 'clock'>

interface Reading {
  readonly reader: Reader
  readonly names: ReadonlySet<string>
}

interface Restless {
  readonly name: string
  /** The number of readings that contain it. */
  readonly standsIn: number
  readonly of: number
  readonly evidence: Evidence
}

/** The readings of one list, and the names that came or went in each burst. */
class Readings {
  readonly all: Reading[] = []
  suspects: readonly string[] | undefined
  private readonly list: List
  private readonly patience: Patience

  constructor(list: List, patience: Patience) {
    this.list = list
    this.patience = patience
  }

  /** Returns whether another burst is needed. */
  isRestless(rows: number): boolean {
    return rows < this.patience.rows && this.suspects?.length !== 0
  }

  async readRow({ fresh, pause }: Context): Promise<void> {
    const row: Reading[] = []
    const readOnce = async () => {
      const reader = fresh()
      row.push({ reader, names: new Set(namesIn(await reader.read(this.list))) })
    }
    await Promise.all(Array.from({ length: AT_FIRST }, readOnce))
    for (const ms of PAUSES_MS) {
      await pause(ms)
      await Promise.all(Array.from({ length: AT_ONCE }, readOnce))
    }
    this.all.push(...row)
    this.suspects = cameOrWent(row).filter((name) => this.suspects?.includes(name) ?? true)
  }

  /** A name that was added and removed more often than a directory's life explains. */
  restless(): Restless | undefined {
    const name = this.suspects?.find((one) => fewestChanges(this.sightingsOf(one)) > this.patience.mostChanges)
    if (name === undefined) return undefined
    const holding = this.all.filter(({ names }) => names.has(name))
    const lacking = this.all.filter(({ names }) => !names.has(name))
    const pagesOf = ([first]: readonly Reading[]) => first?.reader.evidence(this.list) ?? []
    const evidence = differenceOf(pagesOf(lacking), pagesOf(holding), name)
    return { name, standsIn: holding.length, of: this.all.length, evidence }
  }

  private sightingsOf(name: string) {
    return this.all.map(({ reader, names }) => {
      const exchanges = reader.evidence(this.list)
      const from = Math.min(...exchanges.map((exchange) => exchange.askedAt - oldestCopyMs(exchange)))
      return { from, to: Math.max(...exchanges.map(({ askedAt, ms }) => askedAt + ms)), value: names.has(name) }
    })
  }
}

/** A response may be as old as it declares; a lagging replica declares nothing. */
const oldestCopyMs = (exchange: Exchange): number => Math.max(oldestMs(exchange) ?? 0, SILENT_COPY_MS)

/** The names that are in some readings and not in others. */
function cameOrWent(rows: readonly Reading[]): readonly string[] {
  const all = new Set(rows.flatMap(({ names }) => [...names]))
  return [...all].filter((name) => rows.some(({ names }) => !names.has(name)))
}

/** The pause after each poll. */
const PAUSE_BEFORE_GLANCE_MS = 35
/** The growth of the pauses: irregular, so that no period keeps all polls in the same half, at any latency. */
const FARTHER_APART = 1.618
/** The largest list that is polled. */
const MOST_GLANCED_AT = 1000

/** The runs in which a poll found a changed list. */
const changed = new WeakSet<Watch>()

/** Polls a list a few times, at irregular times. */
export async function glanceAt(list: List, { target, read, fresh, pause, clock }: Context): Promise<void> {
  const first = await read(list)
  if (first.kind !== 'list' || first.pages > 1 || first.size > MOST_GLANCED_AT) return
  let [last, apart] = [clock.wallTime(), 0]
  for (let nth = 0; nth < target.effort.glances; nth++) {
    if (nth > 0) await pause(Math.max(PAUSE_BEFORE_GLANCE_MS, FARTHER_APART * apart - (clock.wallTime() - last)))
    const reader = fresh()
    const again = await reader.read(list)
    if (again.kind === 'list' && !sameMembers(first, again)) changed.add(target.watch)
    if (first.names.length > 0 && namesIn(again).length === 0)
      lost.set(target.watch, lostAtAGlance(target.watch).add(list.key))
    const { askedAt = clock.wallTime() } = reader.evidence(list)[0] ?? {}
    ;[last, apart] = [askedAt, askedAt - last]
  }
}

const sameMembers = (one: Named, other: Named): boolean =>
  one.names.length === other.names.length &&
  one.names.every((name) => other.has(name)) &&
  other.names.every((name) => one.has(name))

/** The lists that had names at first, and none in a poll. */
const lost = new WeakMap<Watch, Set<string>>()

export const lostAtAGlance = (watch: Watch): Set<string> => lost.get(watch) ?? new Set()

/** Returns whether a poll found a changed list. */
export const changedMeanwhile = (watch: Watch): boolean => changed.has(watch)

type OfRun = ReadonlyMap<string, Readings>

/** Memoised per run. */
const shared = new WeakMap<Watch, Promise<OfRun>>()

/**
 * Reads all lists of a run in bursts, far apart, as long as some names keep coming and going; all checks share the
 * readings and waits.
 */
export function readingsOf(list: List, context: Context): Promise<Readings | undefined> {
  const { watch } = context.target
  const ofRun = shared.get(watch) ?? readTogether(context)
  shared.set(watch, ofRun)
  return ofRun.then((all) => all.get(list.key))
}

/** The number of changed lists that are read again. */
export const MOST_SELECTED = 4

/** The lists of breeds' cats that have changed since they were first read. */
export async function membersMoved(
  directory: Directory,
  { listsMovedSoFar, watch }: Deployment,
  read: Read,
): Promise<readonly List[]> {
  const moved = new Set(listsMovedSoFar().map(({ key }) => key))
  const lists = (await pathNames(directory.breeds, read)).map((breed) => directory.catsOf(breed))
  return lists.filter((list) => moved.has(list.key) || watch.sawMove(list)).slice(0, MOST_SELECTED)
}

async function readTogether(context: Context): Promise<OfRun> {
  const { target, read } = context
  const members = await Promise.all(target.judged.map((one) => membersMoved(one, target, read)))
  const whole = target.judged.flatMap(({ cats, breeds }) => [cats, breeds])
  const all = new Map([
    ...whole.map((list) => [list.key, new Readings(list, OF_ALL)] as const),
    ...members.flat().map((list) => [list.key, new Readings(list, OF_SOME)] as const),
  ])
  for (let nth = 0; ; nth++) {
    const restless = [...all.values()].filter((one) => one.isRestless(nth))
    if (restless.length === 0) break
    if (nth > 0) await context.pause(APART_MS)
    // One after the other, so that each is read on every connection.
    for (const one of restless) await one.readRow(context)
  }
  return all
}

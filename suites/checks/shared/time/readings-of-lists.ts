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

/** Within the age of a copy, a lagging replica has a name and another has not: rows are read farther apart. */
const APART_MS = BEYOND_SILENT_COPIES_MS
/** At first as many at once as there are connections; then fewer, and unequal pauses between, so that no clock is in step. */
const AT_FIRST = 16
const AT_ONCE = 3
const PAUSES_MS = [7, 23, 41, 67, 113, 181]
/**
 * When a name is seen to come and go in a row of readings, the row is read again, beyond the reach of copies. A row tells of
 * one change at most.
 */
interface Patience {
  readonly rows: number
  /** A name may come and go, or go and come; more often it does not. */
  readonly mostChanges: number
}
const OF_ALL: Patience = { rows: 3, mostChanges: 2 }
/** Who moves to another breed may come back to this one, and go again. */
const OF_SOME: Patience = { rows: 5, mostChanges: 4 }

type Context = Pick<CheckContext<Deployment>, 'target' | 'read' | 'fresh' | 'pause' | 'clock'>

interface Reading {
  readonly reader: Reader
  readonly names: ReadonlySet<string>
}

interface Restless {
  readonly name: string
  /** In how many of the readings it stands. */
  readonly standsIn: number
  readonly of: number
  readonly evidence: Evidence
}

/** The readings of one list, and the names that came or went in each row of them. */
class Readings {
  readonly all: Reading[] = []
  suspects: readonly string[] | undefined
  private readonly list: List
  private readonly patience: Patience

  constructor(list: List, patience: Patience) {
    this.list = list
    this.patience = patience
  }

  /** Whether it is to be read once more, after so many rows. */
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

  /** A name that came and went more often than a life explains. */
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

/** An answer may have been a copy for as long as it declares; a replica that lags declares nothing of it. */
const oldestCopyMs = (exchange: Exchange): number => Math.max(oldestMs(exchange) ?? 0, SILENT_COPY_MS)

/** The names that are there in some readings and not in others. */
function cameOrWent(rows: readonly Reading[]): readonly string[] {
  const all = new Set(rows.flatMap(({ names }) => [...names]))
  return [...all].filter((name) => rows.some(({ names }) => !names.has(name)))
}

/** After a glance was answered. */
const PAUSE_BEFORE_GLANCE_MS = 35
/** So many times farther apart than the two before, each: then no period holds all of them in the same half, at any latency. */
const FARTHER_APART = 1.618
/** A list so large is not read again for a glance. */
const MOST_GLANCED_AT = 1000

/** The runs in which a list read otherwise than at first when it was glanced at. */
const changed = new WeakSet<Watch>()

/** Reads a list a few times more, at unequal moments. */
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

/** The lists that held names at first, and none when they were glanced at. */
const lost = new WeakMap<Watch, Set<string>>()

export const lostAtAGlance = (watch: Watch): Set<string> => lost.get(watch) ?? new Set()

/** Whether any list was seen to change at a glance. */
export const changedMeanwhile = (watch: Watch): boolean => changed.has(watch)

type OfRun = ReadonlyMap<string, Readings>

/** Of each run. */
const shared = new WeakMap<Watch, Promise<OfRun>>()

/**
 * Reads all lists of a run in rows, far apart, as long as some names go on coming and going; all checks that need it share
 * the readings and the waits.
 */
export function readingsOf(list: List, context: Context): Promise<Readings | undefined> {
  const { watch } = context.target
  const ofRun = shared.get(watch) ?? readTogether(context)
  shared.set(watch, ofRun)
  return ofRun.then((all) => all.get(list.key))
}

/** Of the lists that inputs select, and that were seen to read otherwise, so many are read again. */
export const MOST_SELECTED = 4

/** The lists of cats that breeds of a version select, as far as they were seen to read otherwise than at first. */
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

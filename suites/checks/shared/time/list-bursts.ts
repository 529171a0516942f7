import type { ChangeMonitor } from '../../../directory/changes/change-monitor.ts'
import type { Deployment } from '../../../directory/deployment.ts'
import type { Directory, ListSubject } from '../../../directory/facts/directory.ts'
import { readPathNames } from '../../../directory/inputs/listed-names.ts'
import type { NameList } from '../../../directory/readings/list-reading.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Read, Reader } from '../../../engine/check/readers.ts'
import type { Evidence } from '../../../engine/check/violations.ts'
import { findDifference } from '../../../engine/finding/shown-exchanges.ts'
import {
  AFTER_UNDECLARED_COPIES_MS,
  countFewestChanges,
  UNDECLARED_COPY_MS,
} from '../../../engine/history/fewest-changes.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { maxCopyAgeMs } from '../../../engine/http/client/freshness.ts'

/** Replicas may lag by the age of a copy, so bursts are farther apart. */
const BURST_GAP_MS = AFTER_UNDECLARED_COPIES_MS
/**
 * First as many requests at once as there are connections; then fewer, with unequal pauses, so that no clock keeps
 * step.
 */
const FIRST_CONCURRENT_READINGS = 16
const CONCURRENT_READINGS = 3
const READING_GAPS_MS = [7, 23, 41, 67, 113, 181]
/**
 * If a name comes and goes within a burst, further bursts follow after copies have expired. One burst proves at most
 * one change.
 */
interface StabilityLimits {
  readonly bursts: number
  /** A name may leave and return, or arrive and leave; more changes are no life of a directory. */
  readonly maxChanges: number
}
const WHOLE_LIST_LIMITS: StabilityLimits = { bursts: 3, maxChanges: 2 }
/** A cat may move to another breed, return, and leave again. */
const MEMBER_LIST_LIMITS: StabilityLimits = { bursts: 5, maxChanges: 4 }

type BurstContext = Pick<CheckContext<Deployment>, 'target' | 'read' | 'createFreshReader' | 'pause' | 'clock'>

interface NamesReading {
  readonly reader: Reader
  readonly names: ReadonlySet<string>
}

interface UnstableName {
  readonly name: string
  /** The number of readings that contain it. */
  readonly readingsWithName: number
  readonly readingCount: number
  readonly evidence: Evidence
}

/** The readings of one list, and the names that came or went in each burst. */
class ListBursts {
  readonly allReadings: NamesReading[] = []
  intermittentNames: readonly string[] | undefined
  private readonly list: ListSubject
  private readonly limits: StabilityLimits

  constructor(list: ListSubject, patience: StabilityLimits) {
    this.list = list
    this.limits = patience
  }

  /** Returns whether another burst is needed. */
  needsAnotherBurst(rows: number): boolean {
    return rows < this.limits.bursts && this.intermittentNames?.length !== 0
  }

  async readBurst({ createFreshReader, pause }: BurstContext): Promise<void> {
    const row: NamesReading[] = []
    const readOnce = async () => {
      const reader = createFreshReader()
      row.push({ reader, names: new Set(namesOfReading(await reader.read(this.list))) })
    }
    await Promise.all(Array.from({ length: FIRST_CONCURRENT_READINGS }, readOnce))
    for (const ms of READING_GAPS_MS) {
      await pause(ms)
      await Promise.all(Array.from({ length: CONCURRENT_READINGS }, readOnce))
    }
    this.allReadings.push(...row)
    this.intermittentNames = findIntermittentNames(row).filter((name) => this.intermittentNames?.includes(name) ?? true)
  }

  /** A name that was added and removed more often than a directory's life explains. */
  findUnstableName(): UnstableName | undefined {
    const name = this.intermittentNames?.find(
      (one) => countFewestChanges(this.sightingsOf(one)) > this.limits.maxChanges,
    )
    if (name === undefined) return undefined
    const holding = this.allReadings.filter(({ names }) => names.has(name))
    const lacking = this.allReadings.filter(({ names }) => !names.has(name))
    const pagesOf = ([first]: readonly NamesReading[]) => first?.reader.exchangesFor(this.list) ?? []
    const evidence = findDifference(pagesOf(lacking), pagesOf(holding), name)
    return { name, readingsWithName: holding.length, readingCount: this.allReadings.length, evidence }
  }

  private sightingsOf(name: string) {
    return this.allReadings.map(({ reader, names }) => {
      const exchanges = reader.exchangesFor(this.list)
      const from = Math.min(...exchanges.map((exchange) => exchange.askedAt - greatestAgeMs(exchange)))
      return { from, to: Math.max(...exchanges.map(({ askedAt, ms }) => askedAt + ms)), value: names.has(name) }
    })
  }
}

/** A response may be as old as it declares; a lagging replica declares nothing. */
const greatestAgeMs = (exchange: Exchange): number => Math.max(maxCopyAgeMs(exchange) ?? 0, UNDECLARED_COPY_MS)

/** The names that are in some readings and not in others. */
function findIntermittentNames(rows: readonly NamesReading[]): readonly string[] {
  const all = new Set(rows.flatMap(({ names }) => [...names]))
  return [...all].filter((name) => rows.some(({ names }) => !names.has(name)))
}

/** The pause after each poll. */
const POLL_PAUSE_MS = 35
/** The growth of the pauses: irregular, so that no period keeps all polls in the same half, at any latency. */
const PAUSE_GROWTH = 1.618
/** The largest list that is polled. */
const MAX_POLLED_NAMES = 1000

/** The runs in which a poll found a changed list. */
const monitorsWithPolledChange = new WeakSet<ChangeMonitor>()

/** Polls a list a few times, at irregular times. */
export async function pollList(
  list: ListSubject,
  { target, read, createFreshReader, pause, clock }: BurstContext,
): Promise<void> {
  const first = await read(list)
  if (first.kind !== 'list' || first.pages > 1 || first.size > MAX_POLLED_NAMES) return
  let [last, apart] = [clock.wallTime(), 0]
  for (let nth = 0; nth < target.effort.pollsPerList; nth++) {
    if (nth > 0) await pause(Math.max(POLL_PAUSE_MS, PAUSE_GROWTH * apart - (clock.wallTime() - last)))
    const reader = createFreshReader()
    const again = await reader.read(list)
    if (again.kind === 'list' && !haveSameNames(first, again)) monitorsWithPolledChange.add(target.changeMonitor)
    if (first.names.length > 0 && namesOfReading(again).length === 0)
      missingListsByMonitor.set(target.changeMonitor, listsMissingInPolls(target.changeMonitor).add(list.key))
    const { askedAt = clock.wallTime() } = reader.exchangesFor(list)[0] ?? {}
    ;[last, apart] = [askedAt, askedAt - last]
  }
}

const haveSameNames = (one: NameList, other: NameList): boolean =>
  one.names.length === other.names.length &&
  one.names.every((name) => other.has(name)) &&
  other.names.every((name) => one.has(name))

/** The lists that had names at first, and none in a poll. */
const missingListsByMonitor = new WeakMap<ChangeMonitor, Set<string>>()

export const listsMissingInPolls = (watch: ChangeMonitor): Set<string> => missingListsByMonitor.get(watch) ?? new Set()

/** Returns whether a poll found a changed list. */
export const hasPolledChange = (watch: ChangeMonitor): boolean => monitorsWithPolledChange.has(watch)

type BurstsByList = ReadonlyMap<string, ListBursts>

/** Memoised per run. */
const burstsByMonitor = new WeakMap<ChangeMonitor, Promise<BurstsByList>>()

/**
 * Reads all lists of a run in bursts, far apart, as long as some names keep coming and going; all checks share the
 * readings and waits.
 */
export function readListBursts(list: ListSubject, context: BurstContext): Promise<ListBursts | undefined> {
  const { changeMonitor } = context.target
  const ofRun = burstsByMonitor.get(changeMonitor) ?? readAllBursts(context)
  burstsByMonitor.set(changeMonitor, ofRun)
  return ofRun.then((all) => all.get(list.key))
}

/** The number of changed lists that are read again. */
export const MAX_CHANGED_LISTS = 4

/** The lists of breeds' cats that have changed since they were first read. */
export async function findChangedMemberLists(
  directory: Directory,
  { changedListsSoFar, changeMonitor }: Deployment,
  read: Read,
): Promise<readonly ListSubject[]> {
  const moved = new Set(changedListsSoFar().map(({ key }) => key))
  const lists = (await readPathNames(directory.breeds, read)).map((breed) => directory.catsOf(breed))
  return lists.filter((list) => moved.has(list.key) || changeMonitor.hasListChanged(list)).slice(0, MAX_CHANGED_LISTS)
}

async function readAllBursts(context: BurstContext): Promise<BurstsByList> {
  const { target, read } = context
  const members = await Promise.all(target.judgedDirectories.map((one) => findChangedMemberLists(one, target, read)))
  const whole = target.judgedDirectories.flatMap(({ cats, breeds }) => [cats, breeds])
  const all = new Map([
    ...whole.map((list) => [list.key, new ListBursts(list, WHOLE_LIST_LIMITS)] as const),
    ...members.flat().map((list) => [list.key, new ListBursts(list, MEMBER_LIST_LIMITS)] as const),
  ])
  for (let nth = 0; ; nth++) {
    const restless = [...all.values()].filter((one) => one.needsAnotherBurst(nth))
    if (restless.length === 0) break
    if (nth > 0) await context.pause(BURST_GAP_MS)
    // One after the other, so that each is read on every connection.
    for (const one of restless) await one.readBurst(context)
  }
  return all
}

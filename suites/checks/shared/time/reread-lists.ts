import { haveListsChanged } from '../../../directory/changes/change-monitor.ts'
import type { VersionTarget } from '../../../directory/deployment.ts'
import type { ListSubject } from '../../../directory/facts/directory.ts'
import { describeNonList } from '../../../directory/readings/describe-non-list.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { namesOfReading, resultListOf } from '../../../directory/readings/names.ts'
import type { Read, Reader, Subject } from '../../../engine/check/readers.ts'
import { AFTER_ALL_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { maxCopyAgeMs } from '../../../engine/http/client/freshness.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { reportViolationOfReadings } from '../report-violation.ts'
import { listsMissingInPolls } from './list-bursts.ts'

const BURSTS = 2
const READINGS_PER_BURST = 3
/** A single cat may come and go; with this many unchanged cats the list is not empty. */
const MIN_UNCHANGED_CATS = 2
const MAX_LISTS = 2
/** The statuses of an unavailable or protected service, which say nothing about a list. */
export const INCONCLUSIVE_STATUSES: readonly number[] = [401, 403, 429, 502, 503, 504]

/** Returns whether a reading is no list, or an empty one, and the service is neither unavailable nor protected. */
export function isListMissing(reading: ListReading): boolean {
  switch (reading.kind) {
    case 'list':
      return reading.names.length === 0
    case 'refused':
      return !INCONCLUSIVE_STATUSES.includes(reading.status)
    case 'failed':
      return reading.status !== undefined && !INCONCLUSIVE_STATUSES.includes(reading.status)
    case 'nothing':
    case 'not-json':
    case 'not-a-list':
      return true
    case 'unreadable':
      return false
  }
}

/** Returns whether a response may be a copy by its own declaration. */
export const declaresFreshness = (reader: Reader, subject: Subject<unknown>): boolean =>
  reader.exchangesFor(subject).some((exchange) => maxCopyAgeMs(exchange) !== undefined)

/** Returns whether a list has a name now, and not only in a declared copy. */
export async function isShownNow(name: string, list: ListSubject, reader: Reader): Promise<boolean> {
  const isShown = resultListOf(await reader.read(list))?.has(name) ?? false
  return isShown && !declaresFreshness(reader, list)
}

interface MissingList {
  /** The response in place of the list at its usual URL. */
  readonly response: string
  /** The names that it has at a new URL. */
  readonly names: ReadonlySet<string>
  /** The responses at the usual URL and at the new one. */
  readonly exchanges: readonly Exchange[]
}

async function findMissingOnce(
  list: ListSubject,
  { createFreshReader, target: { changeMonitor } }: VersionContext,
): Promise<MissingList | undefined> {
  const again = createFreshReader()
  const reading = await again.read(list)
  if (!isListMissing(reading) || declaresFreshness(again, list)) return undefined
  const past = await changeMonitor.createFreshReader()
  const names = new Set(namesOfReading(await past.read(list)))
  const exchanges = [again, past].flatMap((reader) => reader.exchangesFor(list).slice(0, 1))
  return { response: describeNonList(reading), names, exchanges }
}

/**
 * Fails each time, also after copies have expired, while a new URL has the same names all the time: no changing
 * directory, cache or lagging replica does that.
 */
async function findMissingEachTime(list: ListSubject, context: VersionContext): Promise<MissingList | undefined> {
  const all: MissingList[] = []
  for (let row = 0; row < BURSTS; row++) {
    if (row > 0) await context.pause(AFTER_ALL_COPIES_MS)
    for (let time = 0; time < READINGS_PER_BURST; time++) {
      const lost = await findMissingOnce(list, context)
      if (!lost) return undefined
      all.push(lost)
      if ([...lost.names].filter((name) => all.every(({ names }) => names.has(name))).length < MIN_UNCHANGED_CATS)
        return undefined
    }
  }
  return all.at(-1)
}

/** Fails if a list that was read is empty or missing when it is requested again. */
export const createRereadProbe =
  (listsOf: (target: VersionTarget, read: Read) => Promise<readonly ListSubject[]>): CheckProbe =>
  async (context) => {
    const { changeMonitor } = context.target
    const moved = await haveListsChanged(changeMonitor)
    const lost = listsMissingInPolls(changeMonitor)
    if (context.hasViolation()) return
    const lists = (await listsOf(context.target, context.read)).filter(
      (list) => moved || lost.has(list.key) || changeMonitor.wasMissingAtEnd(list),
    )
    if (lists.length === 0 || !(await changeMonitor.canBypassCaches())) return
    for (const list of lists.slice(0, MAX_LISTS)) {
      const lostAgain = await findMissingEachTime(list, context)
      if (!lostAgain) continue
      return reportViolationOfReadings(list, context, {
        expected: 'the same list when the request is repeated',
        actual: `every repeated request for the list returned ${lostAgain.response}; with a new query parameter the list is there`,
        shownBy: [list],
        evidence: { exchanges: lostAgain.exchanges, inFlight: [] },
      })
    }
  }

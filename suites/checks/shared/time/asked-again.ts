import { sawListsMove } from '../../../directory/changes/watch.ts'
import type { OneVersion } from '../../../directory/deployment.ts'
import type { List } from '../../../directory/facts/directory.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { foundBy, namesIn } from '../../../directory/readings/names.ts'
import { whyNoList } from '../../../directory/readings/why-no-list.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Read, Reader, Subject } from '../../../engine/check/readers.ts'
import { BEYOND_OLD_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { oldestMs } from '../../../engine/http/client/freshness.ts'
import { accuse } from '../accuse.ts'
import type { Try } from '../check.ts'
import { lostAtAGlance } from './readings-of-lists.ts'

type Context = CheckContext<OneVersion>

const ROWS = 2
const TIMES = 3
/** A single cat may come and go; with this many unchanged cats the list is not empty. */
const FEWEST = 2
const MOST_LISTS = 2
/** The statuses of an unavailable or protected service, which say nothing about a list. */
export const AWAY: readonly number[] = [401, 403, 429, 502, 503, 504]

/** Returns whether a reading is no list, or an empty one, and the service is neither unavailable nor protected. */
export function isLost(reading: ListReading): boolean {
  switch (reading.kind) {
    case 'list':
      return reading.names.length === 0
    case 'refused':
      return !AWAY.includes(reading.status)
    case 'failed':
      return reading.status !== undefined && !AWAY.includes(reading.status)
    case 'nothing':
    case 'not-json':
    case 'not-a-list':
      return true
    case 'unreadable':
      return false
  }
}

/** Returns whether a response may be a copy by its own declaration. */
export const saysHowFresh = (reader: Reader, subject: Subject<unknown>): boolean =>
  reader.evidence(subject).some((exchange) => oldestMs(exchange) !== undefined)

/** Returns whether a list has a name now, and not only in a declared copy. */
export async function isShownNow(name: string, list: List, reader: Reader): Promise<boolean> {
  const isShown = foundBy(await reader.read(list))?.has(name) ?? false
  return isShown && !saysHowFresh(reader, list)
}

interface Lost {
  /** The response in place of the list at its usual URL. */
  readonly why: string
  /** The names that it has at a new URL. */
  readonly names: ReadonlySet<string>
  /** The responses at the usual URL and at the new one. */
  readonly exchanges: readonly Exchange[]
}

async function lostOnce(list: List, { fresh, target: { watch } }: Context): Promise<Lost | undefined> {
  const again = fresh()
  const reading = await again.read(list)
  if (!isLost(reading) || saysHowFresh(again, list)) return undefined
  const past = await watch.fresh()
  const names = new Set(namesIn(await past.read(list)))
  const exchanges = [again, past].flatMap((reader) => reader.evidence(list).slice(0, 1))
  return { why: whyNoList(reading), names, exchanges }
}

/**
 * Fails each time, also after copies have expired, while a new URL has the same names all the time: no changing
 * directory, cache or lagging replica does that.
 */
async function lostEachTime(list: List, context: Context): Promise<Lost | undefined> {
  const all: Lost[] = []
  for (let row = 0; row < ROWS; row++) {
    if (row > 0) await context.pause(BEYOND_OLD_COPIES_MS)
    for (let time = 0; time < TIMES; time++) {
      const lost = await lostOnce(list, context)
      if (!lost) return undefined
      all.push(lost)
      if ([...lost.names].filter((name) => all.every(({ names }) => names.has(name))).length < FEWEST) return undefined
    }
  }
  return all.at(-1)
}

/** Fails if a list that was read is empty or missing when it is requested again. */
export const canBeReadAgain =
  (listsOf: (target: OneVersion, read: Read) => Promise<readonly List[]>): Try =>
  async (context) => {
    const { watch } = context.target
    const moved = await sawListsMove(watch)
    const lost = lostAtAGlance(watch)
    if (context.isBroken()) return
    const lists = (await listsOf(context.target, context.read)).filter(
      (list) => moved || lost.has(list.key) || watch.wasMissingLate(list),
    )
    if (lists.length === 0 || !(await watch.passesCaches())) return
    for (const list of lists.slice(0, MOST_LISTS)) {
      const lostAgain = await lostEachTime(list, context)
      if (!lostAgain) continue
      return accuse(list, context, {
        expected: 'the same list when the request is repeated',
        actual: `every repeated request for the list returned ${lostAgain.why}; with a new query parameter the list is there`,
        shownBy: [list],
        evidence: { exchanges: lostAgain.exchanges, inFlight: [] },
      })
    }
  }

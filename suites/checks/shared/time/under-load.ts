import { sawListsMove } from '../../../directory/changes/watch.ts'
import type { OneVersion } from '../../../directory/deployment.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { namesIn } from '../../../directory/readings/names.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Subject } from '../../../engine/check/readers.ts'
import type { Evidence } from '../../../engine/check/violations.ts'
import { differenceOf } from '../../../engine/finding/shown-exchanges.ts'
import { BEYOND_SILENT_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { oldestMs, outlastsEveryWait } from '../../../engine/http/client/freshness.ts'
import { Inconclusive } from '../../../engine/inconclusive.ts'
import { accuse } from '../accuse.ts'
import type { Try } from '../check.ts'

type Context = CheckContext<OneVersion>

const ROWS = 3
/** Twice the number of requests in flight: not all of them overlap. */
const AMONG = 32
const ALONE = 3
const MOST_LISTS = 2

/** The content of a reading, in a few words or one name per line; undefined if it cannot be compared. */
type Saying<T> = (reading: T) => string | undefined

/** A request that is sent alone and among others, and the content of its response. */
interface Asked<T> {
  readonly subject: Subject<T>
  readonly others: readonly Subject<T>[]
  readonly says: Saying<T>
}

interface Said {
  readonly words: string | undefined
  readonly shownBy: readonly Exchange[]
}

async function sayOnce<T>(subject: Subject<T>, says: Saying<T>, { fresh }: Context): Promise<Said> {
  const reader = fresh()
  const words = says(await reader.read(subject))
  return { words, shownBy: reader.evidence(subject) }
}

/** The content when sent several times in succession; undefined if it varies. */
async function saidAlone<T>({ subject, says }: Asked<T>, context: Context): Promise<Said | undefined> {
  const first = await sayOnce(subject, says, context)
  for (let time = 1; time < ALONE; time++)
    if ((await sayOnce(subject, says, context)).words !== first.words) return undefined
  return first
}

/**
 * The contents of this and other requests when sent concurrently: state shared by two requests goes wrong if they
 * differ.
 */
async function saidAmong<T>({ subject, others, says }: Asked<T>, context: Context) {
  const asked = Array.from(
    { length: AMONG },
    (_, nth) => (nth % 2 === 0 ? undefined : others[nth % others.length]) ?? subject,
  )
  const said = await Promise.all(asked.map((one) => sayOnce(one, says, context)))
  const isOwn = (_: Said, nth: number) => asked[nth] === subject
  return { own: said.filter(isOwn), beside: said.find((one, nth) => !isOwn(one, nth)) }
}

/** A line that only one of two texts has. */
function lineApart(one = '', other = ''): string {
  const [lines, others] = [new Set(one.split('\n')), new Set(other.split('\n'))]
  return [...lines, ...others].find((line) => lines.has(line) !== others.has(line)) ?? ''
}

/** The content alone, if it differs with several requests in flight and is then the same again. */
async function saidAloneOnly<T>(
  asked: Asked<T>,
  context: Context,
): Promise<(Evidence & { words: string }) | undefined> {
  const before = await saidAlone(asked, context)
  const { own, beside } = await saidAmong(asked, context)
  const after = await saidAlone(asked, context)
  const otherwise = own.find(({ words }) => words !== undefined && words !== before?.words)
  if (before?.words === undefined || before.words !== after?.words || !otherwise) return undefined
  const difference = differenceOf(otherwise.shownBy, before.shownBy, lineApart(otherwise.words, before.words))
  const inFlight = [...difference.inFlight, ...(beside?.shownBy.slice(0, 1) ?? [])]
  return { words: before.words, ...difference, inFlight }
}

/**
 * Returns the wait after which no copy is left that could explain the difference: caches on several connections may
 * hold different copies for as long as the responses declare (T3.4).
 */
function waitBeyondCopiesMs({ exchanges }: Evidence): number {
  if (exchanges.some(outlastsEveryWait))
    throw new Inconclusive(
      'drift',
      'responses differ under concurrent requests, perhaps as stale copies older than a minute',
    )
  return Math.max(BEYOND_SILENT_COPIES_MS, ...exchanges.map((exchange) => (oldestMs(exchange) ?? 0) + 1000))
}

/**
 * Returns whether this recurs, at times farther apart than copies are old, while the content alone stays the same: no
 * changing directory or lagging replica does that.
 * @returns the evidence
 */
export async function changesUnderLoad<T>(asked: Asked<T>, context: Context): Promise<Evidence | undefined> {
  const first = await saidAloneOnly(asked, context)
  for (let row = 1; row < ROWS && first; row++) {
    await context.pause(waitBeyondCopiesMs(first))
    if ((await saidAloneOnly(asked, context))?.words !== first.words) return undefined
  }
  return first
}

const membersOf: Saying<ListReading> = (reading) =>
  reading.kind === 'list' ? namesIn(reading).toSorted().join('\n') : undefined

/** Fails if a list of cats changes with several requests in flight and never with one (T2.5). Runs only if such a list changed. */
export const breedsKeepTheirCatsUnderLoad: Try = async (context) => {
  const { directory, listsMovedSoFar, watch } = context.target
  const moved = new Set(listsMovedSoFar().map(({ key }) => key))
  if (!(await sawListsMove(watch)) && moved.size === 0) return
  const lists = (await pathNames(directory.breeds, context.read)).map((breed) => directory.catsOf(breed))
  const suspects = lists.filter(({ key }) => moved.size === 0 || moved.has(key)).slice(0, MOST_LISTS)
  for (const list of suspects) {
    const others = lists.filter((one) => one !== list)
    const evidence = await changesUnderLoad({ subject: list, others, says: membersOf }, context)
    if (!evidence) continue
    return accuse(list, context, {
      expected: 'the same list with one request in flight and with several',
      actual: `the list differs under concurrent requests (${ROWS} of ${ROWS} tries)`,
      shownBy: [list],
      evidence,
    })
  }
}

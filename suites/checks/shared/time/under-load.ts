import { haveListsChanged } from '../../../directory/changes/change-monitor.ts'
import { readPathNames } from '../../../directory/inputs/listed-names.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import type { Subject } from '../../../engine/check/readers.ts'
import type { Evidence } from '../../../engine/check/violations.ts'
import { findDifference } from '../../../engine/finding/shown-exchanges.ts'
import { AFTER_UNDECLARED_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { maxCopyAgeMs, mayOutlastWaits } from '../../../engine/http/client/freshness.ts'
import { Inconclusive } from '../../../engine/inconclusive.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { reportViolationOfReadings } from '../report-violation.ts'

const BURSTS = 3
/** Twice the number of requests in flight: not all of them overlap. */
const CONCURRENT_REQUESTS = 32
const REPEATS_ALONE = 3
const MAX_LISTS = 2

/** The content of a reading, in a few words or one name per line; undefined if it cannot be compared. */
type DescribeContent<T> = (reading: T) => string | undefined

/** A request that is sent alone and among others, and the content of its response. */
interface LoadSubject<T> {
  readonly subject: Subject<T>
  readonly others: readonly Subject<T>[]
  readonly describe: DescribeContent<T>
}

interface ReadContent {
  readonly text: string | undefined
  readonly shownBy: readonly Exchange[]
}

async function readOnce<T>(
  subject: Subject<T>,
  says: DescribeContent<T>,
  { createFreshReader }: VersionContext,
): Promise<ReadContent> {
  const reader = createFreshReader()
  const words = says(await reader.read(subject))
  return { text: words, shownBy: reader.exchangesFor(subject) }
}

/** The content when sent several times in succession; undefined if it varies. */
async function readAlone<T>(
  { subject, describe }: LoadSubject<T>,
  context: VersionContext,
): Promise<ReadContent | undefined> {
  const first = await readOnce(subject, describe, context)
  for (let time = 1; time < REPEATS_ALONE; time++)
    if ((await readOnce(subject, describe, context)).text !== first.text) return undefined
  return first
}

/**
 * The contents of this and other requests when sent concurrently: state shared by two requests goes wrong if they
 * differ.
 */
async function readAmongOthers<T>({ subject, others, describe }: LoadSubject<T>, context: VersionContext) {
  const asked = Array.from(
    { length: CONCURRENT_REQUESTS },
    (_, nth) => (nth % 2 === 0 ? undefined : others[nth % others.length]) ?? subject,
  )
  const said = await Promise.all(asked.map((one) => readOnce(one, describe, context)))
  const isOwn = (_: ReadContent, nth: number) => asked[nth] === subject
  return { own: said.filter(isOwn), beside: said.find((one, nth) => !isOwn(one, nth)) }
}

/** A line that only one of two texts has. */
function findDifferingLine(one = '', other = ''): string {
  const [lines, others] = [new Set(one.split('\n')), new Set(other.split('\n'))]
  return [...lines, ...others].find((line) => lines.has(line) !== others.has(line)) ?? ''
}

/** The content alone, if it differs with several requests in flight and is then the same again. */
async function findChangeUnderLoad<T>(
  asked: LoadSubject<T>,
  context: VersionContext,
): Promise<(Evidence & { text: string }) | undefined> {
  const before = await readAlone(asked, context)
  const { own, beside } = await readAmongOthers(asked, context)
  const after = await readAlone(asked, context)
  const otherwise = own.find(({ text }) => text !== undefined && text !== before?.text)
  if (before?.text === undefined || before.text !== after?.text || !otherwise) return undefined
  const difference = findDifference(otherwise.shownBy, before.shownBy, findDifferingLine(otherwise.text, before.text))
  const inFlight = [...difference.inFlight, ...(beside?.shownBy.slice(0, 1) ?? [])]
  return { text: before.text, ...difference, inFlight }
}

/**
 * Returns the wait after which no copy is left that could explain the difference: caches on several connections may
 * hold different copies for as long as the responses declare (T3.4).
 */
function waitBeyondCopiesMs({ exchanges }: Evidence): number {
  if (exchanges.some(mayOutlastWaits))
    throw new Inconclusive(
      'drift',
      'responses differ under concurrent requests, perhaps as stale copies older than a minute',
    )
  return Math.max(AFTER_UNDECLARED_COPIES_MS, ...exchanges.map((exchange) => (maxCopyAgeMs(exchange) ?? 0) + 1000))
}

/**
 * Returns whether this recurs, at times farther apart than copies are old, while the content alone stays the same: no
 * changing directory or lagging replica does that.
 * @returns the evidence
 */
export async function findChangeUnderLoadEachTime<T>(
  asked: LoadSubject<T>,
  context: VersionContext,
): Promise<Evidence | undefined> {
  const first = await findChangeUnderLoad(asked, context)
  for (let row = 1; row < BURSTS && first; row++) {
    await context.pause(waitBeyondCopiesMs(first))
    if ((await findChangeUnderLoad(asked, context))?.text !== first.text) return undefined
  }
  return first
}

const describeMembers: DescribeContent<ListReading> = (reading) =>
  reading.kind === 'list' ? namesOfReading(reading).toSorted().join('\n') : undefined

/** Fails if a list of cats changes with several requests in flight and never with one (T2.5). Runs only if such a list changed. */
export const probeMembersUnderLoad: CheckProbe = async (context) => {
  const { directory, changedListsSoFar, changeMonitor } = context.target
  const moved = new Set(changedListsSoFar().map(({ key }) => key))
  if (!(await haveListsChanged(changeMonitor)) && moved.size === 0) return
  const lists = (await readPathNames(directory.breeds, context.read)).map((breed) => directory.catsOf(breed))
  const suspects = lists.filter(({ key }) => moved.size === 0 || moved.has(key)).slice(0, MAX_LISTS)
  for (const list of suspects) {
    const others = lists.filter((one) => one !== list)
    const evidence = await findChangeUnderLoadEachTime({ subject: list, others, describe: describeMembers }, context)
    if (!evidence) continue
    return reportViolationOfReadings(list, context, {
      expected: 'the same list with one request in flight and with several',
      actual: `the list differs under concurrent requests (${BURSTS} of ${BURSTS} tries)`,
      shownBy: [list],
      evidence,
    })
  }
}

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
import { accuse } from '../accuse.ts'
import type { Try } from '../check.ts'

type Context = CheckContext<OneVersion>

const ROWS = 3
/** Twice as many as are under way at once: not every one that could meets another. */
const AMONG = 32
const ALONE = 3
const MOST_LISTS = 2

/** What a reading says, in a few words, or names, one on each line; undefined where it says nothing that could be compared. */
type Saying<T> = (reading: T) => string | undefined

/** What is asked for alone and among others, and what it says. */
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

/** What it says, asked for several times, one after the other; undefined where that is not always the same. */
async function saidAlone<T>({ subject, says }: Asked<T>, context: Context): Promise<Said | undefined> {
  const first = await sayOnce(subject, says, context)
  for (let time = 1; time < ALONE; time++)
    if ((await sayOnce(subject, says, context)).words !== first.words) return undefined
  return first
}

/** What it says, and what others say, in flight together: what two requests share is lost where they ask for two things. */
async function saidAmong<T>({ subject, others, says }: Asked<T>, context: Context) {
  const asked = Array.from(
    { length: AMONG },
    (_, nth) => (nth % 2 === 0 ? undefined : others[nth % others.length]) ?? subject,
  )
  const said = await Promise.all(asked.map((one) => sayOnce(one, says, context)))
  const isOwn = (_: Said, nth: number) => asked[nth] === subject
  return { own: said.filter(isOwn), beside: said.find((one, nth) => !isOwn(one, nth)) }
}

/** A line that stands in one of the two alone. */
function lineApart(one = '', other = ''): string {
  const [lines, others] = [new Set(one.split('\n')), new Set(other.split('\n'))]
  return [...lines, ...others].find((line) => lines.has(line) !== others.has(line)) ?? ''
}

/** What it says alone, where it says something else with several requests in flight and then the same again. */
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
 * Whether it is so again and again, farther apart than copies are old, while what is said alone stays the same all along:
 * no directory in motion and no replica that lags does that.
 * @returns what shows it
 */
export async function changesUnderLoad<T>(asked: Asked<T>, context: Context): Promise<Evidence | undefined> {
  const first = await saidAloneOnly(asked, context)
  for (let row = 1; row < ROWS && first; row++) {
    await context.pause(BEYOND_SILENT_COPIES_MS)
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

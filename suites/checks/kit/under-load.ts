import type { CheckContext } from '../../engine/judging/check.ts'
import { BEYOND_SILENT_COPIES_MS } from '../../engine/judging/history.ts'
import type { Subject } from '../../engine/judging/readers.ts'
import type { OneVersion } from '../../vocabulary/deployment.ts'
import { pathNames } from '../../vocabulary/inputs/own-names.ts'
import type { ListReading } from '../../vocabulary/reading/list-reading.ts'
import { namesIn } from '../../vocabulary/reading/names.ts'
import { sawListsMove } from '../../vocabulary/reading/watch.ts'
import { accuse } from './accuse.ts'
import type { Try } from './check.ts'

type Context = CheckContext<OneVersion>

const ROWS = 3
/** Twice as many as are under way at once: not every one that could meets another. */
const AMONG = 32
const ALONE = 3
const MOST_LISTS = 2

/** What a reading says, in a few words; undefined where it says nothing that could be compared. */
type Saying<T> = (reading: T) => string | undefined

/** What is asked for alone and among others, and what it says. */
interface Asked<T> {
  readonly subject: Subject<T>
  readonly others: readonly Subject<T>[]
  readonly says: Saying<T>
}

const sayOnce = async <T>(subject: Subject<T>, says: Saying<T>, { fresh }: Context): Promise<string | undefined> =>
  says(await fresh().read(subject))

/** What it says, asked for several times, one after the other; undefined where that is not always the same. */
async function saidAlone<T>({ subject, says }: Asked<T>, context: Context): Promise<string | undefined> {
  const first = await sayOnce(subject, says, context)
  for (let time = 1; time < ALONE; time++) if ((await sayOnce(subject, says, context)) !== first) return undefined
  return first
}

/** What it says while as often others are asked for: what two requests share is lost where they ask for two things. */
async function saidAmong<T>(
  { subject, others, says }: Asked<T>,
  context: Context,
): Promise<readonly (string | undefined)[]> {
  const asked = Array.from(
    { length: AMONG },
    (_, nth) => (nth % 2 === 0 ? undefined : others[nth % others.length]) ?? subject,
  )
  const said = await Promise.all(asked.map((one) => sayOnce(one, says, context)))
  return said.filter((_, nth) => asked[nth] === subject)
}

/** What it says alone, where it says something else with several requests in flight and then the same again. */
async function saidAloneOnly<T>(asked: Asked<T>, context: Context): Promise<string | undefined> {
  const before = await saidAlone(asked, context)
  const among = await saidAmong(asked, context)
  const after = await saidAlone(asked, context)
  const isOtherwise = among.some((one) => one !== undefined && one !== before)
  return before !== undefined && before === after && isOtherwise ? before : undefined
}

/**
 * Whether it is so again and again, farther apart than copies are old, while what is said alone stays the same all along:
 * no directory in motion and no replica that lags does that.
 */
export async function changesUnderLoad<T>(asked: Asked<T>, context: Context): Promise<boolean> {
  const first = await saidAloneOnly(asked, context)
  for (let row = 1; row < ROWS && first !== undefined; row++) {
    await context.pause(BEYOND_SILENT_COPIES_MS)
    if ((await saidAloneOnly(asked, context)) !== first) return false
  }
  return first !== undefined
}

const membersOf: Saying<ListReading> = (reading) =>
  reading.kind === 'list' ? namesIn(reading).toSorted().join('\n') : undefined

/** Contract, section 4.2: "it comes with several requests in flight and not with one". Asked where such a list was seen to change. */
export const breedsKeepTheirCatsUnderLoad: Try = async (context) => {
  const { directory, listsMovedSoFar, watch } = context.target
  const moved = new Set(listsMovedSoFar().map(({ key }) => key))
  if (!(await sawListsMove(watch)) && moved.size === 0) return
  const lists = (await pathNames(directory.breeds, context.read)).map((breed) => directory.catsOf(breed))
  const suspects = lists.filter(({ key }) => moved.size === 0 || moved.has(key)).slice(0, MOST_LISTS)
  for (const list of suspects) {
    const others = lists.filter((one) => one !== list)
    if (!(await changesUnderLoad({ subject: list, others, says: membersOf }, context))) continue
    return accuse(list, context, {
      expected: 'the cats of a breed are the same, however much is asked at once',
      actual: 'with several requests in flight the list is another than alone, each time that it was tried',
      shownBy: [list],
    })
  }
}

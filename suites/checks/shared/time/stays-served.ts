import { sawListsMove } from '../../../directory/changes/watch.ts'
import type { OneVersion } from '../../../directory/deployment.ts'
import type { Directory, List } from '../../../directory/facts/directory.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import { foundBy, namesIn } from '../../../directory/readings/names.ts'
import { whyNoList } from '../../../directory/readings/why-no-list.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Read, Reader } from '../../../engine/check/readers.ts'
import { accuse } from '../accuse.ts'
import type { Try } from '../check.ts'
import { isToldNoMore } from '../list-assertions.ts'
import { ALL_ALONG_S, isSoAllAlong } from './all-along.ts'
import { isLost, isShownNow, saysHowFresh } from './asked-again.ts'
import { MOST_SELECTED, membersMoved } from './readings-of-lists.ts'

type Context = CheckContext<OneVersion>

/** Fewer names may all be removed between two readings. */
const FEWEST = 2
const MOST_ASKED_FOR = 3
const MOST_LIKES = 3

/** A list, and where else its names can be found while they exist. */
interface Standing {
  readonly list: List
  readonly elsewhere: (name: string) => List
  /** True if the other place shows the name; any response counts, unless it may show other names. */
  readonly showsIt?: true
  /** The name that selects the list, which must be unchanged: a search may find cats by a former breed. */
  readonly selectedBy?: { readonly name: string; readonly from: List }
  /** Other lists of the same operation, if there are any. */
  readonly likes?: readonly List[]
}

/** The number of names found elsewhere. */
async function foundElsewhere(
  names: readonly string[],
  { elsewhere, showsIt }: Standing,
  reader: Reader,
): Promise<List[]> {
  const found: List[] = []
  for (const name of names.slice(0, MOST_ASKED_FOR)) {
    const other = elsewhere(name)
    const reading = await reader.read(other)
    if (saysHowFresh(reader, other)) continue
    if (showsIt ? foundBy(reading)?.has(name) : namesIn(reading).length > 0) found.push(other)
  }
  return found
}

async function isListedStill({ selectedBy }: Standing, read: Read): Promise<boolean> {
  return selectedBy === undefined || (foundBy(await read(selectedBy.from))?.has(selectedBy.name) ?? false)
}

/** The names of a list that is missing or empty each time, while its names are still found elsewhere each time. */
async function lostOf(
  standing: Standing,
  names: readonly string[],
  context: Context,
): Promise<{ readonly why: string; readonly elsewhere: List } | undefined> {
  let why: string | undefined
  const isLostTo = async (reader: Reader) => {
    const reading = await reader.read(standing.list)
    if (!isLost(reading) || saysHowFresh(reader, standing.list)) return false
    if (await isToldNoMore(reading, async () => standing.likes ?? [], reader.read)) return false
    if (!(await isListedStill(standing, reader.read))) return false
    why ??= reading.kind === 'list' ? 'empty' : whyNoList(reading)
    return reading.kind !== 'list' || (await foundElsewhere(names, standing, reader)).length >= FEWEST
  }
  if (!(await isSoAllAlong(context, isLostTo)) || why === undefined) return undefined
  const [elsewhere] = await foundElsewhere(names, standing, context.fresh())
  return elsewhere && { why, elsewhere }
}

/**
 * Fails if a list was served and no longer is, while other operations still find its names: neither were all of them
 * deleted, nor is the service unavailable (R15.1).
 */
const staysServed =
  (suspects: (context: Context) => Promise<readonly Standing[]>): Try =>
  async (context) => {
    for (const standing of await suspects(context)) {
      const { list } = standing
      const names = namesIn(await context.read(list))
      if (context.isBroken() || names.length < FEWEST) continue
      const lost = await lostOf(standing, names, context)
      if (!lost) continue
      return accuse(list, context, {
        expected: 'the list until the end of the run',
        actual: `the list is lost: every repeated request for ${ALL_ALONG_S} s returned ${lost.why}, although its cats are still found elsewhere`,
        shownBy: [list, lost.elsewhere],
      })
    }
  }

export interface ListElsewhere {
  readonly listOf: (directory: Directory) => List
  /** Other places in which a name of the list is found while it exists. */
  readonly elsewhere: (directory: Directory, name: string) => List
}

export const listStaysServed = ({ listOf, elsewhere }: ListElsewhere): Try =>
  staysServed(async ({ target: { directory, watch } }) => {
    const list = listOf(directory)
    const isSuspect = (await sawListsMove(watch)) || watch.wasMissingLate(list)
    return isSuspect ? [{ list, elsewhere: (name) => elsewhere(directory, name) }] : []
  })

/** The lists of breeds' cats: a search for the breed finds a cat as long as it belongs to the breed. */
export const membersStayServed: Try = staysServed(async ({ target, read }) => {
  const { directory, watch } = target
  const moved = (await sawListsMove(watch)) ? await membersMoved(directory, target, read) : []
  const keys = new Set(moved.map(({ key }) => key))
  const breeds = await pathNames(directory.breeds, read)
  const isSuspect = (list: List) => keys.has(list.key) || watch.wasMissingLate(list)
  return breeds
    .filter((breed) => isSuspect(directory.catsOf(breed)))
    .slice(0, MOST_SELECTED)
    .map((breed) => ({
      list: directory.catsOf(breed),
      elsewhere: () => directory.search(breed),
      showsIt: true,
      selectedBy: { name: breed, from: directory.breeds },
      likes: breeds
        .filter((one) => one !== breed)
        .slice(0, MOST_LIKES)
        .map((one) => directory.catsOf(one)),
    }))
})

/** With quick effort, searches are repeated only if lists have changed. */
const isAskedAgain = async ({ target: { effort, watch } }: Context): Promise<boolean> =>
  effort.glances > 0 || (await sawListsMove(watch))

/** Fails if a search no longer finds a cat that is still listed. */
export const isFoundToTheEnd: Try = async (context) => {
  const { directory } = context.target
  if (context.isBroken() || !(await isAskedAgain(context))) return
  const [cat] = namesIn(await context.read(directory.cats))
  if (cat === undefined || !foundBy(await context.read(directory.search(cat)))?.has(cat)) return
  const hits = directory.search(cat)
  const isMissedBy = async (reader: Reader) => {
    const reading = await reader.read(hits)
    if (foundBy(reading)?.has(cat) !== false || saysHowFresh(reader, hits)) return false
    return isShownNow(cat, directory.cats, reader)
  }
  if (!(await isMissedBy(context.fresh())) || !(await isSoAllAlong(context, isMissedBy))) return
  await accuse(hits, context, {
    expected: `a result that contains ${quoted(cat)} as long as the cat is listed`,
    actual: `the search for ${quoted(cat)} no longer finds the cat, although it is still listed (observed for ${ALL_ALONG_S} s)`,
    shownBy: [directory.cats, hits],
    about: [cat],
  })
}

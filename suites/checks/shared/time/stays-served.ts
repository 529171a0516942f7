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

/** All of so many do not go between two readings. */
const FEWEST = 2
const MOST_ASKED_FOR = 3
const MOST_LIKES = 3

/** A list, and where a name that stood in it is found when it is still there. */
interface Standing {
  readonly list: List
  readonly elsewhere: (name: string) => List
  /** Whether what is read there shows the name; anything does, unless something else may be shown. */
  readonly showsIt?: true
  /** Where the name that selects the list must stand still: a search may find cats by a former name of their breed. */
  readonly selectedBy?: { readonly name: string; readonly from: List }
  /** Other lists of the same operation, where there are others. */
  readonly likes?: readonly List[]
}

/** How many of some names are found elsewhere. */
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

/**
 * What a list said that is none any more, or empty, each time that it was asked for, and where what stood in it is still
 * found: each time too, where the list is empty, for what stood in it may have gone.
 */
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
  /** Where a name of the list is found when it is still there. */
  readonly elsewhere: (directory: Directory, name: string) => List
}

export const listStaysServed = ({ listOf, elsewhere }: ListElsewhere): Try =>
  staysServed(async ({ target: { directory, watch } }) => {
    const list = listOf(directory)
    const isSuspect = (await sawListsMove(watch)) || watch.wasMissingLate(list)
    return isSuspect ? [{ list, elsewhere: (name) => elsewhere(directory, name) }] : []
  })

/** The lists of cats that breeds select: a cat of one is found by the name of the breed as long as she is of it. */
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

/** Where a little is asked, search is asked again only where lists were seen to move. */
const isAskedAgain = async ({ target: { effort, watch } }: Context): Promise<boolean> =>
  effort.glances > 0 || (await sawListsMove(watch))

/** A cat that a search found is found to the end, as long as she is listed. */
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

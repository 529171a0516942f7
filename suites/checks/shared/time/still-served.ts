import { haveListsChanged } from '../../../directory/changes/change-monitor.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { describeNonList } from '../../../directory/readings/describe-non-list.ts'
import { namesOfReading, resultListOrEmpty } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read, Reader } from '../../../engine/check/readers.ts'
import { UndecidedContradiction } from '../../../engine/check/violations.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { hasNamePlaceMoved } from '../list-assertions.ts'
import { reportViolationOfReadings } from '../report-violation.ts'
import { findChangedBreedLists, MAX_REREAD_LISTS } from './list-bursts.ts'
import { declaresFreshness, isInList, isListedNow, isListMissing } from './missing-lists.ts'
import { isTrueInEveryReading, TOTAL_REPEAT_TIME_S } from './true-each-time.ts'

/** The smallest list that is tested. With fewer names, all of them may be removed between two readings. */
const MIN_NAMES = 2
const MAX_NAMES_CHECKED = 3
const MAX_SIMILAR_LISTS = 3

/** A list, and for each of its names another list that contains the name as long as the cat or breed exists. */
interface CheckedList {
  readonly list: ListResource
  readonly listThatShows: (name: string) => ListResource
  /**
   * True if the other list must contain the name itself. Otherwise, it suffices that the other list contains any name.
   */
  readonly mustShowName?: true
  /**
   * The breed in the path of the list, and the list of breeds, which must still contain this breed. Otherwise the breed
   * was removed, even if a search still finds its cats.
   */
  readonly selectedBy?: { readonly name: string; readonly from: ListResource }
  /** Other lists of the same operation, if there are any. */
  readonly similarLists?: readonly ListResource[]
}

/** Returns the other lists that still contain the names. */
async function findNamesElsewhere(
  names: readonly string[],
  { listThatShows, mustShowName }: CheckedList,
  reader: Reader,
): Promise<ListResource[]> {
  const found: ListResource[] = []
  for (const name of names.slice(0, MAX_NAMES_CHECKED)) {
    const other = listThatShows(name)
    const reading = await reader.read(other)
    if (declaresFreshness(reader, other)) continue
    if (mustShowName ? resultListOrEmpty(reading)?.has(name) : namesOfReading(reading).length > 0) found.push(other)
  }
  return found
}

const isSelectorStillListed = async ({ selectedBy }: CheckedList, read: Read): Promise<boolean> =>
  selectedBy === undefined || isInList(selectedBy.name, selectedBy.from, read)

/**
 * Reads a list repeatedly, and the other lists that should contain its names. If the list is missing each time but its
 * names are found elsewhere, returns how it is missing, and where a name is found.
 */
async function findMissingEachTime(
  checked: CheckedList,
  names: readonly string[],
  context: VersionContext,
): Promise<{ readonly why: string; readonly listThatShows: ListResource } | undefined> {
  let why: string | undefined
  const isLostTo = async (reader: Reader) => {
    const reading = await reader.read(checked.list)
    if (!isListMissing(reading) || declaresFreshness(reader, checked.list)) return false
    if (await hasNamePlaceMoved(reading, async () => checked.similarLists ?? [], reader.read)) return false
    if (!(await isSelectorStillListed(checked, reader.read))) return false
    why ??= reading.kind === 'list' ? 'an empty list' : describeNonList(reading)
    return reading.kind !== 'list' || (await findNamesElsewhere(names, checked, reader)).length >= MIN_NAMES
  }
  if (!(await isTrueInEveryReading(context, isLostTo)) || why === undefined) return undefined
  const [listThatShows] = await findNamesElsewhere(names, checked, context.createFreshReader())
  return listThatShows && { why, listThatShows }
}

/**
 * Fails if a list is no longer served although other operations still find its names: they were not all deleted, and
 * the service is available (R15.1).
 */
const createStillServedProbe =
  (selectLists: (context: VersionContext) => Promise<readonly CheckedList[]>): CheckProbe =>
  async (context) => {
    for (const checked of await selectLists(context)) {
      const { list } = checked
      const names = namesOfReading(await context.read(list))
      if (context.hasViolation() || names.length < MIN_NAMES) continue
      const lost = await findMissingEachTime(checked, names, context)
      if (!lost) continue
      return reportViolationOfReadings(list, context, {
        expected: 'the list is served with its names until the end of the run',
        actual: `the list is no longer served: for ${TOTAL_REPEAT_TIME_S} s, every request returned ${lost.why}, although other operations still find its names`,
        shownBy: [list, lost.listThatShows],
      })
    }
  }

export interface CrossCheckedList {
  readonly listOf: (directory: Directory) => ListResource
  /** Returns another list that contains the name as long as the cat or breed exists. */
  readonly listThatShows: (directory: Directory, name: string) => ListResource
}

export const createListStillServedProbe = ({ listOf, listThatShows }: CrossCheckedList): CheckProbe =>
  createStillServedProbe(async ({ target: { directory, changeMonitor } }) => {
    const list = listOf(directory)
    const haveChanged = (await haveListsChanged(changeMonitor)) && !changeMonitor.isExplained('lists')
    const mayBeLost = haveChanged || changeMonitor.wasMissingAtEnd(list)
    return mayBeLost ? [{ list, listThatShows: (name) => listThatShows(directory, name) }] : []
  })

/** Fails if a breed's list is no longer served although a search for the breed still finds its cats. */
export const probeBreedListsStillServed: CheckProbe = createStillServedProbe(async ({ target, read }) => {
  const { directory, changeMonitor } = target
  const moved = (await haveListsChanged(changeMonitor)) ? await findChangedBreedLists(directory, target, read) : []
  const keys = new Set(moved.map(({ key }) => key))
  const breeds = await readNamesForPaths(directory.breeds, read)
  const mayBeLost = (list: ListResource) => keys.has(list.key) || changeMonitor.wasMissingAtEnd(list)
  return breeds
    .filter((breed) => mayBeLost(directory.catsOf(breed)))
    .slice(0, MAX_REREAD_LISTS)
    .map((breed) => ({
      list: directory.catsOf(breed),
      listThatShows: () => directory.search(breed),
      mustShowName: true,
      selectedBy: { name: breed, from: directory.breeds },
      similarLists: breeds
        .filter((one) => one !== breed)
        .slice(0, MAX_SIMILAR_LISTS)
        .map((one) => directory.catsOf(one)),
    }))
})

/** Returns whether to repeat searches. With `--effort quick`, they are repeated only if lists have changed. */
const shouldRepeatSearch = async ({ target: { effort, changeMonitor } }: VersionContext): Promise<boolean> =>
  effort.pollsPerList > 0 || (await haveListsChanged(changeMonitor))

/** Fails if a search no longer finds a cat that is still listed. */
export const probeCatsStillFound: CheckProbe = async (context) => {
  const { directory } = context.target
  if (context.hasViolation() || !(await shouldRepeatSearch(context))) return
  const [cat] = namesOfReading(await context.read(directory.cats))
  if (cat === undefined || !resultListOrEmpty(await context.read(directory.search(cat)))?.has(cat)) return
  const hits = directory.search(cat)
  const isMissedBy = async (reader: Reader) => {
    const reading = await reader.read(hits)
    if (resultListOrEmpty(reading)?.has(cat) !== false || declaresFreshness(reader, hits)) return false
    return isListedNow(cat, directory.cats, reader)
  }
  if (!(await isMissedBy(context.createFreshReader()))) return
  if (!(await isTrueInEveryReading(context, isMissedBy))) return endInconclusiveUnlessChanged(hits, cat, context)
  await reportViolationOfReadings(hits, context, {
    expected: `a result that contains ${quoted(cat)} as long as the cat is listed`,
    actual: `the search for ${quoted(cat)} no longer finds the cat, although the cat is still listed (observed for ${TOTAL_REPEAT_TIME_S} s)`,
    shownBy: [directory.cats, hits],
    namesAtFault: [cat],
  })
}

/** Ends inconclusive if a search result lacked a listed cat for a moment and nothing else was seen to change (T2.1). */
async function endInconclusiveUnlessChanged(
  hits: ListResource,
  cat: string,
  { target }: VersionContext,
): Promise<void> {
  const { changeMonitor, directory } = target
  const [early, late] = [await changeMonitor.detectEarly(), await changeMonitor.detectLate()]
  if ([early, late].some((one) => one.hasListChanges || one.catsWithChangedLives.length > 0)) return
  const actual = `the search for ${quoted(cat)} did not find the cat for a moment, although the cat was listed`
  throw new UndecidedContradiction('unstable', actual, {
    expected: `a result that contains ${quoted(cat)} as long as the cat is listed`,
    actual,
    shownBy: [directory.cats, hits],
    namesAtFault: [cat],
  })
}

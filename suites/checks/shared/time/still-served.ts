import { haveListsChanged } from '../../../directory/changes/change-monitor.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { INCONCLUSIVE_STATUSES } from '../../../directory/facts/reading-contents.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { hasNoReadableCount } from '../../../directory/lives/lives-reading.ts'
import { describeNonList } from '../../../directory/readings/describe-non-list.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { namesOfReading, requireListOrEmpty } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Read, Reader, Resource } from '../../../engine/check/readers.ts'
import { UndecidedContradiction } from '../../../engine/check/violations.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { hasNamePlaceMoved } from '../list-assertions.ts'
import { reportViolationOfReadings } from '../report-violation.ts'
import { isQuickEffort } from './conditions.ts'
import {
  canBeCachedCopy,
  findChangedBreedLists,
  isInList,
  isListMissing,
  MAX_LISTS_READ_AGAIN,
} from './missing-lists.ts'

/**
 * The delays between repeated readings. Their sum is longer than a restart of the service, during which a gateway may
 * refuse requests.
 */
const REPEAT_DELAYS_MS = [0, 1000, 2000, 3000]
const TOTAL_REPEAT_TIME_S = REPEAT_DELAYS_MS.reduce((sum, ms) => sum + ms) / 1000

/** Data that must be served as long as other responses show that its cat or breed exists. */
interface ServedData<T> {
  readonly resource: Resource<T>
  readonly isMissingIn: (reading: T, read: Read) => boolean | Promise<boolean>
  readonly existsNow: (reader: Reader) => Promise<boolean>
}

/**
 * Reads the data repeatedly. Every second reading bypasses caches, because a cache may keep a failure.
 * @returns the first response without the data, and whether all further responses lacked it too; undefined if the first
 * response has the data
 */
async function observeLoss<T>(
  { resource, isMissingIn, existsNow }: ServedData<T>,
  { createFreshReader, pause, target: { changeMonitor } }: VersionContext,
): Promise<{ readonly reading: T; readonly isLasting: boolean } | undefined> {
  let first: T | undefined
  for (const ms of REPEAT_DELAYS_MS) {
    if (ms > 0) await pause(ms)
    for (const reader of [createFreshReader(), await changeMonitor.createFreshReader()]) {
      const reading = await reader.read(resource)
      const isLost =
        (await isMissingIn(reading, reader.read)) && !canBeCachedCopy(reader, resource) && (await existsNow(reader))
      if (!isLost) return first && { reading: first, isLasting: false }
      first ??= reading
    }
  }
  return first && { reading: first, isLasting: true }
}

/** Returns whether a list contains a name now. Returns false if the response may be a cached copy. */
const isListedNow = async (name: string, list: ListResource, reader: Reader): Promise<boolean> =>
  (await isInList(name, list, reader.read)) && !canBeCachedCopy(reader, list)

/** The smallest list that is tested. With fewer names, all of them may be removed between two readings. */
const MIN_NAMES = 2
/** The number of names of which other responses must show at least `MIN_NAMES_SHOWN`. */
const MAX_NAMES_CHECKED = 3
/** The minimum number of names that other responses must show. A single one may be shown by a stale copy. */
const MIN_NAMES_SHOWN = 2
/** The maximum number of other lists that show whether all lists have their names at another place in the JSON. */
const MAX_SIMILAR_LISTS = 3

/** A list, and other lists that show its names as long as their cats or breeds exist. */
interface CheckedList {
  readonly list: ListResource
  readonly listThatShows: (name: string) => ListResource
  /** Returns whether a response of `listThatShows` shows that the name exists. */
  readonly isShownIn: (reading: ListReading, name: string) => boolean
  /** The breed in the path of the list. If the breed was removed, a search may still find its cats. */
  readonly breed?: string
  /** Other lists of the same operation, if there are any. */
  readonly similarLists?: readonly ListResource[]
}

/** Fails if a list remains missing although other lists show its names. */
async function assertListStillServed(
  { list, listThatShows, isShownIn, breed, similarLists = [] }: CheckedList,
  context: VersionContext,
): Promise<void> {
  const { breeds } = context.target.directory
  const names = namesOfReading(await context.read(list))
  if (context.hasViolation() || names.length < MIN_NAMES) return
  const loss = await observeLoss(
    {
      resource: list,
      isMissingIn: async (reading, read) =>
        isListMissing(reading) && !(await hasNamePlaceMoved(reading, async () => similarLists, read)),
      async existsNow(reader) {
        if (breed !== undefined && !(await isInList(breed, breeds, reader.read))) return false
        let shown = 0
        for (const name of names.slice(0, MAX_NAMES_CHECKED)) {
          const other = listThatShows(name)
          if (isShownIn(await reader.read(other), name) && !canBeCachedCopy(reader, other)) shown++
        }
        return shown >= MIN_NAMES_SHOWN
      },
    },
    context,
  )
  if (!loss?.isLasting) return
  const why = loss.reading.kind === 'list' ? 'an empty list' : describeNonList(loss.reading)
  await reportViolationOfReadings(list, context, {
    expected: 'the list is served with its names until the end of the run',
    actual: `the list is no longer served: for ${TOTAL_REPEAT_TIME_S} s, every request returned ${why}, although other operations still find its names`,
    shownBy: [list, ...names.slice(0, 1).map(listThatShows)],
  })
}

/**
 * Creates a probe that fails if the list of all cats or breeds is no longer served although other operations still find
 * its names: they were not all deleted, and the service is available (R15.1).
 */
export const createListStillServedProbe =
  (
    listOf: (directory: Directory) => ListResource,
    listThatShows: (directory: Directory, name: string) => ListResource,
  ): CheckProbe =>
  async (context) => {
    const { directory, changeMonitor } = context.target
    const list = listOf(directory)
    const haveChanged = (await haveListsChanged(changeMonitor)) && !changeMonitor.isExplained('lists')
    if (!haveChanged && !changeMonitor.wasMissingAtEnd(list)) return
    const isShownIn = (reading: ListReading) => namesOfReading(reading).length > 0
    await assertListStillServed({ list, listThatShows: (name) => listThatShows(directory, name), isShownIn }, context)
  }

/** Fails if a breed's list is no longer served although a search for the breed still finds its cats (R15.1). */
export const probeBreedListsStillServed: CheckProbe = async (context) => {
  const { target, read } = context
  const { directory, changeMonitor } = target
  const changed = (await haveListsChanged(changeMonitor)) ? await findChangedBreedLists(directory, target, read) : []
  const keys = new Set(changed.map(({ key }) => key))
  const breeds = await readNamesForPaths(directory.breeds, read)
  const mayBeLost = (list: ListResource) => keys.has(list.key) || changeMonitor.wasMissingAtEnd(list)
  for (const breed of breeds.filter((one) => mayBeLost(directory.catsOf(one))).slice(0, MAX_LISTS_READ_AGAIN)) {
    const others = breeds.filter((one) => one !== breed).slice(0, MAX_SIMILAR_LISTS)
    await assertListStillServed(
      {
        list: directory.catsOf(breed),
        listThatShows: () => directory.search(breed),
        isShownIn: (reading, cat) => requireListOrEmpty(reading)?.has(cat) ?? false,
        breed,
        similarLists: others.map((one) => directory.catsOf(one)),
      },
      context,
    )
  }
}

/**
 * Fails if a search no longer finds a cat that is still listed. Ends inconclusive if the search did not find the cat for
 * a moment, and nothing else changed (T2.2).
 */
export const probeCatsStillFound: CheckProbe = async (context) => {
  const { directory, effort, changeMonitor } = context.target
  // With `--effort quick`, searches are repeated only if lists have changed.
  const isRepeated = !isQuickEffort(effort) || (await haveListsChanged(changeMonitor))
  if (context.hasViolation() || !isRepeated) return
  const [cat] = namesOfReading(await context.read(directory.cats))
  if (cat === undefined || !requireListOrEmpty(await context.read(directory.search(cat)))?.has(cat)) return
  const hits = directory.search(cat)
  const loss = await observeLoss(
    {
      resource: hits,
      isMissingIn: (reading) => requireListOrEmpty(reading)?.has(cat) === false,
      existsNow: (reader) => isListedNow(cat, directory.cats, reader),
    },
    context,
  )
  if (!loss) return
  const contradiction = {
    expected: `a result that contains ${quoted(cat)} as long as the cat is listed`,
    actual: loss.isLasting
      ? `the search for ${quoted(cat)} no longer finds the cat, although the cat is still listed (observed for ${TOTAL_REPEAT_TIME_S} s)`
      : `the search for ${quoted(cat)} did not find the cat for a moment, although the cat was listed`,
    shownBy: [directory.cats, hits],
    names: { atFault: [cat] },
  }
  if (loss.isLasting) return reportViolationOfReadings(hits, context, contradiction)
  // A moment without the cat is explained only by another change of the directory (T2.1).
  const changes = [await changeMonitor.detectEarly(), await changeMonitor.detectLate()]
  if (!changes.some((one) => one.hasListChanges || one.catsWithChangedLives.length > 0))
    throw new UndecidedContradiction('unstable', contradiction.actual, contradiction)
}

/** The maximum number of cats whose lives are requested again. */
const MAX_CATS_CHECKED = 2

/** Fails if a cat stays listed, but its lives are not served for longer than replicas and caches lag. */
export const probeLivesStillServed: CheckProbe = async (context) => {
  const { directory, changeMonitor } = context.target
  const changes = [await changeMonitor.detectEarly(), await changeMonitor.detectLate()]
  const cats = [
    ...changes.flatMap(({ catsWithoutCount }) => catsWithoutCount.map(({ cat }) => cat)),
    ...changes.flatMap(({ catsWithRefusedLives }) => catsWithRefusedLives),
  ]
  for (const cat of [...new Set(cats)].slice(0, MAX_CATS_CHECKED)) {
    if (context.hasViolation()) return
    const resource = directory.lives(cat)
    const loss = await observeLoss(
      {
        resource,
        isMissingIn: (lives) =>
          hasNoReadableCount(lives) || (lives.kind === 'refused' && !INCONCLUSIVE_STATUSES.includes(lives.status)),
        existsNow: (reader) => isListedNow(cat, directory.cats, reader),
      },
      context,
    )
    if (!loss?.isLasting) continue
    await reportViolationOfReadings(resource, context, {
      expected: `the lives of ${quoted(cat)} are served as long as the cat is listed`,
      actual: `the lives of ${quoted(cat)} are no longer served, although the cat is still listed (observed for ${TOTAL_REPEAT_TIME_S} s)`,
      defectKind: 'no longer served',
      shownBy: [directory.cats, resource],
      names: { atFault: [cat] },
    })
  }
}

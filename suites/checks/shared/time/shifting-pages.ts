import type { ListResource } from '../../../directory/facts/directory.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { Reader } from '../../../engine/check/readers.ts'
import type { Evidence } from '../../../engine/check/violations.ts'
import { findDifferingExchanges } from '../../../engine/finding/shown-exchanges.ts'
import { WAIT_BEYOND_UNDECLARED_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { resolveInconclusiveTo } from '../../../engine/inconclusive.ts'
import { drawSample } from '../../../engine/property/sample.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { createChangingPagesError } from '../paging-faults.ts'
import { reportViolationOfReadings } from '../report-violation.ts'

type DistinctNames = ReadonlySet<string>

/**
 * A paged list, and the breeds to read as a cross-check: their lists show which names of the paged list still exist.
 */
export interface PagedList {
  readonly list: ListResource
  /**
   * Returns the names of the paged list that the list of a breed's cats shows: the cats, or the breed if it has cats.
   */
  readonly namesShownBy: (breed: string, cats: readonly string[]) => readonly string[]
  /** The breeds whose lists are read; if undefined, a sample of all breeds. */
  readonly breeds?: readonly string[]
}

/**
 * The maximum number of differences between consecutive readings. A name may be removed and another added while the
 * pages are read. More differences are a defect.
 */
const MAX_CHANGES = 2
/** The number of series of readings, with long pauses in between. All of them must miss names. */
const SERIES_COUNT = 3
/**
 * The factor by which a series is longer if some of its readings differ, but too few. Replicas with pages of different
 * orders often return the same pages several times in a row.
 */
const MAX_EXTENSION = 3
/**
 * The maximum number of breeds whose lists are read before and after the paged list, to find the names that stay listed.
 */
const MAX_BREEDS = 60

const areEqualSets = (one: DistinctNames, other: DistinctNames): boolean =>
  one.size === other.size && [...one].every((name) => other.has(name))

/** Reads the names that the lists of the breeds' cats show, with caches bypassed. */
async function readNamesOfBreedLists(
  breeds: readonly string[],
  { namesShownBy }: PagedList,
  { target: { directory, changeMonitor } }: VersionContext,
): Promise<DistinctNames> {
  const reader = await changeMonitor.createFreshReader()
  const names = breeds.map(async (breed) => {
    const reading = await reader.read(directory.catsOf(breed))
    return reading.kind === 'list' ? namesShownBy(breed, reading.names) : []
  })
  return new Set((await Promise.all(names)).flat())
}

/** The names of all pages, and the exchanges of the pages. */
interface PagedReading {
  readonly names: DistinctNames
  readonly pages: readonly Exchange[]
}

/** Finds evidence that some readings contain a name and others lack it. Returns undefined if there is none. */
function findMissedName(
  readings: readonly PagedReading[],
  name: string,
): { readonly name: string; readonly evidence: Evidence } | undefined {
  const [holding, lacking] = [
    readings.find(({ names }) => names.has(name)),
    readings.find(({ names }) => !names.has(name)),
  ]
  return holding && lacking && { name, evidence: findDifferingExchanges(lacking.pages, holding.pages, name) }
}

/** Counts the readings whose names differ from those of the reading before. */
const countChangedReadings = (readings: readonly PagedReading[]): number =>
  readings.filter(({ names }, nth) => !areEqualSets(names, readings[nth - 1]?.names ?? names)).length

/** Returns whether consecutive readings differ more often than changes of the data explain. */
const hasTooManyChanges = (readings: readonly PagedReading[]): boolean => countChangedReadings(readings) > MAX_CHANGES

/** Reads all pages of a list. Returns an empty array if the pages cannot be read. */
async function readPages(list: ListResource, reader: Reader): Promise<PagedReading[]> {
  const reading = await reader.read(list).catch(resolveInconclusiveTo(undefined))
  return reading ? [{ names: new Set(namesOfReading(reading)), pages: reader.exchangesFor(list) }] : []
}

/**
 * Returns whether the first reading of the run and a few more have the same names. Pages whose order changes between
 * requests hardly ever add up to equal readings. Returns false without quick effort, because more readings are sent then.
 */
async function areFirstReadingsEqual(list: ListResource, context: VersionContext): Promise<boolean> {
  const count = context.target.effort.sufficientEqualReadings
  if (count === 0) return false
  const readings = await readPages(list, context.readings)
  for (let nth = 1; nth < count; nth++) readings.push(...(await readPages(list, context.createFreshReader())))
  return readings.length === count && countChangedReadings(readings) === 0
}

/** Reads all pages of a list several times in a row. Continues if some readings differ, but too few. */
async function readSeries(list: ListResource, { target, createFreshReader }: VersionContext): Promise<PagedReading[]> {
  const { pagedReadings } = target.effort
  const series: PagedReading[] = []
  for (let nth = 0; nth < MAX_EXTENSION * pagedReadings; nth++) {
    if (nth >= pagedReadings && (countChangedReadings(series) === 0 || hasTooManyChanges(series))) break
    series.push(...(await readPages(list, createFreshReader())))
  }
  return series
}

/** Reads series of all pages of a list, with long pauses in between, as long as readings differ too often. */
async function readPagesInSeries(list: ListResource, context: VersionContext): Promise<readonly PagedReading[][]> {
  const all: PagedReading[][] = []
  while (all.length < SERIES_COUNT && all.every(hasTooManyChanges)) {
    if (all.length > 0) await context.pause(WAIT_BEYOND_UNDECLARED_COPIES_MS)
    all.push(await readSeries(list, context))
  }
  return all
}

/**
 * Fails if repeated readings of a paged list differ and miss names that the lists of breeds contain, while the lists of
 * breeds do not change (T2.4).
 */
export async function assertPagesComplete(paged: PagedList, context: VersionContext): Promise<void> {
  const { read, seed, target } = context
  const { list } = paged
  if (await areFirstReadingsEqual(list, context))
    return context.verify(async (readAgain) => void (await readAgain(list)))
  const breeds =
    paged.breeds ?? drawSample(await readNamesForPaths(target.directory.breeds, read), MAX_BREEDS, seed, String)
  const names = await readNamesOfBreedLists(breeds, paged, context)
  const all = await readPagesInSeries(list, context)
  const areBreedListsUnchanged =
    all.every(hasTooManyChanges) && areEqualSets(names, await readNamesOfBreedLists(breeds, paged, context))
  const missed = all.flatMap((series) => [...names].flatMap((name) => findMissedName(series, name) ?? []).slice(0, 1))
  const [first] = missed
  if (areBreedListsUnchanged && first && missed.length === all.length)
    return reportViolationOfReadings(list, context, {
      expected: 'all pages together contain every name of the list',
      actual: `the pages, taken together, contain different names at each reading, and sometimes lack ${quoted(first.name)}, although the lists of the breeds stay the same`,
      shownBy: [list],
      evidence: first.evidence,
    })
  await context.verify(async (readAgain) => {
    await readAgain(list)
    // Counts only the first readings of each series: a longer series almost always contains readings that differ.
    if (all.every((series) => hasTooManyChanges(series.slice(0, target.effort.pagedReadings))))
      throw createChangingPagesError()
  })
}

/** Fails if the pages of a search for a breed miss names because the order changes between page requests (T2.4). */
export const probePagedSearch: CheckProbe = async (context) => {
  const { read, readings, target } = context
  const { directory } = target
  const searched = new Set(readings.resourcesRead().map(({ key }) => key))
  for (const breed of await readNamesForPaths(directory.breeds, read)) {
    const list = directory.search(breed)
    const reading = searched.has(list.key) ? await read(list) : undefined
    if (reading?.kind !== 'list' || reading.pages === 1) continue
    return assertPagesComplete({ list, breeds: [breed], namesShownBy: (_, cats) => cats }, context)
  }
}

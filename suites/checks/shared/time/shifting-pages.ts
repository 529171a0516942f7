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
  readonly namesShownBy: (breed: string, cats: readonly string[]) => readonly string[]
  /** The breeds whose lists are read; if undefined, a sample of all breeds. */
  readonly breeds?: readonly string[]
}

/**
 * The maximum number of differences between consecutive readings. A name may be removed and another added while the
 * pages are read. More differences are a defect.
 */
const MAX_CHANGES = 2
const SERIES = 3
/**
 * A series in which some readings differ, but too few, has up to this many times as many readings: replicas with pages
 * of different orders often answer several readings in a row alike.
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

interface PagedReading {
  readonly names: DistinctNames
  readonly pages: readonly Exchange[]
}

/** Finds evidence that some readings contain a name and others lack it. */
function findMissedName(
  walks: readonly PagedReading[],
  name: string,
): { readonly name: string; readonly evidence: Evidence } | undefined {
  const [holding, lacking] = [walks.find(({ names }) => names.has(name)), walks.find(({ names }) => !names.has(name))]
  return holding && lacking && { name, evidence: findDifferingExchanges(lacking.pages, holding.pages, name) }
}

const countChangedReadings = (walks: readonly PagedReading[]): number =>
  walks.filter(({ names }, nth) => !areEqualSets(names, walks[nth - 1]?.names ?? names)).length

const isTorn = (walks: readonly PagedReading[]): boolean => countChangedReadings(walks) > MAX_CHANGES

async function readPages(list: ListResource, reader: Reader): Promise<PagedReading[]> {
  const reading = await reader.read(list).catch(resolveInconclusiveTo(undefined))
  return reading ? [{ names: new Set(namesOfReading(reading)), pages: reader.exchangesFor(list) }] : []
}

/**
 * Returns whether the first reading of the run and a few more have the same names. Pages whose order changes between
 * requests hardly ever add up to equal readings. If the effort is not quick, equal readings never suffice.
 */
async function areFirstReadingsEqual(list: ListResource, context: VersionContext): Promise<boolean> {
  const count = context.target.effort.sufficientEqualReadings
  if (count === 0) return false
  const walks = await readPages(list, context.readings)
  for (let nth = 1; nth < count; nth++) walks.push(...(await readPages(list, context.createFreshReader())))
  return walks.length === count && countChangedReadings(walks) === 0
}

async function readSeries(list: ListResource, { target, createFreshReader }: VersionContext): Promise<PagedReading[]> {
  const { pagedReadings } = target.effort
  const series: PagedReading[] = []
  for (let nth = 0; nth < MAX_EXTENSION * pagedReadings; nth++) {
    if (nth >= pagedReadings && (countChangedReadings(series) === 0 || isTorn(series))) break
    series.push(...(await readPages(list, createFreshReader())))
  }
  return series
}

/** Reads all pages of a list several times in a row, in series with long pauses, as long as the names differ. */
async function readPagesInSeries(list: ListResource, context: VersionContext): Promise<readonly PagedReading[][]> {
  const all: PagedReading[][] = []
  while (all.length < SERIES && all.every(isTorn)) {
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
  const areStill = all.every(isTorn) && areEqualSets(names, await readNamesOfBreedLists(breeds, paged, context))
  const missed = all.flatMap((series) => [...names].flatMap((name) => findMissedName(series, name) ?? []).slice(0, 1))
  const [first] = missed
  if (areStill && first && missed.length === all.length)
    return reportViolationOfReadings(list, context, {
      expected: 'all pages together contain every name of the list',
      actual: `the pages, taken together, contain different names at each reading, and sometimes lack ${quoted(first.name)}, although the lists of the breeds stay the same`,
      shownBy: [list],
      evidence: first.evidence,
    })
  await context.verify(async (readAgain) => {
    await readAgain(list)
    // A longer series tears more pages: it may prove a violation, but does not put the list in doubt.
    if (all.every((series) => isTorn(series.slice(0, target.effort.pagedReadings)))) throw createChangingPagesError()
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

import type { OneVersion } from '../../../directory/deployment.ts'
import type { List } from '../../../directory/facts/directory.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import { namesIn } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Evidence } from '../../../engine/check/violations.ts'
import { differenceOf } from '../../../engine/finding/shown-exchanges.ts'
import { BEYOND_SILENT_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { Inconclusive, unlessInconclusive } from '../../../engine/inconclusive.ts'
import { sample } from '../../../engine/property/sample.ts'
import { accuse } from '../accuse.ts'
import type { Try } from '../check.ts'

type Context = CheckContext<OneVersion>
type Names = ReadonlySet<string>

/** A list in pages, and the breeds whose lists show which of its names are unchanged. */
export interface Paged {
  readonly list: List
  readonly standIn: (breed: string, cats: readonly string[]) => readonly string[]
  /** The breeds to read; a sample of all if undefined. */
  readonly breeds?: readonly string[]
}

/** A name may be removed and another added meanwhile; further differences between consecutive readings are a defect. */
const MOST_CHANGES = 2
const ROWS = 3
/** The limit of breeds read, twice per burst, to find the unchanged names. */
const MOST_BREEDS = 60

export const torn = (): Inconclusive =>
  new Inconclusive(
    'drift',
    'the list changes while its pages are read: a name that moves from one page to another can be missed',
  )

const areSame = (one: Names, other: Names): boolean =>
  one.size === other.size && [...one].every((name) => other.has(name))

/** The unchanged names in the lists of breeds that come in one page, past the caches. */
async function standing(
  breeds: readonly string[],
  { standIn, breeds: named }: Paged,
  { target }: Context,
): Promise<Names> {
  const { directory, watch } = target
  const reader = await watch.fresh()
  const names = breeds.map(async (breed) => {
    const reading = await reader.read(directory.catsOf(breed))
    // A list of pages cut from different orders does not read the same twice.
    const isWhole = reading.kind === 'list' && (named !== undefined || reading.pages === 1)
    return isWhole ? standIn(breed, reading.names) : []
  })
  return new Set((await Promise.all(names)).flat())
}

interface Walk {
  readonly names: Names
  readonly pages: readonly Exchange[]
}

interface Missed {
  readonly name: string
  readonly evidence: Evidence
}

interface Row {
  /** The number of differences between consecutive readings. */
  readonly changes: number
  /** The names that were the same before and after; undefined if they changed. */
  readonly stood: Names | undefined
  /** An unchanged name that only some readings show. */
  readonly missed: Missed | undefined
}

function missedBy(walks: readonly Walk[], name: string): Missed | undefined {
  const [holding, lacking] = [walks.find(({ names }) => names.has(name)), walks.find(({ names }) => !names.has(name))]
  return holding && lacking && { name, evidence: differenceOf(lacking.pages, holding.pages, name) }
}

/** Counts the walks that showed other names than the previous walk. */
const changesIn = (walks: readonly Walk[]): number =>
  walks.filter(({ names }, nth) => !areSame(names, walks[nth - 1]?.names ?? names)).length

async function walkInARow(breeds: readonly string[], paged: Paged, context: Context): Promise<Row> {
  const { effort } = context.target
  const before = await standing(breeds, paged, context)
  const walks: Walk[] = []
  for (let nth = 0; nth < effort.walksThroughPages; nth++) {
    // Pages that are not cut from one order differ nearly every time.
    if (walks.length === effort.walksIfAlike && changesIn(walks) === 0) break
    const reader = context.fresh()
    const reading = await reader.read(paged.list).catch(unlessInconclusive(undefined))
    if (reading) walks.push({ names: new Set(namesIn(reading)), pages: reader.evidence(paged.list) })
  }
  const after = await standing(breeds, paged, context)
  const changes = changesIn(walks)
  const [missed] = [...before].flatMap((name) => missedBy(walks, name) ?? [])
  return { changes, stood: areSame(before, after) ? before : undefined, missed }
}

/**
 * Fails if readings of a list in pages keep missing names that the lists of breeds have, while the lists of breeds do
 * not change (T2.4).
 */
export async function staysWholeInPages(paged: Paged, context: Context): Promise<void> {
  const { read, seed, target } = context
  const breeds = paged.breeds ?? sample(await pathNames(target.directory.breeds, read), MOST_BREEDS, seed, String)
  const rows: Row[] = []
  const isTorn = () => rows.every(({ changes }) => changes > MOST_CHANGES)
  while (rows.length < ROWS && isTorn()) {
    if (rows.length > 0) await context.pause(BEYOND_SILENT_COPIES_MS)
    rows.push(await walkInARow(breeds, paged, context))
  }
  const [first] = rows
  const areStill = rows.every(({ stood }) => stood && first?.stood && areSame(stood, first.stood))
  if (isTorn() && areStill && first?.missed && rows.every(({ missed }) => missed))
    return accuse(paged.list, context, {
      expected: 'all pages together contain every name of the list',
      actual: `the pages together contain other names each time, and not always ${quoted(first.missed.name)}, although the lists of breeds do not change`,
      shownBy: [paged.list],
      evidence: first.missed.evidence,
    })
  await context.verify(async (readAgain) => {
    await readAgain(paged.list)
    if (isTorn()) throw torn()
  })
}

/** A search for a breed in pages that are cut from different orders. */
export const searchStaysWholeInPages: Try = async (context) => {
  const { read, readings, target } = context
  const { directory } = target
  const searched = new Set(readings.known().map(({ key }) => key))
  for (const breed of await pathNames(directory.breeds, read)) {
    const list = directory.search(breed)
    const reading = searched.has(list.key) ? await read(list) : undefined
    if (reading?.kind !== 'list' || reading.pages === 1) continue
    return staysWholeInPages({ list, breeds: [breed], standIn: (_, cats) => cats }, context)
  }
}

import { namesOfReading, requireListOrEmpty } from '../../../directory/readings/names.ts'
import { canBeSearched } from '../../../directory/shared/encodings.ts'
import { quoted } from '../../../directory/shared/text.ts'
import { WAIT_BEYOND_UNDECLARED_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import { Inconclusive } from '../../../engine/inconclusive.ts'
import type { CheckProbe, VersionContext } from '../check.ts'

/** The maximum number of new cats that are searched. */
const MAX_NEW_CATS = 6
/** The time after which a search must find a new cat: a search index may be rebuilt every few seconds. */
const SEARCH_INDEX_DELAY_MS = WAIT_BEYOND_UNDECLARED_COPIES_MS

/** Returns those of some cats that are listed but that a search for their name does not find, with caches bypassed. */
async function findCatsMissingInSearch(
  names: readonly string[],
  { target: { directory, changeMonitor } }: VersionContext,
): Promise<readonly string[]> {
  const { read } = await changeMonitor.createFreshReader()
  const listed = new Set(namesOfReading(await read(directory.cats)))
  const found = await Promise.all(
    names.map(async (name) => requireListOrEmpty(await read(directory.search(name)))?.has(name) ?? true),
  )
  return names.filter((name, nth) => listed.has(name) && !found[nth])
}

/**
 * Ends inconclusive if a cat was added during the run and searches still do not find it after a long wait. This is no
 * violation: a name is evidence only if it was listed from the start (T3.3).
 */
export const probeNewCatsInSearch: CheckProbe = async (context) => {
  const { directory, changeMonitor } = context.target
  const early = await changeMonitor.detectEarly()
  if (!early.hasListChanges && !(await changeMonitor.detectLate()).hasListChanges) return
  const known = new Set(namesOfReading(await context.read(directory.cats)))
  const now = namesOfReading(await (await changeMonitor.createFreshReader()).read(directory.cats))
  const newCats = now.filter((name) => !known.has(name) && canBeSearched(name)).slice(0, MAX_NEW_CATS)
  const missed = await findCatsMissingInSearch(newCats, context)
  if (missed.length === 0) return
  await context.pause(SEARCH_INDEX_DELAY_MS)
  const [name] = await findCatsMissingInSearch(missed, context)
  if (name === undefined) return
  const seconds = SEARCH_INDEX_DELAY_MS / 1000
  throw new Inconclusive(
    'drift',
    `${quoted(name)} was added during the run, but ${seconds} s later a search for the name still does not find this cat`,
  )
}

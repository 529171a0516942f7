import type { OneVersion } from '../../../directory/deployment.ts'
import { foundBy, namesIn } from '../../../directory/readings/names.ts'
import { canBeSearched } from '../../../directory/shared/encodings.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import { BEYOND_SILENT_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import { Inconclusive } from '../../../engine/inconclusive.ts'
import type { Try } from '../check.ts'

type Context = CheckContext<OneVersion>

const MOST_NEWCOMERS = 6
/** A search index may be rebuilt every few seconds. */
const INDEXED_AFTER_MS = BEYOND_SILENT_COPIES_MS

/** Cats that are listed and not found, past the caches. */
async function unfound(
  names: readonly string[],
  { target: { directory, watch } }: Context,
): Promise<readonly string[]> {
  const { read } = await watch.fresh()
  const listed = new Set(namesIn(await read(directory.cats)))
  const found = await Promise.all(
    names.map(async (name) => foundBy(await read(directory.search(name)))?.has(name) ?? true),
  )
  return names.filter((name, nth) => listed.has(name) && !found[nth])
}

/**
 * Ends inconclusive if search does not find a cat long after it was added during the run. It is no violation: a new cat
 * is no evidence (T3.3).
 */
export const findsNewcomers: Try = async (context) => {
  const { directory, watch } = context.target
  const early = await watch.early()
  if (!early.lists && !(await watch.late()).lists) return
  const known = new Set(namesIn(await context.read(directory.cats)))
  const now = namesIn(await (await watch.fresh()).read(directory.cats))
  const newcomers = now.filter((name) => !known.has(name) && canBeSearched(name)).slice(0, MOST_NEWCOMERS)
  const missed = await unfound(newcomers, context)
  if (missed.length === 0) return
  await context.pause(INDEXED_AFTER_MS)
  const [name] = await unfound(missed, context)
  if (name === undefined) return
  const seconds = INDEXED_AFTER_MS / 1000
  throw new Inconclusive('drift', `${quoted(name)} was added during the run, and ${seconds} s later no search finds it`)
}

import { livesOf } from '../../../directory/changes/state.ts'
import type { OneVersion } from '../../../directory/deployment.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import { broken } from '../../../engine/check/violations.ts'
import { BEYOND_SILENT_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import type { Try } from '../check.ts'

type Context = CheckContext<OneVersion>

/** Two cats that a cache may confuse: one of them gets the response of the other. */
interface Pair {
  readonly cat: string
  readonly other: string
}

const ROWS = 3
const MOST_CATS = 2
/** Cats that have equal counts by chance show nothing. */
const OTHERS = 2

/** The cats whose lives have changed; the first one if unlisted cats have counts. */
async function suspects({ target: { directory, watch }, read }: Context): Promise<readonly string[]> {
  const moved = [...(await watch.early()).cats, ...(await watch.late()).cats]
  if (moved.length > 0) return [...new Set(moved)].slice(0, MOST_CATS)
  const unknown = await read(directory.lives(directory.controlName()))
  return unknown.kind === 'count' ? (await pathNames(directory.cats, read)).slice(0, 1) : []
}

/** Some cats of the same breed first, because the key of the cache may be the breed. */
async function othersThan(cat: string, { target: { directory }, read }: Context): Promise<readonly string[]> {
  const breeds = await pathNames(directory.breeds, read)
  const lists = await Promise.all(breeds.map((breed) => pathNames(directory.catsOf(breed), read)))
  const ofBreed = (lists.find((names) => names.includes(cat)) ?? []).filter((name) => name !== cat)
  const names = (await pathNames(directory.cats, read)).filter((name) => name !== cat && !ofBreed.includes(name))
  return [...ofBreed.slice(0, OTHERS), ...names.slice(0, OTHERS)]
}

const count = async (cat: string, { target: { directory }, fresh }: Context): Promise<number | undefined> =>
  livesOf(await fresh().read(directory.lives(cat)))

/** The count after all copies have expired. */
async function countAlone(cat: string, context: Context): Promise<number | undefined> {
  await context.pause(BEYOND_SILENT_COPIES_MS)
  return count(cat, context)
}

/** The cats whose response equals that of the cat requested directly after them. */
async function alike(cat: string, others: readonly string[], context: Context): Promise<readonly string[]> {
  const same: string[] = []
  for (const other of others) {
    const said = await count(other, context)
    if (said !== undefined && said === (await count(cat, context))) same.push(other)
  }
  return same
}

/** Returns whether the cats have different counts alone, and equal ones in direct succession, each time. */
async function isTakenFor({ cat, other }: Pair, alone: number, context: Context): Promise<number | undefined> {
  const taken = await countAlone(other, context)
  if (taken === undefined || taken === alone || (await count(cat, context)) !== taken) return undefined
  for (let row = 1; row < ROWS; row++) {
    if ((await countAlone(cat, context)) !== alone) return undefined
    if ((await countAlone(other, context)) !== taken || (await count(cat, context)) !== taken) return undefined
  }
  return taken
}

/**
 * Fails if a cat gets the count of another cat each time that the other was requested directly before (T2.6), and its own
 * count when nothing was requested for longer than copies are kept.
 */
export const livesAreNotThoseOfAnother: Try = async (context) => {
  const { target, verify, isBroken } = context
  const { directory } = target
  for (const cat of isBroken() ? [] : await suspects(context)) {
    const others = await alike(cat, await othersThan(cat, context), context)
    const alone = others.length > 0 ? await countAlone(cat, context) : undefined
    if (alone === undefined) continue
    for (const other of others.slice(0, OTHERS)) {
      const taken = await isTakenFor({ cat, other }, alone, context)
      if (taken === undefined) continue
      const [lives, before] = [directory.lives(cat), directory.lives(other)]
      return verify(async (read) => {
        await read(before)
        await read(lives)
        broken({
          expected: `${alone} lives for ${quoted(cat)}, whatever was requested before`,
          actual: `right after a request for ${quoted(other)} (${taken} lives), the lives of ${quoted(cat)} are ${taken} instead of ${alone} (${ROWS} of ${ROWS} tries)`,
          shownBy: [before, lives],
          about: [cat],
          isWrongByItself: true,
        })
      })
    }
  }
}

import { livesCountOf } from '../../../directory/changes/directory-state.ts'
import { readPathNames } from '../../../directory/inputs/listed-names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import { reportViolation } from '../../../engine/check/violations.ts'
import { AFTER_UNDECLARED_COPIES_MS } from '../../../engine/history/fewest-changes.ts'
import type { CheckProbe, VersionContext } from '../check.ts'

/** Two cats that a cache may confuse: one of them gets the response of the other. */
interface CatPair {
  readonly cat: string
  readonly other: string
}

const BURSTS = 3
const MAX_CATS = 2
/** Cats that have equal counts by chance show nothing. */
const OTHER_CATS = 2

/** The cats whose lives have changed; the first one if unlisted cats have counts. */
async function findSuspectedCats({
  target: { directory, changeMonitor },
  read,
}: VersionContext): Promise<readonly string[]> {
  const moved = [
    ...(await changeMonitor.detectEarly()).catsWithChangedLives,
    ...(await changeMonitor.detectLate()).catsWithChangedLives,
  ]
  if (moved.length > 0) return [...new Set(moved)].slice(0, MAX_CATS)
  const unknown = await read(directory.lives(directory.controlName()))
  return unknown.kind === 'count' ? (await readPathNames(directory.cats, read)).slice(0, 1) : []
}

/** Some cats of the same breed first, because the key of the cache may be the breed. */
async function selectOtherCats(
  cat: string,
  { target: { directory }, read }: VersionContext,
): Promise<readonly string[]> {
  const breeds = await readPathNames(directory.breeds, read)
  const lists = await Promise.all(breeds.map((breed) => readPathNames(directory.catsOf(breed), read)))
  const ofBreed = (lists.find((names) => names.includes(cat)) ?? []).filter((name) => name !== cat)
  const names = (await readPathNames(directory.cats, read)).filter((name) => name !== cat && !ofBreed.includes(name))
  return [...ofBreed.slice(0, OTHER_CATS), ...names.slice(0, OTHER_CATS)]
}

const readCount = async (
  cat: string,
  { target: { directory }, createFreshReader }: VersionContext,
): Promise<number | undefined> => livesCountOf(await createFreshReader().read(directory.lives(cat)))

/** The count after all copies have expired. */
async function readCountAlone(cat: string, context: VersionContext): Promise<number | undefined> {
  await context.pause(AFTER_UNDECLARED_COPIES_MS)
  return readCount(cat, context)
}

/** The cats whose response equals that of the cat requested directly after them. */
async function findCatsWithEqualCounts(
  cat: string,
  others: readonly string[],
  context: VersionContext,
): Promise<readonly string[]> {
  const same: string[] = []
  for (const other of others) {
    const said = await readCount(other, context)
    if (said !== undefined && said === (await readCount(cat, context))) same.push(other)
  }
  return same
}

/** Returns whether the cats have different counts alone, and equal ones in direct succession, each time. */
async function findConfusedCount(
  { cat, other }: CatPair,
  alone: number,
  context: VersionContext,
): Promise<number | undefined> {
  const taken = await readCountAlone(other, context)
  if (taken === undefined || taken === alone || (await readCount(cat, context)) !== taken) return undefined
  for (let row = 1; row < BURSTS; row++) {
    if ((await readCountAlone(cat, context)) !== alone) return undefined
    if ((await readCountAlone(other, context)) !== taken || (await readCount(cat, context)) !== taken) return undefined
  }
  return taken
}

/**
 * Fails if a cat gets the count of another cat each time that the other was requested directly before (T2.6), and its own
 * count when nothing was requested for longer than copies are kept.
 */
export const probeConfusedCats: CheckProbe = async (context) => {
  const { target, verify, hasViolation } = context
  const { directory } = target
  for (const cat of hasViolation() ? [] : await findSuspectedCats(context)) {
    const others = await findCatsWithEqualCounts(cat, await selectOtherCats(cat, context), context)
    const alone = others.length > 0 ? await readCountAlone(cat, context) : undefined
    if (alone === undefined) continue
    for (const other of others.slice(0, OTHER_CATS)) {
      const taken = await findConfusedCount({ cat, other }, alone, context)
      if (taken === undefined) continue
      const [lives, before] = [directory.lives(cat), directory.lives(other)]
      return verify(async (read) => {
        await read(before)
        await read(lives)
        reportViolation({
          expected: `${alone} lives for ${quoted(cat)}, whatever was requested before`,
          actual: `right after a request for ${quoted(other)} (${taken} lives), the lives of ${quoted(cat)} are ${taken} instead of ${alone} (${BURSTS} of ${BURSTS} tries)`,
          shownBy: [before, lives],
          namesAtFault: [cat],
          isWrongByItself: true,
        })
      })
    }
  }
}

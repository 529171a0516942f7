import { unlessInconclusive } from '../../engine/inconclusive.ts'
import { type Asker, createFreshReader } from '../../engine/judging/readers.ts'
import { namesIn } from '../../vocabulary/reading/names.ts'
import type { Live } from './pair.ts'

/** The lists of all cats as they are now, each as one text; empty where none is answered. */
const listsOf = (lives: readonly Live[], askerOf: (live: Live) => Asker): Promise<readonly string[]> =>
  Promise.all(
    lives.flatMap((live) =>
      live.deployment.directories.map(async ({ cats }) => {
        const names = namesIn(await createFreshReader(askerOf(live)).read(cats))
        return names.length === 0 ? '' : JSON.stringify(names.toSorted())
      }),
    ),
  )

/**
 * Reads what is listed, now.
 * @returns whether anything is listed otherwise, or past the caches, when that is asked
 */
export async function watchMotion(lives: readonly Live[]): Promise<() => Promise<boolean>> {
  // What cannot be asked does not stand still either.
  const first = await listsOf(lives, ({ session }) => session.ask).catch(unlessInconclusive(undefined))
  const isSame = (now: readonly string[]) => now.every((list, at) => list === '' || list === first?.[at])
  return async () =>
    first === undefined ||
    !isSame(await listsOf(lives, ({ session }) => session.ask)) ||
    !isSame(await listsOf(lives, ({ session }) => session.askPastCaches))
}

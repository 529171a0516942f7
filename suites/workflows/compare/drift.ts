import { namesOfReading } from '../../directory/readings/names.ts'
import { createFreshReader, type SendRequest } from '../../engine/check/readers.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import type { LiveDeployment } from './side-pair.ts'

interface ReadList {
  /** Empty if no response arrives. */
  readonly text: string
  readonly pages: number
}

/** Reads the current lists of all cats. */
const readLists = (
  lives: readonly LiveDeployment[],
  askerOf: (live: LiveDeployment) => SendRequest,
): Promise<readonly ReadList[]> =>
  Promise.all(
    lives.flatMap((live) =>
      live.deployment.directories.map(async ({ cats }) => {
        const list = await createFreshReader(askerOf(live)).read(cats)
        const breedOf = (name: string) => (list.kind === 'list' ? list.breedOf.get(name) : undefined)
        const shown = namesOfReading(list)
          .toSorted()
          .map((name) => [name, breedOf(name)])
        return {
          text: shown.length === 0 ? '' : JSON.stringify(shown),
          pages: list.kind === 'list' ? list.pages : 1,
        }
      }),
    ),
  )

/** Frequent enough to notice changes several times a second, without a long wait. */
const [LOOKS, BETWEEN_LOOKS_MS] = [5, 400]
/** Reading a list of more pages takes so long that two readings, of which one is past the caches, notice as much. */
const [LOOKS_AT_LONG_LISTS, LONG_LIST_PAGES] = [1, 20]

/**
 * Reads the lists, to find out later whether they have changed.
 * @param pause waits for this many milliseconds
 * @returns a function that polls the lists a few times, also past the caches, and returns whether one has changed
 */
export async function watchListChanges(
  lives: readonly LiveDeployment[],
  pause: (ms: number) => Promise<void>,
): Promise<() => Promise<boolean>> {
  // A list that cannot be read counts as changed.
  const first = await readLists(lives, ({ session }) => session.send).catch(resolveInconclusiveTo(undefined))
  const looks = first?.some(({ pages }) => pages > LONG_LIST_PAGES) ? LOOKS_AT_LONG_LISTS : LOOKS
  const isSame = (now: readonly ReadList[]) => now.every(({ text }, at) => text === '' || text === first?.[at]?.text)
  const hasMoved = async () =>
    first === undefined ||
    !isSame(await readLists(lives, ({ session }) => session.send)) ||
    !isSame(await readLists(lives, ({ session }) => session.sendPastCaches))
  return async () => {
    for (let reading = 1; reading < looks; reading++) {
      if (await hasMoved()) return true
      await pause(BETWEEN_LOOKS_MS)
    }
    return hasMoved()
  }
}

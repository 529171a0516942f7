import { namesOfReading } from '../../directory/readings/names.ts'
import { createFreshReader, type SendRequest } from '../../engine/check/readers.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import type { LiveDeployment } from './side-pair.ts'

interface ReadList {
  /** The names and breeds as text; empty if no response arrives. */
  readonly text: string
  readonly pages: number
}

/** Reads the list of all cats of each side and version. */
const readLists = (
  lives: readonly LiveDeployment[],
  senderOf: (live: LiveDeployment) => SendRequest,
): Promise<readonly ReadList[]> =>
  Promise.all(
    lives.flatMap((live) =>
      live.deployment.directories.map(async ({ cats }) => {
        const list = await createFreshReader(senderOf(live)).read(cats)
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

/**
 * The number of readings and the interval between them. They notice changes that recur several times a second, without
 * a long wait.
 */
const [READINGS, READING_INTERVAL_MS] = [5, 400]
/**
 * The number of readings if a list has more than this many pages. Reading such a list twice, once with caches bypassed,
 * takes so long that it notices as many changes.
 */
const [READINGS_OF_LONG_LISTS, LONG_LIST_PAGES] = [1, 20]

/**
 * Reads the lists of both sides, to detect later whether one has changed.
 * @param pause waits for this many milliseconds
 * @returns a function that reads the lists again a few times, also with caches bypassed, and returns whether one has
 * changed
 */
export async function createListChangeDetector(
  lives: readonly LiveDeployment[],
  pause: (ms: number) => Promise<void>,
): Promise<() => Promise<boolean>> {
  // A list that cannot be read counts as changed.
  const first = await readLists(lives, ({ session }) => session.send).catch(resolveInconclusiveTo(undefined))
  const readings = first?.some(({ pages }) => pages > LONG_LIST_PAGES) ? READINGS_OF_LONG_LISTS : READINGS
  const isSame = (now: readonly ReadList[]) => now.every(({ text }, at) => text === '' || text === first?.[at]?.text)
  const hasChanged = async () =>
    first === undefined ||
    !isSame(await readLists(lives, ({ session }) => session.send)) ||
    !isSame(await readLists(lives, ({ session }) => session.sendPastCaches))
  return async () => {
    for (let reading = 1; reading < readings; reading++) {
      if (await hasChanged()) return true
      await pause(READING_INTERVAL_MS)
    }
    return hasChanged()
  }
}

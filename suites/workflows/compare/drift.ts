import { namesOfReading } from '../../directory/readings/names.ts'
import { createFreshReader, type SendRequest } from '../../engine/check/readers.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import type { LiveDeployment } from './side-pair.ts'

interface ReadList {
  /** The listed names with their breeds, as JSON; empty if the list could not be read. */
  readonly text: string
  readonly pages: number
}

/** Reads the list of all cats from each deployment, in each version. */
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
 * The number of times that the lists are read again, and the interval in ms. Enough to notice names that disappear and
 * come back several times a second.
 */
const [READINGS, READING_INTERVAL_MS] = [5, 400]
/**
 * The number of times that long lists are read again, and the number of pages above which a list is long. One reading
 * of so many pages takes long enough to notice changes.
 */
const [READINGS_OF_LONG_LISTS, LONG_LIST_PAGES] = [1, 20]

/**
 * Reads the lists of both deployments. Creates a function that detects later whether these lists have changed.
 * @param pause waits for a time in ms
 * @returns a function that reads the lists again several times, also with caches bypassed, and returns whether a list
 * has changed
 */
export async function createListChangeDetector(
  lives: readonly LiveDeployment[],
  pause: (ms: number) => Promise<void>,
): Promise<() => Promise<boolean>> {
  // If the first reading fails, the lists count as changed.
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

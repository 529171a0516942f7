import { namesOfReading } from '../../directory/readings/names.ts'
import { createFreshReader, type SendRequest } from '../../engine/check/readers.ts'
import { replaceInconclusive } from '../../engine/inconclusive.ts'
import type { LiveDeployment } from './side-pair.ts'

/** Reads the current lists of all cats, each as one text; empty if no response arrives. */
const readLists = (
  lives: readonly LiveDeployment[],
  askerOf: (live: LiveDeployment) => SendRequest,
): Promise<readonly string[]> =>
  Promise.all(
    lives.flatMap((live) =>
      live.deployment.directories.map(async ({ cats }) => {
        const list = await createFreshReader(askerOf(live)).read(cats)
        const breedOf = (name: string) => (list.kind === 'list' ? list.breedOf.get(name) : undefined)
        const shown = namesOfReading(list)
          .toSorted()
          .map((name) => [name, breedOf(name)])
        return shown.length === 0 ? '' : JSON.stringify(shown)
      }),
    ),
  )

/** Frequent enough to notice changes several times a second, without a long wait. */
const [LOOKS, BETWEEN_LOOKS_MS] = [5, 400]

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
  const first = await readLists(lives, ({ session }) => session.send).catch(replaceInconclusive(undefined))
  const isSame = (now: readonly string[]) => now.every((list, at) => list === '' || list === first?.[at])
  const hasMoved = async () =>
    first === undefined ||
    !isSame(await readLists(lives, ({ session }) => session.send)) ||
    !isSame(await readLists(lives, ({ session }) => session.sendPastCaches))
  return async () => {
    for (let reading = 1; reading < LOOKS; reading++) {
      if (await hasMoved()) return true
      await pause(BETWEEN_LOOKS_MS)
    }
    return hasMoved()
  }
}

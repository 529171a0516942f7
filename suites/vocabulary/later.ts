import type { Reader } from '../engine/judging/readers.ts'
import { createDeployment, type Deployment, type DeploymentOptions } from './deployment.ts'
import { namesIn } from './reading/names.ts'

/** Larger lists are not read once more. */
const MOST_CATS = 20_000

/** In a list of a version. */
async function mostCats({ judged }: Deployment, { read }: Reader): Promise<number> {
  return Math.max(...(await Promise.all(judged.map(async ({ cats }) => namesIn(await read(cats)).length))))
}

/**
 * The deployment on readings of its end, where lists were seen to move.
 * @param first on the run's first readings
 * @returns undefined where no list was seen to move; nothing is asked to tell
 */
export async function createLater(
  options: DeploymentOptions,
  { target: first, readings }: { readonly target: Deployment; readonly readings: Reader },
): Promise<Deployment | undefined> {
  const [moved] = first.listsMovedSoFar()
  if (moved === undefined && !first.watch.sawAnyMove()) return undefined
  if ((await mostCats(first, readings)) > MOST_CATS) return undefined
  const later = createDeployment({ ...options, firstReadings: readings })
  return {
    ...later,
    async lookForMotion(since) {
      const motion = await later.lookForMotion(since)
      return { ...motion, moved: motion.moved ?? first.movedSoFar() ?? 'what is listed' }
    },
  }
}

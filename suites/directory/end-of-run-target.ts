import type { Reader } from '../engine/check/readers.ts'
import { createDeployment, type Deployment, type DeploymentOptions } from './deployment.ts'
import type { Directory } from './facts/directory.ts'
import { isShape, NOTHING_PINNED, type Pinned } from './facts/inferred-shapes.ts'
import { namesIn } from './readings/names.ts'

/** Larger lists are not read again. */
const MOST_CATS = 20_000

/** The greatest number of cats in a version. */
async function mostCats({ judged }: Deployment, { read }: Reader): Promise<number> {
  return Math.max(...(await Promise.all(judged.map(async ({ cats }) => namesIn(await read(cats)).length))))
}

/** Keeps the shapes that were found first (R3.4): at the end of a run there may be nothing left to find them by. */
async function toldAtFirst({ shapes }: Directory): Promise<Pinned['shapes']> {
  const told = await Promise.all(
    Object.entries(shapes).map(async ([of, tell]) => ({ of, shape: isShape(await tell()) })),
  )
  // Breeds in elements are inferred again: ids may have changed.
  return Object.fromEntries(
    told.flatMap(({ of, shape }) => (shape ? [[of, { list: shape.list, name: shape.name }]] : [])),
  )
}

/**
 * Creates the deployment with new readings at the end of the run, if lists have changed.
 * @param first the deployment of the first readings
 * @returns undefined if no list has changed; sends no request to find out
 */
export async function createLater(
  options: DeploymentOptions,
  { target: first, readings }: { readonly target: Deployment; readonly readings: Reader },
): Promise<Deployment | undefined> {
  const [moved] = first.listsMovedSoFar()
  if (moved === undefined && !first.watch.sawAnyMove()) return undefined
  if ((await mostCats(first, readings)) > MOST_CATS) return undefined
  const told = new Map<string, Pinned['shapes']>(
    await Promise.all(first.judged.map(async (one) => [one.version, await toldAtFirst(one)] as const)),
  )
  const pinnedIn = (version: string): Pinned => {
    const pinned = options.pinnedIn?.(version) ?? NOTHING_PINNED
    return { ...pinned, shapes: { ...told.get(version), ...pinned.shapes } }
  }
  const later = createDeployment({ ...options, pinnedIn, firstReadings: readings })
  return {
    ...later,
    async lookForMotion(since) {
      const motion = await later.lookForMotion(since)
      return { ...motion, moved: motion.moved ?? first.movedSoFar() ?? 'what is listed' }
    },
  }
}

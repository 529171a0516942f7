import type { Reader } from '../engine/check/readers.ts'
import { createDeployment, type Deployment, type DeploymentOptions } from './deployment.ts'
import type { Directory } from './facts/directory.ts'
import { asReadableShape, NO_PINS, type PinnedPlaces } from './facts/inferred-shapes.ts'
import { namesOfReading } from './readings/names.ts'

/** Larger lists are not read again. */
const MAX_CATS_REREAD = 20_000

/** The greatest number of cats in a version. */
async function countCatsOfLargestVersion({ judgedDirectories }: Deployment, { read }: Reader): Promise<number> {
  return Math.max(
    ...(await Promise.all(judgedDirectories.map(async ({ cats }) => namesOfReading(await read(cats)).length))),
  )
}

/** Keeps the shapes that were found first (R3.4): at the end of a run there may be nothing left to find them by. */
async function initialShapes({ shapes }: Directory): Promise<PinnedPlaces['shapes']> {
  const inferredShapes = await Promise.all(
    Object.entries(shapes).map(async ([of, tell]) => ({ of, shape: asReadableShape(await tell()) })),
  )
  // Breeds in elements are inferred again: ids may have changed.
  return Object.fromEntries(
    inferredShapes.flatMap(({ of, shape }) => (shape ? [[of, { list: shape.list, name: shape.name }]] : [])),
  )
}

/**
 * Creates the deployment with new readings at the end of the run, if lists have changed.
 * @param first the deployment of the first readings
 * @returns undefined if no list has changed; sends no request to find out
 */
export async function createEndOfRunTarget(
  options: DeploymentOptions,
  { target: first, readings }: { readonly target: Deployment; readonly readings: Reader },
): Promise<Deployment | undefined> {
  const [moved] = first.changedListsSoFar()
  if (moved === undefined && !first.changeMonitor.hasAnyListChanged()) return undefined
  if ((await countCatsOfLargestVersion(first, readings)) > MAX_CATS_REREAD) return undefined
  const shapesAtStart = new Map<string, PinnedPlaces['shapes']>(
    await Promise.all(first.judgedDirectories.map(async (one) => [one.version, await initialShapes(one)] as const)),
  )
  const pinnedIn = (version: string): PinnedPlaces => {
    const pinned = options.pinsOfVersion?.(version) ?? NO_PINS
    return { ...pinned, shapes: { ...shapesAtStart.get(version), ...pinned.shapes } }
  }
  const later = createDeployment({ ...options, pinsOfVersion: pinnedIn, firstReadings: readings })
  return {
    ...later,
    async detectDrift(since) {
      const motion = await later.detectDrift(since)
      return { ...motion, change: motion.change ?? first.describeChangesSoFar() ?? 'what is listed' }
    },
  }
}

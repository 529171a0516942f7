import type { Reader } from '../engine/check/readers.ts'
import { createDeployment, type Deployment, type DeploymentOptions } from './deployment.ts'
import type { Directory } from './facts/directory.ts'
import { asReadableShape, NO_PINS, type PinnedPlaces } from './facts/inferred-shapes.ts'
import { haveListsVaried } from './facts/reading-contents.ts'
import { namesOfReading } from './readings/names.ts'

/** Directories with more cats are not read again at the end of the run. */
const MAX_CATS_REREAD = 20_000

async function countCatsOfLargestVersion({ judgedDirectories }: Deployment, { read }: Reader): Promise<number> {
  return Math.max(
    ...(await Promise.all(judgedDirectories.map(async ({ cats }) => namesOfReading(await read(cats)).length))),
  )
}

/**
 * Returns the shapes that were inferred at the start (R3.4): at the end of a run, the lists may be too empty to infer
 * them.
 */
async function initialShapes({ shapes }: Directory): Promise<PinnedPlaces['shapes']> {
  const inferredShapes = await Promise.all(
    Object.entries(shapes).map(async ([of, inferShape]) => ({ of, shape: asReadableShape(await inferShape()) })),
  )
  // The places of breeds are inferred again, because ids may have changed.
  return Object.fromEntries(
    inferredShapes.flatMap(({ of, shape }) => (shape ? [[of, { list: shape.list, name: shape.name }]] : [])),
  )
}

/**
 * Creates the deployment with new readings for the end of the run.
 * @param first the deployment with the readings from the start
 * @returns undefined if no list has changed, as far as earlier requests show
 */
export async function createEndOfRunTarget(
  options: DeploymentOptions,
  { target: first, readings }: { readonly target: Deployment; readonly readings: Reader },
): Promise<Deployment | undefined> {
  if (!haveListsVaried(first.history)) return undefined
  if ((await countCatsOfLargestVersion(first, readings)) > MAX_CATS_REREAD) return undefined
  const shapesAtStart = new Map<string, PinnedPlaces['shapes']>(
    await Promise.all(first.judgedDirectories.map(async (one) => [one.version, await initialShapes(one)] as const)),
  )
  const pinnedIn = (version: string): PinnedPlaces => {
    const pinned = options.pinsOfVersion?.(version) ?? NO_PINS
    return { ...pinned, shapes: { ...shapesAtStart.get(version), ...pinned.shapes } }
  }
  const later = createDeployment({
    ...options,
    pinsOfVersion: pinnedIn,
    firstReadings: readings,
    history: first.history,
  })
  return {
    ...later,
    async detectDrift(since, isProvisional) {
      const drift = await later.detectDrift(since, isProvisional)
      return { ...drift, change: drift.change ?? first.describeChangesSoFar() ?? 'what is listed' }
    },
  }
}

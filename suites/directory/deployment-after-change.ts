import type { Reader } from '../engine/check/readers.ts'
import { createDeployment, type Deployment, type DeploymentOptions } from './deployment.ts'
import type { Directory } from './facts/directory.ts'
import { NO_PINS, type PinnedPlaces } from './facts/inferred-shapes.ts'
import { haveListsVaried } from './facts/reading-contents.ts'
import { namesOfReading } from './readings/names.ts'
import { readableShapeOf } from './shapes/whole-list-shape.ts'

/** If there are more cats than this, the lists are not read again at the end of the run. */
const MAX_CATS_REREAD = 20_000

async function countCatsOfLargestVersion({ judgedDirectories }: Deployment, { read }: Reader): Promise<number> {
  return Math.max(
    ...(await Promise.all(judgedDirectories.map(async ({ cats }) => namesOfReading(await read(cats)).length))),
  )
}

/**
 * Returns the places of lists and names that were found at the start of a run. At its end, too few cats may be left to
 * find the places again.
 */
async function collectInitialShapes({ shapes }: Directory): Promise<PinnedPlaces['shapes']> {
  const inferredShapes = await Promise.all(
    Object.entries(shapes).map(async ([of, inferShape]) => ({ of, shape: readableShapeOf(await inferShape()) })),
  )
  // Returns only the places of list and name. The ids of breeds may have changed, so their places are inferred again.
  return Object.fromEntries(
    inferredShapes.flatMap(({ of, shape }) => (shape ? [[of, { list: shape.list, name: shape.name }]] : [])),
  )
}

/**
 * Creates a deployment that reads the lists again at the end of the run. Returns undefined if the lists have not
 * changed, if a known side effect explains their changes, or if there are too many cats to read them again.
 */
export async function createDeploymentAfterChange(
  options: DeploymentOptions,
  first: Deployment,
  firstReadings: Reader,
): Promise<Deployment | undefined> {
  if (!haveListsVaried(first.history) || first.changeMonitor.isExplained('lists')) return undefined
  if ((await countCatsOfLargestVersion(first, firstReadings)) > MAX_CATS_REREAD) return undefined
  const shapesAtStart = new Map<string, PinnedPlaces['shapes']>(
    await Promise.all(
      first.judgedDirectories.map(async (one) => [one.version, await collectInitialShapes(one)] as const),
    ),
  )
  const pinsOfVersion = (version: string): PinnedPlaces => {
    const pinned = options.pinsOfVersion?.(version) ?? NO_PINS
    return { ...pinned, shapes: { ...shapesAtStart.get(version), ...pinned.shapes } }
  }
  const later = createDeployment({ ...options, pinsOfVersion, firstReadings, history: first.history })
  return {
    ...later,
    async detectDrift(since, isRevisable) {
      const drift = await later.detectDrift(since, isRevisable)
      return { ...drift, change: drift.change ?? first.describeChangesSoFar() ?? 'what is listed' }
    },
  }
}

import { versions } from '../../fixtures/contract/operations.ts'
import type { LookForMotion } from '../engine/check/drift.ts'
import type { Asker, Read, Reader, Subject } from '../engine/check/readers.ts'
import type { Scope } from '../engine/check/verdict.ts'
import type { Clock } from '../engine/clock.ts'
import { unlessInconclusive } from '../engine/inconclusive.ts'
import { createMotionWatch } from './changes/motion.ts'
import { createNewParameter } from './changes/new-parameter.ts'
import { createWatch, type Watch } from './changes/watch.ts'
import { createDirectory, type Directory } from './facts/directory.ts'
import type { Pinned } from './facts/inferred-shapes.ts'
import type { Alterations } from './inputs/alterations.ts'
import type { Leniencies } from './matching/allowances.ts'
import type { ListReading } from './readings/list-reading.ts'
import type { ControlNames } from './shared/control-names.ts'
import type { Effort } from './shared/effort.ts'
import { versionsWith } from './shared/versions.ts'

/** All versions, and everything that the checks share. */
export interface Deployment {
  /** Creates a value that no URL of this run had before. */
  newValue(): string
  readonly directories: readonly Directory[]
  /** The versions that are judged. */
  readonly judged: readonly Directory[]
  /** The version in which lives can be read. */
  readonly withLives: Directory
  /** Reports whether the listed data has changed, early in the run and at its end. */
  readonly watch: Watch
  /** Detects changes; called if something looks like a violation. */
  readonly lookForMotion: LookForMotion
  /** The changes observed so far, in words, without a request. */
  movedSoFar(): string | undefined
  /** The lists that have changed so far, without a request. */
  listsMovedSoFar(): readonly Subject<ListReading>[]
  /** Returns the number of requests for a reading: more than one if it is redirected or comes in pages. */
  requestsFor(subject: Subject<unknown>): Promise<number>
  readonly effort: Effort
  /** Determines everything drawn at random. */
  readonly seed: number
  /** The user's own strings, tested before all others. */
  readonly strings: readonly string[]
  /** Reasons for which a deviation is not a violation. */
  readonly excuses: Leniencies
  /** Strings made from listed names, tested beside them. */
  readonly alterations: Alterations
}

/** The target of a check of one version. */
export interface OneVersion extends Deployment {
  /** Names to leave out, because a prerequisite failed for them only. */
  spoilt(): ReadonlySet<string>
  /** Reads what is only shown to people; never a premise. */
  readonly glance: Read
  /** The version that is judged. */
  readonly directory: Directory
}

/** The target of a comparison. */
export interface TwoVersions extends Deployment {
  readonly older: Directory
  readonly newer: Directory
}

/** @throws {Error} if the contract has no such version: a defect of this suite */
function versionOf(directories: readonly Directory[], version: string | undefined): Directory {
  const directory = directories.find((one) => one.version === version)
  if (!directory) throw new Error(`the contract has no version ${version}`)
  return directory
}

export const oneVersion = (
  deployment: Deployment,
  scope: Scope,
  { spoilt = () => new Set(), glance }: Pick<OneVersion, 'glance'> & Partial<Pick<OneVersion, 'spoilt'>>,
): OneVersion => ({
  ...deployment,
  spoilt,
  glance,
  directory: versionOf(deployment.directories, scope),
})

export function twoVersions(deployment: Deployment, scope: Scope): TwoVersions {
  const [older, newer] = scope.split('+')
  const { directories } = deployment
  return { ...deployment, older: versionOf(directories, older), newer: versionOf(directories, newer) }
}

/** The options of a deployment. */
export interface DeploymentOptions {
  /** Sends each request once: for the requests that infer the shapes. */
  readonly recall: Asker
  /** Always sends the request. */
  readonly ask: Asker
  /** Always sends the request, past the caches. */
  readonly askPastCaches: Asker
  pause(ms: number): Promise<void>
  readonly clock: Pick<Clock, 'now'>
  newValue(): string
  /** Unlisted names made up by the suite as controls. */
  readonly controlNames: ControlNames
  readonly readings: Reader
  /** The first readings of the run, if `readings` are later ones. */
  readonly firstReadings?: Reader
  readonly effort: Effort
  readonly seed: number
  readonly strings: readonly string[]
  readonly excuses: Leniencies
  readonly alterations: Alterations
  /** The pinned places of a version. */
  readonly pinnedIn?: (version: string) => Pinned
  /** The versions that are judged, and so are watched. */
  readonly judged: readonly string[]
}

async function requestsFor(subject: Subject<unknown>, readings: Reader): Promise<number> {
  await readings.read(subject).catch(unlessInconclusive(undefined))
  const requests = readings.evidence(subject).map(({ redirectedFrom }) => 1 + redirectedFrom.length)
  return Math.max(
    1,
    requests.reduce((sum, count) => sum + count, 0),
  )
}

/** Creates the deployment as the checks see it. */
export function createDeployment(options: DeploymentOptions): Deployment {
  const { recall, effort, seed, strings, excuses, alterations, judged, pinnedIn, controlNames } = options
  const inVersion = versionsWith('getLivesLeft').findLast((version) => judged.includes(version))
  const directories = versions.map((version) =>
    createDirectory({ version, recall, effort, pinned: pinnedIn?.(version), withLives: inVersion, controlNames }),
  )
  const watched = directories.filter(({ version }) => judged.includes(version))
  const withLives = versionOf(directories, versionsWith('getLivesLeft').at(-1))
  const tellNewParameter = createNewParameter({ ...options, watched })
  const whereLives = watched.includes(withLives) ? withLives : undefined
  const watching = { ...options, watched, whereLives, tellNewParameter }
  return {
    newValue: options.newValue,
    directories,
    judged: watched,
    withLives,
    requestsFor: (subject) => requestsFor(subject, options.readings),
    effort,
    seed,
    strings,
    excuses,
    alterations,
    watch: createWatch(watching),
    ...createMotionWatch(watching),
  }
}

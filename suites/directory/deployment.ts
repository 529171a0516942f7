import { versions } from '../../fixtures/contract/operations.ts'
import type { DriftDetection } from '../engine/check/drift.ts'
import type { Read, Reader, Resource, SendRequest } from '../engine/check/readers.ts'
import type { Scope } from '../engine/check/verdict.ts'
import type { Clock } from '../engine/clock.ts'
import { ReadingHistory } from '../engine/history/reading-history.ts'
import { resolveInconclusiveTo } from '../engine/inconclusive.ts'
import { type ChangeMonitor, createChangeMonitor } from './changes/change-monitor.ts'
import { createDriftDetector } from './changes/drift-detector.ts'
import { createParameterEffectDetector } from './changes/parameter-effect.ts'
import { createDirectory, type Directory } from './facts/directory.ts'
import type { PinnedPlaces } from './facts/inferred-shapes.ts'
import type { DirectoryHistory } from './facts/reading-contents.ts'
import type { Alterations } from './inputs/alterations.ts'
import type { Allowances } from './matching/allowances.ts'
import type { ControlNameFactory } from './shared/control-names.ts'
import type { Effort } from './shared/effort.ts'
import { versionsWithOperation } from './shared/versions.ts'

/** The deployment under test: its versions, and everything that the checks share. */
export interface Deployment {
  /** Creates a value that no earlier URL of this run contains. */
  createUniqueValue(): string
  readonly directories: readonly Directory[]
  /** The versions under test. */
  readonly judgedDirectories: readonly Directory[]
  /** The version in which lives can be read. */
  readonly livesDirectory: Directory
  /** Reports whether the listed data has changed, early in the run and at its end. */
  readonly changeMonitor: ChangeMonitor
  /** Detects changes; called if something looks like a violation. */
  readonly detectDrift: DriftDetection
  /** Describes the first change detected so far, without a request; undefined if there is none. */
  describeChangesSoFar(): string | undefined
  /** All readings of lists and lives so far. */
  readonly history: DirectoryHistory
  /** Returns the number of requests for a reading: more than one if it is redirected or comes in pages. */
  countRequests(resource: Resource<unknown>): Promise<number>
  readonly effort: Effort
  /** The seed of everything that is drawn at random. */
  readonly seed: number
  /** The user's own strings, tested before all others. */
  readonly strings: readonly string[]
  /** The deviations that checks tolerate. */
  readonly allowances: Allowances
  /** Functions that make test strings from listed names. */
  readonly alterations: Alterations
}

/** The target of a check of one version. */
export interface VersionTarget extends Deployment {
  /** Names to skip, because a prerequisite failed for them alone. */
  skippedInputs(): ReadonlySet<string>
  /** Reads what is only displayed, and never decides a verdict. */
  readonly readForDisplay: Read
  /** The version under test. */
  readonly directory: Directory
}

/** The target of a check that compares two versions. */
export interface VersionPairTarget extends Deployment {
  readonly older: Directory
  readonly newer: Directory
}

/** @throws {Error} if the contract has no such version: a defect of this suite */
function findDirectory(directories: readonly Directory[], version: string | undefined): Directory {
  const directory = directories.find((one) => one.version === version)
  if (!directory) throw new Error(`the contract has no version ${version}`)
  return directory
}

export const createVersionTarget = (
  deployment: Deployment,
  scope: Scope,
  {
    skippedInputs = () => new Set(),
    readForDisplay,
  }: Pick<VersionTarget, 'readForDisplay'> & Partial<Pick<VersionTarget, 'skippedInputs'>>,
): VersionTarget => ({
  ...deployment,
  skippedInputs,
  readForDisplay,
  directory: findDirectory(deployment.directories, scope),
})

export function createVersionPairTarget(deployment: Deployment, scope: Scope): VersionPairTarget {
  const [older, newer] = scope.split('+')
  const { directories } = deployment
  return { ...deployment, older: findDirectory(directories, older), newer: findDirectory(directories, newer) }
}

export interface DeploymentOptions {
  /** Sends each request once per run, and returns the same response for it later. Used to infer the shapes. */
  readonly sendOnce: SendRequest
  /** Sends a request even if the run already has its response. */
  readonly send: SendRequest
  /** Sends a request with a unique query parameter, to bypass caches of the deployment. */
  readonly sendPastCaches: SendRequest
  pause(ms: number): Promise<void>
  readonly clock: Pick<Clock, 'now'>
  createUniqueValue(): string
  /** Creates names that nothing in the deployment has. */
  readonly controlNames: ControlNameFactory
  readonly readings: Reader
  /** The history of the run, if the deployment is created later in the run. */
  readonly history?: DirectoryHistory
  /** The readings from the start of the run, if the deployment is created later in the run. */
  readonly firstReadings?: Reader
  readonly effort: Effort
  readonly seed: number
  readonly strings: readonly string[]
  readonly allowances: Allowances
  readonly alterations: Alterations
  /** Returns the pinned places of a version. */
  readonly pinsOfVersion?: (version: string) => PinnedPlaces
  /** The versions under test, which are therefore watched for changes. */
  readonly judgedVersions: readonly string[]
}

async function countRequests(resource: Resource<unknown>, readings: Reader): Promise<number> {
  await readings.read(resource).catch(resolveInconclusiveTo(undefined))
  const requests = readings.exchangesFor(resource).map(({ redirectedFrom }) => 1 + redirectedFrom.length)
  return Math.max(
    1,
    requests.reduce((sum, count) => sum + count, 0),
  )
}

export function createDeployment(options: DeploymentOptions): Deployment {
  const { sendOnce, effort, seed, strings, allowances, alterations, judgedVersions, pinsOfVersion, controlNames } =
    options
  const inVersion = versionsWithOperation('getLivesLeft').findLast((version) => judgedVersions.includes(version))
  const history: DirectoryHistory = options.history ?? new ReadingHistory()
  const directories = versions.map((version) =>
    createDirectory({
      version,
      history,
      sendOnce,
      effort,
      pins: pinsOfVersion?.(version),
      versionWithLives: inVersion,
      controlNames,
    }),
  )
  const watched = directories.filter(({ version }) => judgedVersions.includes(version))
  const livesDirectory = findDirectory(directories, versionsWithOperation('getLivesLeft').at(-1))
  const tellNewParameter = createParameterEffectDetector({ ...options, watchedDirectories: watched })
  const watchedWithLives = watched.includes(livesDirectory) ? livesDirectory : undefined
  const watchOptions = {
    ...options,
    watchedDirectories: watched,
    livesDirectory: watchedWithLives,
    detectParameterEffect: tellNewParameter,
  }
  return {
    createUniqueValue: options.createUniqueValue,
    history,
    directories,
    judgedDirectories: watched,
    livesDirectory,
    countRequests: (resource) => countRequests(resource, options.readings),
    effort,
    seed,
    strings,
    allowances,
    alterations,
    changeMonitor: createChangeMonitor(watchOptions),
    ...createDriftDetector(watchOptions),
  }
}

import { versions } from '../../fixtures/contract/operations.ts'
import type { DriftDetection } from '../engine/check/drift.ts'
import {
  createFreshReader,
  type Read,
  type Reader,
  type RequestSenders,
  type Resource,
  type SendRequest,
} from '../engine/check/readers.ts'
import type { VerdictScope } from '../engine/check/verdict.ts'
import type { Clock } from '../engine/clock.ts'
import { ReadingHistory } from '../engine/history/reading-history.ts'
import type { TrafficLog } from '../engine/http/client/traffic-log.ts'
import { resolveInconclusiveTo } from '../engine/inconclusive.ts'
import { ChangeMonitor } from './changes/change-monitor.ts'
import { createDriftDetector } from './changes/drift-detector.ts'
import { createParameterEffectDetector } from './changes/parameter-effect.ts'
import { createDirectory, type Directory } from './facts/directory.ts'
import type { PinnedPlaces } from './facts/inferred-shapes.ts'
import type { DirectoryHistory } from './facts/reading-contents.ts'
import type { Alterations } from './inputs/alterations.ts'
import type { Allowances } from './matching/allowances.ts'
import { DeploymentPaging } from './pages/pager.ts'
import type { ControlNameFactory } from './shared/control-names.ts'
import type { Effort } from './shared/effort.ts'
import { versionsWithOperation } from './shared/versions.ts'

/** The deployment under test, with everything that checks may use of it. */
export interface Deployment {
  /** Creates a reader that sends each request again, with a unique query parameter, to bypass caches. */
  createReaderPastCaches(): Reader
  /** Creates a query value that no earlier URL of this run contains. */
  createUniqueValue(): string
  readonly directories: readonly Directory[]
  /** The directories of the versions under test. `directories` contains those of all versions. */
  readonly judgedDirectories: readonly Directory[]
  /** The directory of the latest version that has lives. */
  readonly livesDirectory: Directory
  /** Reports whether the listed data has changed, early in the run and at its end. */
  readonly changeMonitor: ChangeMonitor
  /** Detects changes of the data; called when a check suspects a violation. */
  readonly detectDrift: DriftDetection
  /** Describes the first change detected so far, without a request; undefined if there is none. */
  describeChangesSoFar(): string | undefined
  readonly history: DirectoryHistory
  /** Returns how many requests a reading takes: more than one if there are redirects or pages. */
  countRequests(resource: Resource<unknown>): Promise<number>
  readonly traffic: Pick<TrafficLog, 'sent'>
  readonly effort: Effort
  readonly seed: number
  /** Strings from the user of the suite, tested before all others. */
  readonly strings: readonly string[]
  /** Deviations from the contract that checks tolerate, e.g. a name that is refused for its length. */
  readonly allowances: Allowances
  /** Functions that make test strings from listed names, e.g. the name in upper case. */
  readonly alterations: Alterations
}

/** The target of a check of a single version: that version, with everything that the check may use. */
export interface VersionTarget extends Deployment {
  /** The inputs that a check must skip, because a check that it depends on failed for these inputs. */
  skippedInputs(): ReadonlySet<string>
  /** Reads data for a message or report; such a reading never decides a verdict. */
  readonly readForDisplay: Read
  readonly directory: Directory
}

/** The target of a check that compares two versions: both versions, with everything that the check may use. */
export interface VersionPairTarget extends Deployment, Pick<VersionTarget, 'skippedInputs'> {
  readonly older: Directory
  readonly newer: Directory
}

/** @throws {Error} if the contract has no such version, which would be a defect of this suite */
function findDirectory(directories: readonly Directory[], version: string | undefined): Directory {
  const directory = directories.find((one) => one.version === version)
  if (!directory) throw new Error(`the contract has no version ${version}`)
  return directory
}

export const createVersionTarget = (
  deployment: Deployment,
  scope: VerdictScope,
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

export function createVersionPairTarget(
  deployment: Deployment,
  scope: VerdictScope,
  { skippedInputs = () => new Set() }: Partial<Pick<VersionPairTarget, 'skippedInputs'>> = {},
): VersionPairTarget {
  const [older, newer] = scope.split('+')
  const { directories } = deployment
  return {
    ...deployment,
    skippedInputs,
    older: findDirectory(directories, older),
    newer: findDirectory(directories, newer),
  }
}

export interface DeploymentOptions extends RequestSenders {
  /** Sends a request with a unique query parameter, to bypass caches of the deployment. */
  readonly sendPastCaches: SendRequest
  pause(ms: number): Promise<void>
  readonly clock: Pick<Clock, 'now'>
  createUniqueValue(): string
  readonly controlNames: ControlNameFactory
  readonly traffic: Pick<TrafficLog, 'sent'>
  readonly readings: Reader
  /** All readings of the run so far; present at the end of the run. */
  readonly history?: DirectoryHistory
  /** The readings from the start of the run; present at its end. */
  readonly firstReadings?: Reader
  readonly effort: Effort
  readonly seed: number
  readonly strings: readonly string[]
  readonly allowances: Allowances
  readonly alterations: Alterations
  /** Returns the places in the JSON (of lists, names and lives) that the user's profile fixes for a version. */
  readonly pinsOfVersion?: (version: string) => PinnedPlaces
  /** The names of the versions under test, e.g. `v2`. Only these are watched for changes. */
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
  const {
    sendOnce,
    send,
    effort,
    seed,
    strings,
    allowances,
    alterations,
    judgedVersions,
    pinsOfVersion,
    controlNames,
  } = options
  const versionWithLives = versionsWithOperation('getLivesLeft').findLast((version) => judgedVersions.includes(version))
  const history: DirectoryHistory = options.history ?? new ReadingHistory()
  const deploymentPaging = new DeploymentPaging()
  const directories = versions.map((version) =>
    createDirectory({
      version,
      history,
      sendOnce,
      send,
      effort,
      seed,
      pins: pinsOfVersion?.(version),
      versionWithLives,
      controlNames,
      deploymentPaging,
    }),
  )
  const watched = directories.filter(({ version }) => judgedVersions.includes(version))
  const livesDirectory = findDirectory(directories, versionsWithOperation('getLivesLeft').at(-1))
  const detectParameterEffect = createParameterEffectDetector({ ...options, watchedDirectories: watched })
  const watchOptions = {
    ...options,
    watchedDirectories: watched,
    livesDirectory: watched.includes(livesDirectory) ? livesDirectory : undefined,
    detectParameterEffect,
  }
  return {
    createReaderPastCaches: () => createFreshReader(options.sendPastCaches),
    createUniqueValue: options.createUniqueValue,
    traffic: options.traffic,
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
    changeMonitor: new ChangeMonitor(watchOptions),
    ...createDriftDetector(watchOptions),
  }
}

import { versions } from '../../fixtures/contract/operations.ts'
import type { LookForMotion } from '../engine/check/drift.ts'
import type { Asker, Read, Reader, Subject } from '../engine/check/readers.ts'
import type { Scope } from '../engine/check/verdict.ts'
import type { Clock } from '../engine/clock.ts'
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

/** What all checks ask: every version, and what they share. */
export interface Deployment {
  /** Makes a value that no URL of this run had before. */
  newValue(): string
  readonly directories: readonly Directory[]
  /** Those of the versions that are judged. */
  readonly judged: readonly Directory[]
  /** The version in which lives can be read. */
  readonly withLives: Directory
  /** Whether what is listed was seen to change, early in the run and at its end. */
  readonly watch: Watch
  /** Whether anything moved; asked when something looks broken. */
  readonly lookForMotion: LookForMotion
  /** What was seen to move so far, in words, without asking. */
  movedSoFar(): string | undefined
  /** The lists that were seen to read otherwise than at first, so far, without asking. */
  listsMovedSoFar(): readonly Subject<ListReading>[]
  readonly effort: Effort
  /** Decides what is drawn by lot. */
  readonly seed: number
  /** The user's own, tried before all others. */
  readonly strings: readonly string[]
  /** What looks like a broken promise and is none. */
  readonly excuses: Leniencies
  /** What is made of listed names to be tried beside them. */
  readonly alterations: Alterations
}

/** What a check of one version asks. */
export interface OneVersion extends Deployment {
  /** Names to do without: what the check requires is broken for these alone. */
  spoilt(): ReadonlySet<string>
  /** Reads what may be shown to people; no premise of what is judged. */
  readonly glance: Read
  /** The version that is judged. */
  readonly directory: Directory
}

/** What a comparison asks. */
export interface TwoVersions extends Deployment {
  readonly older: Directory
  readonly newer: Directory
}

/** @throws {Error} where the contract has no such version: a defect of this suite */
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

/** What a run asks of. */
export interface DeploymentOptions {
  /** Answers from the run's cache: what the shapes are told from is asked once. */
  readonly recall: Asker
  /** Always asks. */
  readonly ask: Asker
  /** Always asks, past the caches. */
  readonly askPastCaches: Asker
  pause(ms: number): Promise<void>
  readonly clock: Pick<Clock, 'now'>
  newValue(): string
  /** Names that nothing is called, as controls. */
  readonly controlNames: ControlNames
  readonly readings: Reader
  /** The run's first, where these are others. */
  readonly firstReadings?: Reader
  readonly effort: Effort
  readonly seed: number
  readonly strings: readonly string[]
  readonly excuses: Leniencies
  readonly alterations: Alterations
  /** Where things are said to stand in the answers of a version. */
  readonly pinnedIn?: (version: string) => Pinned
  /** Those that are judged, and so are watched. */
  readonly judged: readonly string[]
}

/** The deployment as the checks see it. */
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
    effort,
    seed,
    strings,
    excuses,
    alterations,
    watch: createWatch(watching),
    ...createMotionWatch(watching),
  }
}

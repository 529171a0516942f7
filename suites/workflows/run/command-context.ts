import type { Report } from '../../../reports/report/report.ts'
import type { RecordedRuntime } from '../../engine/http/recording/recorded-network.ts'
import type { SuitePackage } from '../report/suite-package.ts'
import type { GitHubEnvironment } from './github.ts'
import type { ProgressOutput } from './progress.ts'

/** The environment of the command: its outputs, and the signals that can end it. */
export interface CommandContext {
  readonly suitePackage: SuitePackage
  readonly write: (text: string) => void
  /** Writes a message that is not part of the results, such as a warning. */
  readonly stderr: (text: string) => void
  readonly progress: ProgressOutput
  readonly github: GitHubEnvironment
  readonly colour: boolean
  readonly width: number
  /** Aborted when the user interrupts the command. */
  readonly interruption: AbortSignal
  /** The current round of `--watch`, which judges the same deployment repeatedly. */
  readonly round?: WatchRound
  /** The recording that is judged, if no live deployment is. */
  readonly recorded?: RecordedDeployment
  /** Starts the embedded reference service. Called if no deployment is given. */
  readonly startEmbedded: () => Promise<{ readonly baseUrl: string; close(): Promise<void> }>
}

/** The deployment that a run judges. */
export interface JudgedDeployment {
  readonly baseUrl: string
  readonly embedded: boolean
}

/** A recording that a run judges instead of a live deployment. */
export interface RecordedDeployment extends RecordedRuntime {
  readonly target: JudgedDeployment
  /** A line about the recording, which every report shows. */
  readonly note: string
}

/** One round of `--watch`, which judges the same deployment repeatedly. */
interface WatchRound {
  /** The report of the previous round. Its files stay until new ones are written. */
  readonly before: Report | undefined
  /** Aborted when a newer round is waiting for this one to end. */
  readonly newerRound: AbortSignal
  onReport(report: Report): void
}

import type { Report } from '../../../reports/report/report.ts'
import type { RecordedRuntime } from '../../engine/http/recording/recorded-network.ts'
import type { SuitePackage } from '../report/suite-package.ts'
import type { GitHubEnvironment } from './github.ts'
import type { ProgressOutput } from './progress.ts'

/** The outputs of the command, and what can interrupt it. */
export interface CommandContext {
  readonly home: SuitePackage
  readonly write: (text: string) => void
  /** For text that is not part of the verdict. */
  readonly stderr: (text: string) => void
  readonly progress: ProgressOutput
  readonly github: GitHubEnvironment
  readonly colour: boolean
  readonly width: number
  /** Aborted when the user interrupts. */
  readonly interrupted: AbortSignal
  /** Set if the same deployment is judged repeatedly. */
  readonly round?: WatchRound
  /** Set if a recording is judged, without a request. */
  readonly recorded?: RecordedDeployment
  /** Starts the reference service if no deployment is given. */
  readonly startEmbedded: () => Promise<{ readonly baseUrl: string; close(): Promise<void> }>
}

/** The deployment that is judged. */
export interface JudgedDeployment {
  readonly baseUrl: string
  readonly embedded: boolean
}

/** A recording in place of a deployment. */
export interface RecordedDeployment extends RecordedRuntime {
  readonly target: JudgedDeployment
  /** A line about it, which every report shows. */
  readonly note: string
}

/** One round of several. */
export interface WatchRound {
  /** The previous report, whose files stay until there are new ones. */
  readonly before: Report | undefined
  /** Aborted if a newer round is waiting. */
  readonly overtaken: AbortSignal
  onReport(report: Report): void
}

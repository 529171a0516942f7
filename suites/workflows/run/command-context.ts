import type { Report } from '../../../reports/report/report.ts'
import type { RecordedRuntime } from '../../engine/http/recording/recorded-network.ts'
import type { SuitePackage } from '../report/suite-package.ts'
import type { GitHubEnvironment } from './github.ts'
import type { ProgressOutput } from './progress.ts'

/** The outputs of the command, and what can interrupt it. */
export interface CommandContext {
  readonly home: SuitePackage
  readonly write: (text: string) => void
  /** Writes text that is not part of the verdict. */
  readonly stderr: (text: string) => void
  readonly progress: ProgressOutput
  readonly github: GitHubEnvironment
  readonly colour: boolean
  readonly width: number
  /** Aborted when the user interrupts. */
  readonly interrupted: AbortSignal
  /** The current round, if the same deployment is judged repeatedly (`--watch`). */
  readonly round?: WatchRound
  /** The recording, if one is judged instead of a live deployment. */
  readonly recorded?: RecordedDeployment
  /** Starts the reference service if no deployment is given. */
  readonly startEmbedded: () => Promise<{ readonly baseUrl: string; close(): Promise<void> }>
}

/** The deployment that is judged. */
export interface JudgedDeployment {
  readonly baseUrl: string
  readonly embedded: boolean
}

/** A recording that is judged in place of a live deployment. */
export interface RecordedDeployment extends RecordedRuntime {
  readonly target: JudgedDeployment
  /** A line about the recording, which every report shows. */
  readonly note: string
}

/** One of several rounds that judge the same deployment. */
export interface WatchRound {
  /** The previous report. Its files are kept until new ones are written. */
  readonly before: Report | undefined
  /** Aborted if a newer round is waiting. */
  readonly overtaken: AbortSignal
  onReport(report: Report): void
}

export interface BenchRow {
  readonly part: string
  readonly what: string
  readonly requests: number
  readonly seconds: number
  readonly peakMb: number
  /** The size of all responses in megabytes, if it was measured. */
  readonly answeredMb?: number
  /**
   * The duration, divided by that of another task, e.g. the same requests from a bare client. `beside` names this task.
   */
  readonly ratio: number
  readonly beside: string
  /** The target that the design sets, e.g. `≤ 0.3 s`; `isMet` says whether the measured value meets it. */
  readonly limit?: string
  readonly isMet?: boolean
}

export const describeTarget = (limit: string, isMet: boolean): Pick<BenchRow, 'limit' | 'isMet'> => ({
  limit,
  isMet,
})

export const formatRow = ({ part, what, requests, seconds, peakMb, answeredMb, ratio, beside }: BenchRow): string =>
  [
    part.padEnd(8),
    what.padEnd(34),
    `${requests}`.padStart(6),
    `${seconds.toFixed(2)} s`.padStart(9),
    `${peakMb.toFixed(0)} MB`.padStart(8),
    (answeredMb === undefined ? '' : `${answeredMb.toFixed(answeredMb < 10 ? 2 : 0)} MB answered`).padStart(16),
    `${ratio.toFixed(2)} × ${beside}`,
  ].join('  ')

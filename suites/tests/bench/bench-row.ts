/** One line of the table. */
export interface BenchRow {
  readonly part: string
  readonly what: string
  readonly requests: number
  readonly seconds: number
  readonly peakMb: number
  /** Megabytes of responses, where they are counted. */
  readonly answeredMb?: number
  /** The duration divided by that of the comparison. */
  readonly ratio: number
  readonly beside: string
  /** A target of the design and whether it is met; absent if there is none. */
  readonly promised?: string
  readonly isMet?: boolean
}

export const compareWithTarget = (promised: string, isMet: boolean): Pick<BenchRow, 'promised' | 'isMet'> => ({
  promised,
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

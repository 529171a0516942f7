/** One line of the table. */
export interface Row {
  readonly part: string
  readonly what: string
  readonly requests: number
  readonly seconds: number
  readonly peakMb: number
  /** Megabytes that were answered, where that is counted. */
  readonly answeredMb?: number
  /** Of the seconds to what is stood beside them. */
  readonly ratio: number
  readonly beside: string
  /** A number of the design, and whether it is met; absent where none is set. */
  readonly promised?: string
  readonly isMet?: boolean
}

export const held = (promised: string, isMet: boolean): Pick<Row, 'promised' | 'isMet'> => ({ promised, isMet })

export const textOf = ({ part, what, requests, seconds, peakMb, answeredMb, ratio, beside }: Row): string =>
  [
    part.padEnd(8),
    what.padEnd(34),
    `${requests}`.padStart(6),
    `${seconds.toFixed(2)} s`.padStart(9),
    `${peakMb.toFixed(0)} MB`.padStart(8),
    (answeredMb === undefined ? '' : `${answeredMb.toFixed(answeredMb < 10 ? 2 : 0)} MB answered`).padStart(16),
    `${ratio.toFixed(2)} × ${beside}`,
  ].join('  ')

import type { Report } from '../../../reports/report/report.ts'

/** A table with column heads. The first cell of each row is the label of the row. */
export interface MatrixSection {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export const deploymentNameOf = ({ target }: Report): string =>
  target.embedded ? 'the reference service' : target.baseUrl

/** Returns the start of the run, e.g. `2026-11-27 08:30:00`. */
export const startTimeOf = ({ startedAt }: Report): string => startedAt.slice(0, 19).replace('T', ' ')

/** Returns the id of an open point of the contract, with its operation and version. */
export const openPointLabelOf = ({ id, operation, version }: Report['openPoints'][number]): string =>
  [id, operation ?? [], version].flat().join(' ')

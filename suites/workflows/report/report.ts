import { createHash } from 'node:crypto'
import { openPoint, openPoints } from '../../../fixtures/contract/open-points.ts'
import { operations } from '../../../fixtures/contract/operations.ts'
import { contractRevision } from '../../../fixtures/contract/revision.ts'
import { rulings } from '../../../fixtures/contract/rulings.ts'
import { type StatementId, statement, statements } from '../../../fixtures/contract/statements.ts'
import { buildReport } from '../../../reports/report/build.ts'
import type { Diagnosis, Report } from '../../../reports/report/report.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { catalogue } from '../../judge/catalogue.ts'
import { sayChoice } from '../../open-points/sentences.ts'
import type { Options } from '../../options/options.ts'
import type { Gate } from '../baseline/gate.ts'
import type { Home } from './home.ts'
import { placeIn } from './place.ts'

/** The same words, the same hash: two reports with it were judged alike. */
const contractHash = createHash('sha256')
  .update(JSON.stringify([statements, rulings, operations, openPoints]))
  .digest('hex')

/** What was judged, and from where. */
export interface Judged {
  readonly home: Home
  readonly baseUrl: string
  readonly embedded: boolean
  readonly diagnosis?: Diagnosis | undefined
  /** What is known of violations. */
  readonly known?: Gate['known'] | undefined
}

/** What the report tells of the options of a run. */
type Repeated = Pick<Options, 'versions' | 'replayOptions' | 'record'> & Partial<Pick<Options, 'outside'>>

/**
 * Makes the report of a run.
 * @param options what the run was made with, for the lines that repeat it
 */
export function reportOf(
  result: RunResult,
  { versions, replayOptions, record, outside }: Repeated,
  { home: { name, version, command }, baseUrl, embedded, known, diagnosis }: Judged,
): Report {
  return buildReport(result, {
    suite: { name, version },
    contract: { revision: contractRevision, sha256: contractHash },
    baseUrl,
    embedded,
    versions,
    statementText: (id) => openPoint(id)?.question ?? statement(id as StatementId).sentence, // checks are built with known ids only
    placeOf: placeIn(baseUrl),
    sayChoice,
    isRecordingAll: record === 'all',
    isOfCommand: (id) => id.startsWith('pinned/') || catalogue.some((check) => check.id === id),
    command,
    diagnosis,
    ...(known && { knownOf: (verdict) => known.get(verdict) }),
    replayOptions,
    ...(outside && { outsideOptions: outside }),
  })
}

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

/** Equal texts have an equal hash: reports with the same hash used the same contract. */
const contractHash = createHash('sha256')
  .update(JSON.stringify([statements, rulings, operations, openPoints]))
  .digest('hex')

/** The target of the run and the location of the suite. */
export interface Judged {
  readonly home: Home
  readonly baseUrl: string
  readonly embedded: boolean
  readonly diagnosis?: Diagnosis | undefined
  /** The known violations. */
  readonly known?: Gate['known'] | undefined
}

/** The options that the report shows. */
type Repeated = Pick<Options, 'versions' | 'replayOptions' | 'record'> & Partial<Pick<Options, 'outside'>>

/**
 * Creates the report of a run.
 * @param options the options of the run, for the lines that repeat it
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
    statementText: (id) => openPoint(id)?.question ?? statement(id as StatementId).sentence, // Checks have known ids only.
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

import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import schema from '../report.schema.json' with { type: 'json' }
import { escapeTerminal, shortenText } from '../text/escape.ts'
import { loadAjv } from './ajv.ts'
import type { Report } from './report.ts'
import { findRootCauses } from './root-causes.ts'
import { describeSchemaError, formatValueBriefly } from './schema-error.ts'

/** An error for a text that is no report. The message says what is wrong, where, what was expected, and what to do. */
export class ReportParseError extends Error {
  override readonly name = 'ReportParseError'
  /** The place of the error in the text, as a JSON Pointer (RFC 6901); `''` for the whole text. */
  readonly pointer: string

  constructor(pointer: string, problem: string) {
    const where = pointer === '' ? '' : `, at ${JSON.stringify(pointer)}`
    const text = `Not a report of this suite${where}: ${problem}.`
    super(
      `${escapeTerminal(shortenText(text, 600))} Give a report.json that this version of the suite wrote (the schema is reports/report.schema.json), or run the suite again.`,
    )
    this.pointer = pointer
  }
}

/**
 * A stored report. Early versions of the suite wrote reports without `findings`, which are then built from the checks.
 */
type StoredReport = Omit<Report, 'findings'> & Partial<Pick<Report, 'findings'>>

/** The compiled schema of reports. It is compiled on demand, because most runs only write reports. */
let compiledValidator: ValidateFunction<StoredReport> | undefined

/**
 * Parses a stored report.json.
 * @param text the content of the file
 * @returns the report, from which every format can be rendered again
 * @throws {ReportParseError} if it is no JSON, violates the schema, or cites a missing exchange
 */
export function parseReport(text: string): Report {
  const value = parseJson(text)
  compiledValidator ??= new (loadAjv().Ajv2020)({ strict: true, verbose: true }).compile<StoredReport>(schema)
  const validate = compiledValidator
  if (!validate(value)) throw createSchemaError(validate.errors?.[0])
  const dangling = listCitations(value).find(({ id }) => !value.exchanges.some((exchange) => exchange.id === id))
  if (dangling)
    throw new ReportParseError(
      dangling.pointer,
      `the report cites exchange ${dangling.id}, but /exchanges contains no exchange with this id`,
    )
  return { ...value, findings: value.findings ?? findRootCauses(value.checks) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ReportParseError('', `the file is not JSON (${(error as Error).message})`)
  }
}

function createSchemaError(error: ErrorObject | undefined): ReportParseError {
  if (error === undefined) return new ReportParseError('', 'the file does not match the schema of reports')
  const found = typeof error.data === 'object' ? 'it' : formatValueBriefly(error.data)
  return new ReportParseError(error.instancePath, `${found} ${describeSchemaError(error)}`)
}

function listCitations({
  checks,
  findings = [],
  openPoints,
}: StoredReport): { readonly id: number; readonly pointer: string }[] {
  return [
    ...checks.flatMap(({ finding }, check) =>
      (finding?.exchanges ?? []).map((id, index) => ({ id, pointer: `/checks/${check}/finding/exchanges/${index}` })),
    ),
    ...findings.flatMap(({ finding }, cause) =>
      finding.exchanges.map((id, index) => ({ id, pointer: `/findings/${cause}/finding/exchanges/${index}` })),
    ),
    ...openPoints.flatMap(({ evidence }, point) =>
      evidence.map((id, index) => ({ id, pointer: `/openPoints/${point}/evidence/${index}` })),
    ),
  ]
}

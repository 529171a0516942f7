import { parseReport, ReportParseError } from '../../../reports/report/parse.ts'
import { readGiven } from '../../options/files/files.ts'
import { UsageError } from '../../options/options.ts'
import { outcomeOf, type Side } from './comparison.ts'

/**
 * Reads a saved report to compare with.
 * @param file the path of a report.json
 * @throws {UsageError} if it cannot be read, or is no report
 */
export async function readSaved(file: string): Promise<Side> {
  const expected = 'the URL of a deployment, or a report.json'
  const text = await readGiven(file, { flag: '--against', expected })
  try {
    const { target, checks, openPoints, exchanges } = parseReport(text)
    return {
      baseUrl: target.baseUrl,
      checks: checks.map((check) => outcomeOf(check, check)),
      observations: openPoints,
      exchanges: new Map(exchanges.map((exchange) => [exchange.id, exchange])),
    }
  } catch (error) {
    if (!(error instanceof ReportParseError)) throw error
    throw new UsageError({ where: '--against', what: error.message, expected, advice: 'give another one' })
  }
}

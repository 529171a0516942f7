import { parseReport, ReportParseError } from '../../../reports/report/parse.ts'
import { readOptionFile } from '../../options/files/files.ts'
import { UsageError } from '../../options/options.ts'
import { type ComparedSide, createCheckOutcome } from './comparison.ts'

/**
 * Reads the saved report with which a deployment is compared.
 * @param file the path of a report.json
 * @throws {UsageError} if the file cannot be read, or is no report
 */
export async function readComparedSideFromReport(file: string): Promise<ComparedSide> {
  const expected = 'the URL of a deployment, or a report.json'
  const text = await readOptionFile(file, { flag: '--against', expected })
  try {
    const { target, requests, checks, openPoints, exchanges } = parseReport(text)
    return {
      baseUrl: target.baseUrl,
      requests,
      checks: checks.map((check) => createCheckOutcome(check, check, check.cause?.id)),
      observations: openPoints,
      exchanges: new Map(exchanges.map((exchange) => [exchange.id, exchange])),
    }
  } catch (error) {
    if (!(error instanceof ReportParseError)) throw error
    throw new UsageError({
      where: `--against ${JSON.stringify(file)}`,
      what: error.message,
      expected,
      advice: 'give another one',
    })
  }
}

import { parseReport, ReportParseError } from '../../../reports/report/parse.ts'
import type { Report } from '../../../reports/report/report.ts'
import { readOptionFile } from '../../options/files/files.ts'
import { UsageError } from '../../options/options.ts'

/**
 * Reads a saved report.json.
 * @param flag the option that names the file
 * @param expected describes the expected file in errors
 * @throws {UsageError} if the file is not a report
 */
export async function readSavedReport(file: string, flag: string, expected: string): Promise<Report> {
  const text = await readOptionFile(file, { flag, expected })
  try {
    return parseReport(text)
  } catch (error) {
    if (!(error instanceof ReportParseError)) throw error
    const where = `${flag} ${JSON.stringify(file)}`
    throw new UsageError({ where, what: error.message, expected, advice: 'give another one' })
  }
}

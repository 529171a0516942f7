/** The exports of `cat-directory-conformance/report`: parsing and rendering stored reports. */
export { type Format, formats, render } from './formats.ts'
export { parseReport, ReportParseError } from './report/parse.ts'
export type { Report, ReportCheck, ReportFinding } from './report/report.ts'

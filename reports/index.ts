/* What the package exports as `cat-directory-conformance/report`: a stored report, read and rendered again. */
export { type Format, formats, render } from './formats.ts'
export { parseReport, ReportParseError } from './report/parse.ts'
export type { Report, ReportCheck, ReportFinding } from './report/report.ts'

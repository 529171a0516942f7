import { glyphs, statusGlyphs } from '../../report/glyphs.ts'
import { checkKeyOf, openPointKeyOf, pairByKey } from '../../report/pairs.ts'
import type { Report } from '../../report/report.ts'
import { escapeTerminal } from '../../text/escape.ts'
import { statusWords } from '../../text/wording.ts'
import { statusColours } from './colours.ts'
import { renderFindingSections } from './findings.ts'
import type { TerminalLayout } from './layout.ts'

const STATUS_WORDS = new Map(statusWords)

/** Renders the differences from the previous report: verdicts, choices, and findings that are new or changed. */
export function renderChangeSections(before: Report, report: Report, layout: TerminalLayout): string[][] {
  const verdicts = pairByKey(before.checks, report.checks, checkKeyOf)
    .filter(({ was, is }) => was.status !== is.status)
    .map(({ was, is: { id, version, status } }) => {
      const glyph = layout.style(statusColours[status], statusGlyphs[status])
      const now = `${STATUS_WORDS.get(was.status)} before, now ${STATUS_WORDS.get(status)}`
      return `${glyph} ${escapeTerminal(id)}  ${version}  ${now}`
    })
  const choices = pairByKey(before.openPoints, report.openPoints, openPointKeyOf)
    .filter(({ was, is }) => was.value !== is.value)
    .map(({ was, is: { id, version, operation, value } }) => {
      const place = [id, version, operation].filter(Boolean).join('  ')
      return `${glyphs.dot} ${escapeTerminal(`${place}  ${was.value} before, now ${value}`)}`
    })
  const changes = [...verdicts, ...choices]
  const unchangedFindings = pairByKey(before.findings, report.findings, checkKeyOf)
    .filter(({ was, is }) => was.finding.actual === is.finding.actual)
    .map(({ is }) => is)
  const findings = report.findings.filter((cause) => cause.status === 'fail' && !unchangedFindings.includes(cause))
  return [
    changes.length > 0 ? changes : ['no verdict and no choice changed'],
    ...renderFindingSections({ ...report, findings, checks: [] }, layout),
  ]
}

import { glyphs, statusGlyphs } from '../../report/glyphs.ts'
import type { Report, ReportCheck, RootCause } from '../../report/report.ts'
import { escapeTerminal } from '../../text/escape.ts'
import { statusWords } from '../../text/wording.ts'
import { statusColours } from './colours.ts'
import { renderFindingSections } from './findings.ts'
import type { TerminalLayout } from './layout.ts'

const STATUS_WORDS = new Map(statusWords)

const isSameCheck = (one: Pick<ReportCheck, 'id' | 'version'>, other: Pick<ReportCheck, 'id' | 'version'>): boolean =>
  one.id === other.id && one.version === other.version

/** Renders the differences from the previous report: verdicts, choices, and findings that are new or changed. */
export function renderChangeSections(before: Report, report: Report, layout: TerminalLayout): string[][] {
  const { style } = layout
  const verdicts = report.checks.flatMap((check) => {
    const was = before.checks.find((one) => isSameCheck(one, check))
    if (was === undefined || was.status === check.status) return []
    const figure = style(statusColours[check.status], statusGlyphs[check.status])
    const now = `${STATUS_WORDS.get(was.status)} before, now ${STATUS_WORDS.get(check.status)}`
    return [`${figure} ${escapeTerminal(check.id)}  ${check.version}  ${now}`]
  })
  const changes = [...verdicts, ...renderChangedChoices(before, report)]
  const isKnownCause = (cause: RootCause) =>
    before.findings.some((one) => isSameCheck(one, cause) && one.finding.actual === cause.finding.actual)
  const findings = report.findings.filter((cause) => !isKnownCause(cause))
  return [
    changes.length > 0 ? changes : ['no verdict and no choice changed'],
    ...renderFindingSections(
      { ...report, findings: findings.filter(({ status }) => status === 'fail'), checks: [] },
      layout,
    ),
  ]
}

function renderChangedChoices({ openPoints }: Report, report: Report): string[] {
  return report.openPoints.flatMap(({ id, version, operation, value }) => {
    const was = openPoints.find((one) => one.id === id && one.version === version && one.operation === operation)
    if (was === undefined || was.value === value) return []
    const place = [id, version, operation].filter(Boolean).join('  ')
    return [`${glyphs.dot} ${escapeTerminal(`${place}  ${was.value} before, now ${value}`)}`]
  })
}

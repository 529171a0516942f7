import { glyphs, statusGlyphs } from '../../report/glyphs.ts'
import { describeChecks, groupChecksByReason, listLimitations, type ReasonGroup } from '../../report/grouping.ts'
import { describeChecksToDecide, formatNextStep, groupNextSteps } from '../../report/next-steps.ts'
import type { Report } from '../../report/report.ts'
import { escapeTerminal, shortenText } from '../../text/escape.ts'
import { statusColours } from './colours.ts'
import { indentLines, renderHeading, type TerminalLayout } from './layout.ts'
import { wrapText } from './wrap.ts'

/** Renders what was not tested and why. */
export function renderNotTestedSection(report: Report, layout: TerminalLayout): string[] {
  // Leaves out the reason that is already shown as the diagnosis, under the verdict.
  const { check } = report.diagnosis ?? {}
  const isCause = ({ checks }: ReasonGroup) =>
    checks.some(({ id, version }) => id === check?.id && version === check.version)
  const groups = groupChecksByReason(report.checks).filter((group) => !isCause(group))
  const lines = [
    ...groups.flatMap(({ status, reason, checks }) => {
      const glyph = layout.style(statusColours[status], statusGlyphs[status])
      return renderBullet(glyph, `${describeChecks(checks)}: ${reason}`, layout)
    }),
    ...listLimitations(report).flatMap((sentence) => renderBullet(glyphs.dot, sentence, layout)),
  ]
  return lines.length === 0 ? [] : [renderHeading('Not tested', layout), '', ...lines]
}

/** Renders what the user can do so that inconclusive checks are decided. */
export function renderNextStepSection(report: Report, layout: TerminalLayout): string[] {
  const lines = groupNextSteps(report).flatMap((group) =>
    renderBullet(glyphs.dot, `for ${describeChecksToDecide(group)}, ${formatNextStep(group.step)}`, layout),
  )
  return lines.length === 0 ? [] : [renderHeading('Next steps for the inconclusive checks', layout), '', ...lines]
}

/** Renders one item of a list. The glyph may contain colour codes; the text is escaped here. */
function renderBullet(glyph: string, text: string, { width }: TerminalLayout): string[] {
  const [first = '', ...more] = wrapText(escapeTerminal(shortenText(text, 500)), width - 4)
  return [`  ${glyph} ${first}`, ...indentLines(4, more)]
}

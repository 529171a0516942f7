import { glyphs, statusGlyphs } from '../../report/glyphs.ts'
import {
  describeChecks,
  findSentencesAboutRun,
  groupChecksByCaveat,
  groupChecksByReason,
  type ReasonGroup,
  selectChecksWithSampledInputs,
} from '../../report/grouping.ts'
import { describeChecksToDecide, formatNextStep, groupNextSteps } from '../../report/next-steps.ts'
import type { Report } from '../../report/report.ts'
import { escapeTerminal, shortenText } from '../../text/escape.ts'
import { formatCount, formatWholeNumber } from '../../text/wording.ts'
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
    ...groups.flatMap((group) => renderReasonGroup(group, layout)),
    ...findSentencesAboutRun(report).flatMap((sentence) => renderBullet(glyphs.dot, sentence, layout)),
    ...groupChecksByCaveat(report.checks).flatMap((group) => renderCaveat(group, layout)),
    ...renderSampledChecks(report, layout),
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

function renderReasonGroup({ status, reason, checks }: ReasonGroup, layout: TerminalLayout): string[] {
  const glyph = layout.style(statusColours[status], statusGlyphs[status])
  return renderBullet(glyph, `${describeChecks(checks)}: ${reason}`, layout)
}

function renderCaveat({ reason, checks }: Pick<ReasonGroup, 'reason' | 'checks'>, layout: TerminalLayout): string[] {
  return renderBullet(glyphs.dot, `${describeChecks(checks)} passed, but: ${reason}`, layout)
}

function renderSampledChecks(report: Report, layout: TerminalLayout): string[] {
  const sampled = selectChecksWithSampledInputs(report.checks)
  const [least] = sampled.toSorted((one, other) => testedShareOf(one) - testedShareOf(other))
  if (least === undefined) return []
  const example = `${least.id} ${least.version}, ${formatAmount(least.asked)} of ${formatAmount(least.sampledFrom)} inputs`
  return renderBullet(
    glyphs.dot,
    `${formatCount(sampled.length, 'check')} tested a sample; lowest coverage: ${example}`,
    layout,
  )
}

function testedShareOf({ asked, sampledFrom = 1 }: { asked: number; sampledFrom?: number }): number {
  return asked / sampledFrom
}

function formatAmount(number: number | undefined): string {
  return formatWholeNumber(number ?? 0)
}

/** Renders one item of a list. The glyph may contain colour codes; the text is escaped here. */
function renderBullet(glyph: string, text: string, { width }: TerminalLayout): string[] {
  const [first = '', ...more] = wrapText(escapeTerminal(shortenText(text, 500)), width - 4)
  return [`  ${glyph} ${first}`, ...indentLines(4, more)]
}

import { figures, statusFigures } from '../../report/figures.ts'
import {
  groupByCaveat,
  groupByReason,
  type ReasonGroup,
  sampledChecks,
  sentencesOfRun,
  whoTheyAre,
} from '../../report/grouping.ts'
import { groupSteps } from '../../report/next-steps.ts'
import type { Report } from '../../report/report.ts'
import { escapeTerminal, shorten } from '../../text/escape.ts'
import { counted, wholeNumber } from '../../text/wording.ts'
import { statusColours } from './colours.ts'
import { heading, indented, type Layout } from './layout.ts'
import { wrap } from './wrap.ts'

/** The inputs that were not tested: a check that did not run never counts as passed. */
export function notExercisedSection(report: Report, layout: Layout): string[] {
  const groups = groupByReason(report.checks)
  const lines = [
    ...groups.flatMap((group) => groupLines(group, layout)),
    ...sentencesOfRun(report).flatMap((sentence) => bullet(figures.dot, sentence, layout)),
    ...groupByCaveat(report.checks).flatMap((group) => caveatLines(group, layout)),
    ...sampleLines(report, layout),
  ]
  return lines.length === 0 ? [] : [heading('Not tested', layout), '', ...lines]
}

/** The next steps for inconclusive checks. */
export function nextSection({ next = [] }: Report, layout: Layout): string[] {
  const lines = groupSteps(next).flatMap(({ step: { action, option, cost }, checks }) =>
    bullet(figures.dot, `${counted(checks.length, 'check')}: ${action}: ${option} (${cost})`, layout),
  )
  return lines.length === 0 ? [] : [heading('What would decide it', layout), '', ...lines]
}

function groupLines({ status, reason, checks }: ReasonGroup, layout: Layout): string[] {
  const glyph = layout.style(statusColours[status], statusFigures[status])
  return bullet(glyph, `${whoTheyAre(checks)}: ${reason}`, layout)
}

function caveatLines({ reason, checks }: Pick<ReasonGroup, 'reason' | 'checks'>, layout: Layout): string[] {
  return bullet(figures.dot, `${whoTheyAre(checks)} passed, but: ${reason}`, layout)
}

function sampleLines(report: Report, layout: Layout): string[] {
  const sampled = sampledChecks(report.checks)
  const [least] = sampled.toSorted((one, other) => share(one) - share(other))
  if (least === undefined) return []
  const example = `${least.id} ${least.version}, ${amount(least.asked)} of ${amount(least.sampledFrom)} inputs`
  return bullet(figures.dot, `${counted(sampled.length, 'check')} tested a sample; lowest coverage: ${example}`, layout)
}

function share({ asked, sampledFrom = 1 }: { asked: number; sampledFrom?: number }): number {
  return asked / sampledFrom
}

function amount(number: number | undefined): string {
  return wholeNumber(number ?? 0)
}

/** The glyph comes coloured; the text does not come escaped. */
function bullet(glyph: string, text: string, { width }: Layout): string[] {
  const [first = '', ...more] = wrap(escapeTerminal(shorten(text, 500)), width - 4)
  return [`  ${glyph} ${first}`, ...indented(4, more)]
}

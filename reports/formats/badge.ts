import type { Conclusion } from '../../suites/engine/check/verdict.ts'
import { conclusionGlyphs } from '../report/glyphs.ts'
import { describeWhyClassWasNotJudged } from '../report/grouping.ts'
import { describeSelectedChecks } from '../report/headline.ts'
import type { Report } from '../report/report.ts'
import { renderJson } from './json.ts'

const BADGE_COLOURS: Readonly<Record<Conclusion, string>> = {
  conformant: 'brightgreen',
  nonconformant: 'red',
  inconclusive: 'yellow',
  partial: 'blue',
}

/**
 * Renders badge.json, for https://shields.io/badges/endpoint-badge.
 * @param report the report to summarise in two words
 */
export function renderBadge(report: Report): string {
  const classes = Object.entries(report.classes).filter(
    ([name]) => describeWhyClassWasNotJudged(report, name) === undefined,
  )
  const parts = classes.map(([name, conclusion]) => `${name} ${conclusionGlyphs[conclusion]}`)
  return renderJson({
    schemaVersion: 1,
    label: 'cat directory',
    message: [
      report.verdict,
      ...(report.selected ? [describeSelectedChecks(report.selected)] : []),
      ...(classes.length > 1 ? parts : []),
    ].join(' · '),
    color: BADGE_COLOURS[report.verdict],
    ...(report.verdict === 'nonconformant' && { isError: true }),
  })
}

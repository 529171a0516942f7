import type { Conclusion } from '../../suites/engine/check/verdict.ts'
import { conclusionFigures } from '../report/figures.ts'
import { notJudged } from '../report/grouping.ts'
import { selectionText } from '../report/headline.ts'
import type { Report } from '../report/report.ts'
import { renderJsonOf } from './json.ts'

const colours: Readonly<Record<Conclusion, string>> = {
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
  const classes = Object.entries(report.classes).filter(([name]) => notJudged(report, name) === undefined)
  const parts = classes.map(([name, conclusion]) => `${name} ${conclusionFigures[conclusion]}`)
  return renderJsonOf({
    schemaVersion: 1,
    label: 'cat directory',
    message: [
      report.verdict,
      ...(report.selected ? [selectionText(report.selected)] : []),
      ...(classes.length > 1 ? parts : []),
    ].join(' · '),
    color: colours[report.verdict],
    ...(report.verdict === 'nonconformant' && { isError: true }),
  })
}

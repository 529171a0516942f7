import type { Status } from '../../suites/engine/check/verdict.ts'
import { diagnosisRows } from '../report/diagnosis.ts'
import { conclusionFigures, statusFigures } from '../report/figures.ts'
import { defectOf, type FindingRow, findingRows } from '../report/finding.ts'
import { choices, classOf, countByStatus, groupByReason, notJudged, sentencesOfRun } from '../report/grouping.ts'
import { headline, outsideTexts } from '../report/headline.ts'
import type { Report } from '../report/report.ts'
import { coverageText } from '../report/requirements.ts'
import { type Told, told } from '../report/told.ts'
import { escapeMarkdown, escapeTerminal, markdownCode, shorten } from '../text/escape.ts'
import { counted, duration, statusWords } from '../text/wording.ts'

/** GitHub accepts a summary of at most 1 MiB. */
const MOST_FINDINGS = 50
const LONGEST_LINE = 2000
const LONGEST_TEXT = 300

/**
 * Renders summary.md in GitHub's Markdown: verdict, findings, choices and gaps.
 * @param report the report; text from the deployment is never markup in it
 */
export function renderMarkdown(report: Report): string {
  const sections = [
    head(report),
    section('Findings', report, ['fail', 'error']),
    section('Unstable: seen once, not reproduced', report, ['inconclusive']),
    section('Advice, not in the verdict', report, ['warn']),
    requirementSection(report),
    choiceSection(report),
    gapSection(report),
    foot(report),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function head(report: Report): string[] {
  const { target, verdict, classes } = report
  const subject = target.embedded ? 'the embedded reference service' : markdownCode(target.baseUrl)
  return [
    `# ${conclusionFigures[verdict]} ${verdict}: ${subject}`,
    '',
    ...(target.embedded
      ? ['No base URL was given, so the embedded reference service was tested, not your deployment.', '']
      : []),
    `${headline(report)}.`,
    ...diagnosisLines(report),
    '',
    ...outsideLines(report),
    '| | verdict | checks |',
    '|---|---|---|',
    ...Object.entries(classes).map(([name, conclusion]) => {
      const skipped = notJudged(report, name)
      if (skipped !== undefined) return `| ${name} | ${statusFigures['not-applicable']} not judged | ${skipped} |`
      return `| ${name} | ${conclusionFigures[conclusion]} ${conclusion} | ${countsOf(report, name)} |`
    }),
  ]
}

function outsideLines(report: Report): string[] {
  const texts = outsideTexts(report).map((text) => markdownCode(shorten(text, LONGEST_TEXT)))
  return texts.length === 0 ? [] : [`Not from the command line: ${texts.join(', ')}.`, '']
}

function diagnosisLines(report: Report): string[] {
  const rows = diagnosisRows(report).map(({ label, kind, text }) => {
    const isQuoted = kind === 'body' || label === 'request' || label === 'response'
    return `- **${label}** ${isQuoted ? markdownCode(text) : escapeMarkdown(text)}`
  })
  return rows.length === 0 ? [] : ['', ...rows]
}

function countsOf({ checks }: Report, name: string): string {
  const counts = countByStatus(checks.filter(({ version }) => classOf(version) === name))
  const parts = statusWords.flatMap(([status, words]) => (counts[status] === 0 ? [] : [`${counts[status]} ${words}`]))
  return parts.join(', ') || 'no check ran'
}

function section(title: string, report: Report, statuses: readonly Status[]): string[] {
  const meant = told(report).filter(({ status }) => statuses.includes(status))
  if (meant.length === 0) return []
  const more = meant.length - MOST_FINDINGS
  return [
    `## ${title}`,
    ...meant.slice(0, MOST_FINDINGS).flatMap((one) => ['', ...findingLines(one, report)]),
    ...(more > 0 ? ['', `… and ${more} more, in report.html and report.json.`] : []),
  ]
}

function findingLines(one: Told, report: Report): string[] {
  const { id, versions, title, status, reason, finding } = one
  const rows = findingRows(one, report)
  const shell = rows.filter(({ kind }) => kind === 'shell')
  return [
    `### ${statusFigures[status]} ${escapeMarkdown(shorten(defectOf(one), LONGEST_TEXT))}`,
    '',
    `${markdownCode(id)} ${versions.join(' ')}: ${escapeMarkdown(title)}`,
    ...(reason === undefined || reason === finding?.actual ? [] : ['', escapeMarkdown(shorten(reason, LONGEST_TEXT))]),
    '',
    ...rows.filter(({ kind }) => kind !== 'shell').map(rowLine),
    ...(shell.length === 0 ? [] : ['', ...fenced(shell.map(({ text }) => text))]),
  ]
}

function rowLine({ label, kind, text }: FindingRow): string {
  const isQuoted = kind === 'body' || label === 'request' || label === 'response'
  const shown = shorten(text, LONGEST_TEXT)
  return `- **${label}** ${isQuoted ? markdownCode(shown) : escapeMarkdown(shown)}`
}

/** A code fence that no line within can close. */
function fenced(lines: readonly string[]): string[] {
  const shown = lines.map((line) =>
    line.length > LONGEST_LINE ? `# a line of ${counted(line.length, 'character')}: copy it from report.json` : line,
  )
  const longest = Math.max(
    2,
    ...(shown
      .join('\n')
      .match(/`+/g)
      ?.map(({ length }) => length) ?? []),
  )
  const fence = '`'.repeat(longest + 1)
  return [`${fence}sh`, ...shown.map(escapeTerminal), fence]
}

function requirementSection({ requirements = [] }: Report): string[] {
  if (requirements.length === 0) return []
  return folded(`Requirements (${requirements.length})`, [
    '| requirement | checks | failed | inconclusive | inputs tested |',
    '|---|---|---|---|---|',
    ...requirements.map(
      (one) =>
        `| ${markdownCode(one.id)} | ${coverageText(one)} | ${one.failed} | ${one.inconclusive} | ${one.inputs} |`,
    ),
  ])
}

function choiceSection({ openPoints }: Report): string[] {
  const rows = choices(openPoints)
  if (rows.length === 0) return []
  const lines = rows.map(({ id, operation = '', versions, value }) =>
    [
      markdownCode(id),
      escapeMarkdown(operation),
      versions.join(', '),
      escapeMarkdown(shorten(value, LONGEST_TEXT)),
    ].join(' | '),
  )
  return folded(`Choices where the document is silent (${rows.length})`, [
    '| open point | operation | versions | choice |',
    '|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ])
}

function gapSection(report: Report): string[] {
  const groups = groupByReason(report.checks)
  const sentences = sentencesOfRun(report).map((sentence) => `- ${escapeMarkdown(shorten(sentence, LONGEST_TEXT))}`)
  const lines = groups.map(({ status, reason, checks }) => {
    const names = [...new Set(checks.map(({ id }) => id))]
    const who = names.length > 3 ? counted(checks.length, 'check') : names.map(markdownCode).join(', ')
    return `- ${statusFigures[status]} ${who}: ${escapeMarkdown(shorten(reason, LONGEST_TEXT))}`
  })
  return lines.length + sentences.length === 0 ? [] : folded('Not tested, and why', [...sentences, ...lines])
}

const folded = (title: string, lines: readonly string[]): string[] => [
  `<details><summary>${title}</summary>`,
  '',
  ...lines,
  '',
  '</details>',
]

function foot({ checks, requests, retries, durationMs, seed, effort, suite }: Report): string[] {
  const counts = [
    counted(checks.length, 'check'),
    counted(requests, 'request'),
    counted(retries, 'retry', 'retries'),
    duration(durationMs),
    `seed ${seed}`,
    `${effort} effort`,
  ]
  return [`${counts.join(' · ')} · ${escapeMarkdown(`${suite.name} ${suite.version}`)}`]
}

import type { Status } from '../../suites/engine/check/verdict.ts'
import { conclusionGlyphs, statusGlyphs } from '../report/glyphs.ts'
import {
  countByStatus,
  describeWhyClassWasNotJudged,
  findSentencesAboutRun,
  groupChecksByReason,
  summariseChoices,
  versionClassOf,
} from '../report/grouping.ts'
import { buildHeadline, describeOptionsFromEnvironment, listRunCounts } from '../report/headline.ts'
import type { Report } from '../report/report.ts'
import { describeCoverage } from '../report/requirements.ts'
import { buildDiagnosisRows, buildFindingRows, defectSentenceOf, type ReportRow } from '../report/rows.ts'
import { type ShownCheck, selectShownChecks } from '../report/shown-checks.ts'
import { escapeMarkdown, escapeTerminal, formatMarkdownCode, shortenText } from '../text/escape.ts'
import { formatCount, statusWords } from '../text/wording.ts'

/** The maximum number of findings, so that the summary does not exceed 1 MiB, which is GitHub's limit. */
const MAX_FINDINGS = 50
const MAX_LINE_CHARACTERS = 2000
const MAX_TEXT_CHARACTERS = 300

/**
 * Renders summary.md in GitHub's Markdown: the verdict, the findings, the deployment's choices at the open points of
 * the contract, and what was not tested. Text from the deployment never becomes markup.
 * @param report the report of the run
 */
export function renderMarkdown(report: Report): string {
  const sections = [
    renderHead(report),
    renderSection('Findings', report, ['fail', 'error']),
    renderSection('Unstable: seen once, not reproduced', report, ['inconclusive']),
    renderSection('Advice, not in the verdict', report, ['warn']),
    renderRequirements(report),
    renderChoices(report),
    renderGaps(report),
    renderFoot(report),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function renderHead(report: Report): string[] {
  const { target, verdict, classes } = report
  const subject = target.embedded ? 'the embedded reference service' : formatMarkdownCode(target.baseUrl)
  return [
    `# ${conclusionGlyphs[verdict]} ${verdict}: ${subject}`,
    '',
    ...(target.embedded
      ? ['No base URL was given, so the embedded reference service was tested, not your deployment.', '']
      : []),
    `${buildHeadline(report)}.`,
    ...renderDiagnosis(report),
    '',
    ...renderOptionsFromEnvironment(report),
    '| | verdict | checks |',
    '|---|---|---|',
    ...Object.entries(classes).map(([name, conclusion]) => {
      const skipped = describeWhyClassWasNotJudged(report, name)
      if (skipped !== undefined) return `| ${name} | ${statusGlyphs['not-applicable']} not judged | ${skipped} |`
      return `| ${name} | ${conclusionGlyphs[conclusion]} ${conclusion} | ${describeCounts(report, name)} |`
    }),
  ]
}

function renderOptionsFromEnvironment(report: Report): string[] {
  const texts = describeOptionsFromEnvironment(report).map((text) =>
    formatMarkdownCode(shortenText(text, MAX_TEXT_CHARACTERS)),
  )
  return texts.length === 0 ? [] : [`Options that were not set on the command line: ${texts.join(', ')}.`, '']
}

function renderDiagnosis(report: Report): string[] {
  const rows = buildDiagnosisRows(report)
  return rows.length === 0 ? [] : ['', ...rows.map(renderRow)]
}

/** Describes how many checks of a class have each status, e.g. `2 failed, 50 passed`. */
function describeCounts({ checks }: Report, className: string): string {
  const counts = countByStatus(checks.filter(({ version }) => versionClassOf(version) === className))
  const parts = statusWords.flatMap(([status, words]) => (counts[status] === 0 ? [] : [`${counts[status]} ${words}`]))
  return parts.join(', ') || 'no check ran'
}

function renderSection(title: string, report: Report, statuses: readonly Status[]): string[] {
  const selected = selectShownChecks(report).filter(({ status }) => statuses.includes(status))
  if (selected.length === 0) return []
  const more = selected.length - MAX_FINDINGS
  return [
    `## ${title}`,
    ...selected.slice(0, MAX_FINDINGS).flatMap((one) => ['', ...renderFinding(one, report)]),
    ...(more > 0 ? ['', `… and ${more} more, in report.html and report.json.`] : []),
  ]
}

function renderFinding(one: ShownCheck, report: Report): string[] {
  const { id, versions, title, status, reason, finding } = one
  const rows = buildFindingRows(one, report)
  const shell = rows.filter(({ kind }) => kind === 'shell')
  const others = [...new Set(one.checks.map((check) => check.id))].filter((other) => other !== id)
  const also = others.length > 0 ? `; also fails: ${others.map(formatMarkdownCode).join(', ')}` : ''
  return [
    `### ${statusGlyphs[status]} ${escapeMarkdown(shortenText(defectSentenceOf(one), MAX_TEXT_CHARACTERS))}`,
    '',
    `${formatMarkdownCode(id)} ${versions.join(' ')}: ${escapeMarkdown(title)}${also}`,
    ...(reason === undefined || reason === finding?.actual
      ? []
      : ['', escapeMarkdown(shortenText(reason, MAX_TEXT_CHARACTERS))]),
    '',
    ...rows
      .filter(({ kind }) => kind !== 'shell')
      .map((row) => renderRow({ ...row, text: shortenText(row.text, MAX_TEXT_CHARACTERS) })),
    ...(shell.length === 0 ? [] : ['', ...fenceLines(shell.map(({ text }) => text))]),
  ]
}

const renderRow = ({ label, kind, text }: ReportRow): string =>
  `- **${label}** ${kind === 'text' ? escapeMarkdown(text) : formatMarkdownCode(text)}`

/** Encloses lines in a code fence that is longer than any fence within the lines. */
function fenceLines(lines: readonly string[]): string[] {
  const shown = lines.map((line) =>
    line.length > MAX_LINE_CHARACTERS
      ? `# a line of ${formatCount(line.length, 'character')}: copy it from report.json`
      : line,
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

function renderRequirements({ requirements = [] }: Report): string[] {
  if (requirements.length === 0) return []
  return foldLines(`Requirements (${requirements.length})`, [
    '| requirement | checks | failed | inconclusive | inputs tested |',
    '|---|---|---|---|---|',
    ...requirements.map(
      (one) =>
        `| ${formatMarkdownCode(one.id)} | ${describeCoverage(one)} | ${one.failed} | ${one.inconclusive} | ${one.inputs} |`,
    ),
  ])
}

function renderChoices({ openPoints }: Report): string[] {
  const rows = summariseChoices(openPoints)
  if (rows.length === 0) return []
  const lines = rows.map(({ id, operation = '', versions, value }) =>
    [
      formatMarkdownCode(id),
      escapeMarkdown(operation),
      versions.join(', '),
      escapeMarkdown(shortenText(value, MAX_TEXT_CHARACTERS)),
    ].join(' | '),
  )
  return foldLines(`Choices where the document is silent (${rows.length})`, [
    '| open point | operation | versions | choice |',
    '|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ])
}

/** Renders what was not tested and why, as a list that is folded. */
function renderGaps(report: Report): string[] {
  const groups = groupChecksByReason(report.checks)
  const sentences = findSentencesAboutRun(report).map(
    (sentence) => `- ${escapeMarkdown(shortenText(sentence, MAX_TEXT_CHARACTERS))}`,
  )
  const lines = groups.map(({ status, reason, checks }) => {
    const names = [...new Set(checks.map(({ id }) => id))]
    const checkNames = names.length > 3 ? formatCount(checks.length, 'check') : names.map(formatMarkdownCode).join(', ')
    return `- ${statusGlyphs[status]} ${checkNames}: ${escapeMarkdown(shortenText(reason, MAX_TEXT_CHARACTERS))}`
  })
  return lines.length + sentences.length === 0 ? [] : foldLines('Not tested, and why', [...sentences, ...lines])
}

/** Encloses lines in an element that shows only its title until the reader opens it. */
const foldLines = (title: string, lines: readonly string[]): string[] => [
  `<details><summary>${title}</summary>`,
  '',
  ...lines,
  '',
  '</details>',
]

function renderFoot(report: Report): string[] {
  const { seed, effort, suite } = report
  const counts = [...listRunCounts(report), `seed ${seed}`, `${effort} effort`]
  return [`${counts.join(' · ')} · ${escapeMarkdown(`${suite.name} ${suite.version}`)}`]
}

import { statusGlyphs } from '../report/glyphs.ts'
import type { Report, ReportFinding, RootCause } from '../report/report.ts'
import { quoteForShell } from '../text/shell.ts'
import { formatCount } from '../text/wording.ts'

const createScriptStart = (report: Report, count: number): string[] => [
  '#!/usr/bin/env bash',
  '# Sends the requests of each finding again, with curl. It judges nothing: look at the responses.',
  '# usage: bash findings.sh [the beginning of a check id]',
  `# ${formatCount(count, 'finding')} of ${report.startedAt}`,
  'set -u',
  '# Control characters of responses could control the terminal: carriage returns are dropped, others become "?".',
  'visible() {',
  "  LC_ALL=C tr -d '\\r' | LC_ALL=C tr '\\000-\\010\\013-\\037\\177' '[?*]' | LC_ALL=C sed $'s/\\302[\\200-\\237]/?/g'",
  '}',
  'wanted="${1-}"',
  'asked=0',
]

/** The end of the script: exits with 2 if the argument selects no finding. */
const SCRIPT_END = [
  '',
  'if [[ -n "$wanted" && "$asked" == 0 ]]; then',
  `  printf 'no finding has a check whose id begins with %s\\n' "$wanted" >&2`,
  '  exit 2',
  'fi',
]

/**
 * Renders findings.sh: the curl lines of all findings as a bash script in printable ASCII.
 * @param report the report
 */
export function renderCurlScript(report: Report): string {
  const { findings } = report
  const secrets = secretVariablesIn(findings.map(({ finding }) => finding))
  return [
    ...createScriptStart(report, findings.length),
    ...secrets,
    ...findings.flatMap(renderFinding),
    ...SCRIPT_END,
    '',
  ].join('\n')
}

/**
 * Returns one line of bash for each masked header that the curl lines use. It stops the script before the first request
 * if the variable with the value of the header is not set.
 */
function secretVariablesIn(findings: readonly ReportFinding[]): string[] {
  const unquoted = findings.flatMap(({ curl }) => curl.map((line) => line.replace(/\$'(?:\\.|[^'\\])*'|'[^']*'/g, '')))
  const names = unquoted.flatMap((line) => [...line.matchAll(/"[^"$]*\$([A-Z_][A-Z0-9_]*)"/g)])
  return [...new Set(names.flatMap(([, name]) => name ?? []))].map(
    (name) => `: "\${${name}:?is masked in reports: set this variable to the value of the header}"`,
  )
}

function renderFinding({ id, title, status, versions, finding: { expected, actual, curl } }: RootCause): string[] {
  const say = (text: string) => `  printf '%s\\n' ${quoteForShell(text)}`
  return [
    '',
    `if [[ ${quoteForShell(id)} == "$wanted"* ]]; then`,
    '  asked=1',
    "  printf '\\n'",
    say(`${statusGlyphs[status]} ${id} ${versions.join(' ')}: ${title}`),
    say(`  expected  ${expected}`),
    say(`  actual    ${actual}`),
    ...curl.flatMap((line) => ['', say(`  $ ${line}`), `  { ${line}; } 2>&1 | visible`, "  printf '\\n'"]),
    'fi',
  ]
}

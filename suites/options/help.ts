import { wrapText } from '../../reports/formats/terminal/wrap.ts'
import { exitCodes } from './exit-code.ts'
import { describeOption, environmentVariableOf, type Option } from './option.ts'
import { allOptions, optionTable } from './table.ts'

const HELP_COLUMNS = 100

const USAGE_EXAMPLES: readonly (readonly [command: string, meaning: string])[] = [
  ['', 'test the embedded reference service'],
  ['--base-url https://cats.example.org/api', 'test a deployment'],
  ['--base-url http://localhost:3000 --versions v3', 'test only v3'],
  [
    '--token "$TOKEN" --rate 20/s --report-dir out',
    'test the deployment that CATS_BASE_URL names, with a token and at most 20 requests per second',
  ],
  ['--only search/ --seed 42', 'run only the checks of search, with the same inputs as an earlier run'],
]

/**
 * Returns the text of `--help`, derived from the option table: at most 100 columns wide, with a line end at the end.
 */
export function buildHelpText(): string {
  return `${[
    'Usage: cat-directory-conformance [options]',
    '       cat-directory-conformance matrix [--format text|markdown|html] REPORT…',
    '       cat-directory-conformance judge-recording FILE [options]',
    '',
    'Tests whether a live deployment of the cat directory service conforms to v2 and v3, and whether both',
    'versions agree. Each finding shows a violation with as few requests as possible, as curl commands.',
    '',
    'Options',
    ...alignColumns(allOptions.map((option) => [option.usage, describeOption(option)])),
    '',
    'Environment',
    `  Each option has a variable: for example, ${describeVariable(optionTable.baseUrl)}, ${describeVariable(optionTable.strict)}=1.`,
    '  The file .env may set variables, too. The environment overrides .env, and options override both.',
    '',
    'Examples',
    ...alignColumns(
      USAGE_EXAMPLES.map(([options, meaning]) => [`cat-directory-conformance ${options}`.trimEnd(), meaning]),
    ),
    '',
    'Exit codes',
    ...alignColumns(Object.values(exitCodes).map(({ code, meaning }) => [String(code).padStart(3), meaning])),
  ].join('\n')}\n`
}

const describeVariable = (option: Option) => `${option.flag} has ${environmentVariableOf(option)}`

/** Formats two columns, and wraps the right one. A text that is too long for the left column gets a line of its own. */
function alignColumns(pairs: readonly (readonly [left: string, right: string])[]): string[] {
  const widest = Math.max(...pairs.map(([left]) => left.length))
  if (widest > HELP_COLUMNS / 2) return pairs.flatMap(([left, right]) => [`  ${left}`, `      ${right}`])
  return pairs.flatMap(([left, right]) => {
    const [first = '', ...others] = wrapText(right, HELP_COLUMNS - widest - 4)
    return [`  ${left.padEnd(widest)}  ${first}`, ...others.map((line) => ' '.repeat(widest + 4) + line)]
  })
}

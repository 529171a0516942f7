import { exits } from './exit-code.ts'
import { described, type Option, takesValue, variableOf } from './option.ts'
import { rows, table } from './table.ts'

const columns = 100

const examples: readonly (readonly [command: string, meaning: string])[] = [
  ['', 'test the embedded reference service'],
  ['--base-url https://cats.example.org/api', 'test a deployment'],
  ['--base-url http://localhost:3000 --versions v3', 'test v3 alone'],
  [
    '--token "$TOKEN" --rate 20/s --report-dir out',
    'with credentials, at most 20 requests a second (CATS_BASE_URL set)',
  ],
  ['--only search/ --seed 42', 'run the checks of search alone, with the same inputs'],
]

/** The help text from the option table; at most 100 columns wide, with a final line break. */
export function helpText(): string {
  return `${[
    'Usage: cat-directory-conformance [options]',
    '       cat-directory-conformance matrix [--format text|markdown|html] REPORT…',
    '',
    'Tests a live deployment of the cat directory service: does it conform to v2, to v3, do both agree?',
    'Each finding has the smallest exchange that shows it, as a curl line.',
    '',
    'Options',
    ...aligned(rows.map((option) => [usageOf(option), described(option)])),
    '',
    'Environment',
    `  Every option has a variable: ${inEnvironment(table.baseUrl)}, ${inEnvironment(table.strict)}=1, and so on.`,
    '  Variables are also read from .env. Options win over the environment, which wins over .env.',
    '',
    'Examples',
    ...aligned(examples.map(([options, meaning]) => [`cat-directory-conformance ${options}`.trimEnd(), meaning])),
    '',
    'Exit codes',
    ...aligned(Object.values(exits).map(({ code, meaning }) => [String(code).padStart(3), meaning])),
  ].join('\n')}\n`
}

const usageOf = (option: Option) => (takesValue(option) ? `${option.flag} ${option.placeholder}` : option.flag)
const inEnvironment = (option: Option) => `${option.flag} is ${variableOf(option)}`

/** Two columns with the right one wrapped; a long left part gets a line of its own. */
function aligned(pairs: readonly (readonly [left: string, right: string])[]): string[] {
  const widest = Math.max(...pairs.map(([left]) => left.length))
  if (widest > columns / 2) return pairs.flatMap(([left, right]) => [`  ${left}`, `      ${right}`])
  return pairs.flatMap(([left, right]) => {
    const [first = '', ...others] = wrapped(right, columns - widest - 4)
    return [`  ${left.padEnd(widest)}  ${first}`, ...others.map((line) => ' '.repeat(widest + 4) + line)]
  })
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

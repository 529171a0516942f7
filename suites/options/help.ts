import { exits } from './exit-code.ts'
import { described, type Option, takesValue, variableOf } from './option.ts'
import { rows, table } from './table.ts'

const columns = 100

const examples: readonly (readonly [command: string, meaning: string])[] = [
  ['', 'judge the embedded reference service'],
  ['--base-url https://cats.example.org/api', 'judge a deployment'],
  ['--base-url http://localhost:3000 --versions v3', 'judge v3 alone'],
  ['--token "$TOKEN" --rate 20/s --report-dir out', 'with credentials, politely (CATS_BASE_URL set)'],
  ['--only search/ --seed 42', 'only the checks of search, the same inputs again'],
]

/** The help text from the option table; at most 100 columns wide, with a final line break. */
export function helpText(): string {
  return `${[
    'Usage: cat-directory-conformance [options]',
    '       cat-directory-conformance matrix [--format text|markdown|html] REPORT…',
    '',
    'Judges a live cat directory: does it conform to v2, to v3, and do the two agree? What is broken is',
    'shown by the smallest exchange that anyone can repeat with curl.',
    '',
    'Options',
    ...aligned(rows.map((option) => [usageOf(option), described(option)])),
    '',
    'Environment',
    `  Every option has a variable: ${inEnvironment(table.baseUrl)}, ${inEnvironment(table.strict)}=1, and so on.`,
    '  They are read from .env too; the environment wins over .env, and options win over both.',
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

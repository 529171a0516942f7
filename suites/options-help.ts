import { described, rows, takesValue } from './options-table.ts'

const columns = 100

/** What the command's exit code says. */
export const exitCodes: ReadonlyMap<number, string> = new Map([
  [0, 'conformant'],
  [1, 'nonconformant: at least one promise is broken'],
  [2, 'usage or configuration error: nothing was judged'],
  [3, 'inconclusive: unreachable, nothing to exercise, drift or budget spent'],
  [4, 'the suite itself failed'],
  [130, 'interrupted: reports of what was done are written'],
])

const examples: readonly (readonly [command: string, meaning: string])[] = [
  ['', 'judge the embedded reference service'],
  ['--base-url https://cats.example.org/api', 'judge a deployment'],
  ['--base-url http://localhost:3000 --versions v3', 'judge v3 alone'],
  ['--token "$TOKEN" --rate 20/s --report-dir out', 'with credentials, politely (CATS_BASE_URL set)'],
  ['--only search/ --seed 42', 'only the checks of search, the same inputs again'],
]

/** The whole help, read off the option table; at most 100 columns wide, with a line break at its end. */
export function helpText(): string {
  return `${[
    'Usage: cat-directory-conformance [options]',
    '',
    'Judges a live cat directory: does it conform to v2, to v3, and do the two agree? What is broken is',
    'shown by the smallest exchange that anyone can repeat with curl.',
    '',
    'Options',
    ...aligned(rows.map((row) => [takesValue(row) ? `${row.flag} ${row.placeholder}` : row.flag, described(row)])),
    '',
    'Environment',
    '  Every option has a variable: --base-url is CATS_BASE_URL, --strict is CATS_STRICT=1, and so on.',
    '  They are read from .env too; the environment wins over .env, and options win over both.',
    '',
    'Examples',
    ...aligned(examples.map(([options, meaning]) => [`cat-directory-conformance ${options}`.trimEnd(), meaning])),
    '',
    'Exit codes',
    ...aligned([...exitCodes].map(([code, meaning]) => [String(code).padStart(3), meaning])),
  ].join('\n')}\n`
}

/** Two columns, the right one wrapped; a left part that leaves too little room stands on a line of its own. */
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

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, inject, test } from 'vitest'
import { arbitraryCodePoint } from '../../directory/inputs/arbitraries.ts'
import { environmentVariableOf, takesValue } from '../../options/option.ts'
import { allOptions as allRows } from '../../options/table.ts'
import { type CommandResult, createCleanEnvironment, runCliProcess, runMain } from './cli.test.support.ts'

const { generatedCommands, generatedRealCommands } = inject('extent')
/** A time limit that only an endless run reaches: any other run ends sooner, on any machine. */
const ENDLESS_RUN_MS = 3_600_000
/** A port on which nothing listens. */
const UNUSED_ORIGIN = 'http://127.0.0.1:9'

/** The options of a single run. Leaves out e.g. `--watch`, which starts runs until the user ends it. */
const rows = allRows.filter(({ flag }) => flag !== '--watch' && flag !== '--embedded')
const flags = rows.map(({ flag }) => flag)
const strange = [
  '',
  ' ',
  '\0',
  '\u202e',
  '\ud800',
  '=',
  '-',
  '--',
  "'",
  '"',
  '#',
  '$(x)',
  '../..',
  '/dev/null',
  '/proc/x',
  'é',
  '\n',
  '9'.repeat(400),
]
const usual = [
  '0',
  '1',
  '-1',
  '1e9',
  '5/s',
  'v2',
  'v3,v2',
  'cats/',
  'search/is-served',
  '3:0',
  'quick',
  'X-Key: a',
  'http://h:0',
  UNUSED_ORIGIN,
  'file',
  'folder',
  'all',
  'yes',
]

const misspelled = fc
  .tuple(fc.constantFrom(...flags), fc.nat(20))
  .map(([flag, at]) => flag.slice(0, at) + flag.slice(at + 1))
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...flags) },
  { weight: 4, arbitrary: fc.constantFrom(...usual) },
  { weight: 2, arbitrary: fc.constantFrom(...strange) },
  misspelled,
  fc.tuple(fc.constantFrom(...flags), fc.constantFrom(...usual, ...strange)).map(([flag, value]) => `${flag}=${value}`),
  fc.string({ unit: arbitraryCodePoint, maxLength: 20 }),
)
/** Generates command lines as people type them: an option with a value if it takes one. */
const given = fc
  .tuple(fc.constantFrom(...rows), fc.oneof(fc.constantFrom(...usual), fc.constantFrom(...strange)))
  .map(([row, value]) => (takesValue(row) ? [row.flag, value] : [row.flag]))

const line = fc.oneof(
  fc
    .tuple(fc.constantFrom(...rows.map(environmentVariableOf)), fc.constantFrom(...usual, ...strange))
    .map(([name, value]) => `${name}=${value}`),
  fc.constantFrom(
    '# mine',
    '',
    'A=1',
    'no assignment',
    'A="',
    "CATS_TOKEN='a",
    'CATS_TOKEN=a#b',
    'CATS_TOKNE=x',
    'export A=b',
  ),
  fc.string({ unit: arbitraryCodePoint, maxLength: 20 }),
)

const file = fc.constantFrom(
  '',
  '-----BEGIN CERTIFICATE-----',
  '-----BEGIN PRIVATE KEY-----\n',
  '{}',
  '{"a":',
  '\0'.repeat(100),
  '[]',
)

const circumstances = fc.record({
  args: fc.oneof(
    fc.array(word, { maxLength: 5 }),
    fc.array(given, { maxLength: 3 }).map((pairs) => pairs.flat()),
  ),
  lines: fc.array(line, { maxLength: 4 }),
  file,
  /** The content at the path of the report directory before the run. */
  before: fc.constantFrom('nothing', 'report', 'folder'),
})
type GeneratedCommand = typeof circumstances extends fc.Arbitrary<infer T> ? T : never

type CommandOutput = Omit<CommandResult, 'reports'>

function prepareFolder({ lines, file: content, before }: GeneratedCommand): string {
  const cwd = mkdtempSync(join(tmpdir(), 'cats-made-up-'))
  if (lines.length > 0) writeFileSync(join(cwd, '.env'), lines.join('\n'))
  writeFileSync(join(cwd, 'file'), content)
  mkdirSync(join(cwd, 'folder'))
  mkdirSync(join(cwd, 'reports'))
  if (before === 'report') writeFileSync(join(cwd, 'reports', 'report.json'), content)
  if (before === 'folder') mkdirSync(join(cwd, 'reports', 'junit.xml'))
  return cwd
}

const ENVIRONMENT_VARIABLES = {
  CATS_BASE_URL: UNUSED_ORIGIN,
  CATS_TIMEOUT: '50',
  CATS_RETRIES: '0',
  CATS_WAIT: '0',
  CATS_REPORT_DIR: 'reports',
}

async function runInThisProcess({ args }: GeneratedCommand, cwd: string): Promise<CommandOutput> {
  const back = process.cwd()
  process.chdir(cwd)
  try {
    return await runMain(args, {
      cwd,
      env: { ...createCleanEnvironment(), ...ENVIRONMENT_VARIABLES },
      startEmbedded: () => Promise.reject(new Error('a base URL is given')),
    })
  } finally {
    process.chdir(back)
  }
}

/** Expects an error message of one paragraph that names the mistake, without details of the code, e.g. stack traces. */
function expectClearError({ code, stdout, stderr }: CommandOutput): void {
  expect([0, 1, 2, 3], stderr).toContain(code)
  expect(stderr).not.toMatch(/\n\n|^ +at |[\0-\t\v-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/mu)
  expect(stderr.length).toBeLessThan(2000)
  if (code === 2) expect(stderr).toMatch(/^\S[^\n]+\n {2}expected {2}\S[^\n]*\n {2}hint {6}\S[^\n]*\n$/)
  else expect([stderr, stdout === '']).toEqual(['', false])
}

const expectClearErrorFrom = async (
  command: GeneratedCommand,
  run: (command: GeneratedCommand, cwd: string) => Promise<CommandOutput>,
): Promise<void> => {
  const cwd = prepareFolder(command)
  try {
    expectClearError(await run(command, cwd))
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

const began = performance.now()
afterAll(() => {
  const [seconds, peakMb] = [(performance.now() - began) / 1000, process.resourceUsage().maxRSS / 1024]
  console.log(`${generatedCommands} command lines made up: ${seconds.toFixed(0)} s, at most ${peakMb.toFixed(0)} MB`)
})

test(
  'the command ends with 0, 1, 2 or 3 for any arguments, and explains errors in one paragraph',
  async () => {
    await fc.assert(
      fc.asyncProperty(circumstances, (command) => expectClearErrorFrom(command, runInThisProcess)),
      { seed: 7, numRuns: generatedCommands, endOnFailure: true },
    )
  },
  ENDLESS_RUN_MS,
)

test('the command in its own process behaves like its main function', async () => {
  // Leaves out arguments with NUL, which no process can receive.
  const possible = circumstances.filter(({ args }) => args.every((one) => !one.includes('\0')))
  const runInOwnProcess = async ({ args }: GeneratedCommand, cwd: string) =>
    runCliProcess(args, { cwd, env: ENVIRONMENT_VARIABLES })
  await fc.assert(
    fc.asyncProperty(possible, (command) => expectClearErrorFrom(command, runInOwnProcess)),
    { seed: 8, numRuns: generatedRealCommands, endOnFailure: true },
  )
})

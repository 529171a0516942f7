import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { startService } from '../../../fixtures/service/start.ts'
import { createTemporaryFolder, packageRoot, runCli, runCliProcess } from '../command/cli.test.support.ts'
import { callAfterTests } from '../support/at-end.test.support.ts'

const docs = readdirSync(join(packageRoot, 'suites', 'docs')).filter((name) => name.endsWith('.md'))
const pages = ['README.md', ...docs.map((name) => `suites/docs/${name}`)]
const textOf = (page: string): string => readFileSync(join(packageRoot, page), 'utf8')

/** Returns the code blocks of a page in one of the given languages. */
const blocksOf = (page: string, ...languages: readonly string[]): readonly string[] =>
  [...textOf(page).matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, language = '', code = '']) =>
    languages.includes(language) ? [code] : [],
  )

/** Returns the commands that a page prints: the lines for a shell, the steps of CI jobs, and commands within sentences. */
function commandsOn(page: string): readonly string[] {
  const lines = blocksOf(page, 'sh').flatMap((block) => block.split('\n'))
  const steps = blocksOf(page, 'yaml').flatMap((block) =>
    [...block.matchAll(/^ *- (?:run: )?((?:npm|npx|node) .*)$/gm)].map(([, step = '']) => step),
  )
  const inSentences = [...textOf(page).matchAll(/`((?:npm|npx|docker|node|\.\/)[^`\n]* [^`\n]*)`/g)].map(
    ([, command = '']) => command,
  )
  const all = [...lines, ...steps, ...inSentences].map((line) => line.replace(/ {2,}#.*$/, '').trim())
  return [...new Set(all)].filter((command) => command !== '' && !BEGINNINGS.includes(command))
}

/** The beginnings of commands, which are no commands of their own. */
const BEGINNINGS: readonly string[] = ['npm run conformance --', 'npx cat-directory-conformance']

/** Matches a call of the command of this suite, in the forms that the pages use. */
const SUITE_CALL = /^(?:npm run conformance --|npx cat-directory-conformance|node \/suite\/dist\/suites\/cli\.js)(?= )/

/**
 * The printed commands that are not tried here: each with the file that tries it, or with the reason why no test can.
 */
const TRIED_ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci && npm run conformance': '.ci/run',
  'npm ci && npm test': '.ci/run',
  'npm ci && npm pack': '.ci/matrix',
  'npm ci && npm run build:binary': 'suites/tests/library/without-node.test.ts',
  './cat-directory-conformance --base-url https://cats.example.org/api': 'suites/tests/library/without-node.test.ts',
  'npm ci': '.ci/run',
  'npm init -y': 'suites/tests/library/package.test.support.ts',
  'npm install --save-dev ./cat-directory-conformance-0.1.0.tgz': '.ci/matrix',
  'npm install --save-dev vitest': 'it installs from the registry',
  'npx vitest run': 'suites/tests/library/package.test.ts',
  'npm test': '.ci/run',
  'npm run suites': 'suites/tests/library/vitest-entry-point.test.ts',
  'npm run bench': 'it measures for minutes',
  'npm run service -- --list': 'suites/tests/deployments/service-wire.test.ts',
  'npm run service -- --as ID --port 4010': 'suites/tests/deployments/service-wire.test.ts',
  'npm run service -- --as cats-doubled --port 4010': 'suites/tests/deployments/service-wire.test.ts',
  'CATS_BASE_URL=http://127.0.0.1:4010 npm run suites -- -t search/ --reporter=verbose':
    'suites/tests/library/vitest-entry-point.test.ts',
}

/** The machines of the tests have no docker; `without-node.test.ts` takes the steps of the recipe without it. */
const NEEDS_DOCKER = /^docker (?:build|run|tag|push)\b/

/** The exit codes of the commands that do not end with 0. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  'npm run conformance -- --base-url http://127.0.0.1:4010': 1,
  'npm run conformance -- judge-recording traffic.har': 3,
}

/** The variables that printed commands use. */
const variables = { KEY: 'key-3f9a61c2' }

let conformantUrl = ''
let doubledUrl = ''
let reports = ''

beforeAll(async () => {
  const [service, doubled] = [await startService(), await mutants.find(({ id }) => id === 'cats-doubled')?.start()]
  if (doubled === undefined) throw new Error('the mutant cats-doubled does not exist')
  callAfterTests(async () => void (await Promise.all([service.close(), doubled.close()])))
  conformantUrl = service.baseUrl
  doubledUrl = doubled.baseUrl
  reports = (await runCli(['--base-url', conformantUrl, '--record', 'all'])).reports
})

/** Creates a folder with the files that printed commands read. */
function createFolderWithReports(): string {
  const folder = createTemporaryFolder()
  const copies = ['a/report.json', 'b/report.json', 'conformance/2026-11-28/report.json']
  for (const [from, to] of [...copies.map((copy) => ['report.json', copy]), ['exchanges.har', 'traffic.har']]) {
    mkdirSync(join(folder, dirname(String(to))), { recursive: true })
    cpSync(join(reports, String(from)), join(folder, String(to)))
  }
  return folder
}

/** Lets a shell divide a printed command into arguments, with the URLs of local deployments. */
function argumentsOf(command: string, cwd: string): readonly string[] {
  const local = command
    .replace(SUITE_CALL, 'print_arguments')
    .replaceAll(/https?:\/\/(?:[\w.-]+\.example\.org|localhost:3000)(?:\/api)?/g, conformantUrl)
    .replaceAll('http://127.0.0.1:4010', doubledUrl)
  const script = `print_arguments() { printf '%s\\0' "$@"; }; ${local}`
  const env = { PATH: process.env['PATH'], ...variables, STAGING_URL: conformantUrl }
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stdout.split('\0').slice(0, -1)
}

/** The arguments that were tried, because several pages print the same command. */
const triedArguments = new Set<string>()

describe('the printed commands', () => {
  test('every printed command is tried by a test, or has a reason why it is not', () => {
    const commands = pages.flatMap(commandsOn)
    const untried = commands.filter((one) => !SUITE_CALL.test(one) && !NEEDS_DOCKER.test(one) && !TRIED_ELSEWHERE[one])
    expect(untried).toEqual([])
    expect(Object.keys(TRIED_ELSEWHERE).filter((one) => !commands.includes(one))).toEqual([])
    const files = Object.values(TRIED_ELSEWHERE).filter((text) => !text.includes(' '))
    expect(files.filter((file) => !existsSync(join(packageRoot, file)))).toEqual([])
  })

  test.each(pages.filter((page) => commandsOn(page).some((one) => SUITE_CALL.test(one))))(
    'the printed commands of the page %s end with the exit codes that the page says',
    async (page) => {
      const cwd = createFolderWithReports()
      for (const command of commandsOn(page).filter((one) => SUITE_CALL.test(one))) {
        const args = argumentsOf(command, cwd)
        if (triedArguments.has(args.join(' '))) continue
        triedArguments.add(args.join(' '))
        const { code, stdout, stderr } = await runCliProcess(args, { cwd, env: { CATS_EFFORT: 'quick' } })
        expect([command, code], stdout + stderr).toEqual([command, EXIT_CODES[command] ?? 0])
      }
    },
  )

  test('every printed program is tried by the tests of the packed package', () => {
    const tests = readFileSync(join(packageRoot, 'suites/tests/library/package.test.ts'), 'utf8')
    const imports = pages
      .flatMap((page) => blocksOf(page, 'js'))
      .flatMap((code) => /import \{ ([^}]*) \} from '(?:cat-directory|vitest)/.exec(code)?.[1] ?? code)
    expect(imports.length).toBeGreaterThan(5)
    const names = [...tests.matchAll(/(?:createExampleAt|findExampleOf)\('([^']*)'/g)].map(([, name = '']) => name)
    expect(imports.filter((one) => !names.some((name) => `${one} }`.startsWith(name)))).toEqual([])
  })
})

/** Describes the plain scalars of YAML that are not valid, without a parser: those that contain `: ` or begin with a quote. */
const findInvalidScalars = (yaml: string): readonly string[] =>
  yaml.split('\n').filter((line) => {
    const [, value = ''] = /^\s*(?:- )?[\w-]+: +(.*)$/.exec(line) ?? []
    if (/^["']/.test(value)) return !/^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?: +#.*)?$/.test(value)
    return !/^[{[|>&*#]/.test(value) && /: |\s#(?!\d)|:$/.test(value.replace(/ +# .*$/, ''))
  })

const yamlFiles = readdirSync(join(packageRoot, '.github'), { recursive: true })
  .map((name) => join('.github', String(name)))
  .filter((name) => /\.ya?ml$/.test(name))

test.each(yamlFiles)('the file %s is valid YAML', (file) => {
  expect(findInvalidScalars(textOf(file))).toEqual([])
})

test.each(pages.filter((page) => blocksOf(page, 'yaml').length > 0))('the examples on %s are valid YAML', (page) => {
  expect(blocksOf(page, 'yaml').flatMap(findInvalidScalars)).toEqual([])
})

test('YAML with an unquoted colon, or with text after a quotation mark, is recognised as invalid', () => {
  expect(findInvalidScalars('a: one: two\nb: "x" if y\nc: "x: y"\nd: plain\n- run: npm ci')).toEqual([
    'a: one: two',
    'b: "x" if y',
  ])
})

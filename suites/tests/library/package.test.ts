import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { startService } from '../../../fixtures/service/start.ts'
import { parseReport } from '../../../reports/report/parse.ts'
import { compiledCommand } from '../../command/compiled.mjs'
import { createCleanEnvironment, packageRoot, removeProgressLines } from '../command/cli.test.support.ts'
import {
  copyRepositoryTo,
  createUntrackedFiles,
  findExample,
  initialiseProject,
  linkDependencies,
  linkPackage,
  manifestOf,
  type PackageManifest,
  packAndInstall,
} from './package.test.support.ts'

/** False in `npm test`, which leaves out most of these tests: each build and each run of the compiler takes seconds. */
const { everything } = inject('extent')

const scratch = mkdtempSync(join(tmpdir(), 'cats-package-'))
const tree = join(scratch, 'tree')
/** A project of a user who has installed the package. */
const project = join(scratch, 'project')
const installed = join(project, 'node_modules', 'cat-directory-conformance')
let shipped: readonly string[]
let manifest: PackageManifest

beforeAll(() => {
  copyRepositoryTo(tree)
  createUntrackedFiles(tree)
  // In `npm test`, uses the build of the test setup, because another build would take seconds.
  const built = everything ? undefined : compiledCommand()
  if (built) {
    rmSync(join(tree, 'dist'), { recursive: true })
    cpSync(new URL('..', built), join(tree, 'dist'), { recursive: true })
  }
  // Creates the user's package.json first: npm would add packages that are already installed to its dependencies.
  initialiseProject(project)
  shipped = packAndInstall(tree, scratch, installed, built ? ['--ignore-scripts'] : [])
  manifest = manifestOf(installed)
  linkDependencies(manifest, project)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Returns the first example that imports a name, in the README and pages of the package. */
const findExampleOf = (name: string) =>
  findExample(['README.md', ...pages].map((page) => readFileSync(join(installed, page), 'utf8')).join('\n'), name)

const pages = ['vitest', 'library'].map((page) => `suites/docs/${page}.md`)

/** Returns the example with the URL of a local deployment, and in `npm test` with quick effort. */
const createExampleAt = (name: string, baseUrl: string) =>
  findExampleOf(name).replace(
    /'http:\/\/(?:127\.0\.0\.1:4010|localhost:3000)'/,
    `'${baseUrl}'${everything ? '' : ", effort: 'quick'"}`,
  )

const run = (args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: project, env: createCleanEnvironment(), encoding: 'utf8' })

/** Runs a program in the folder of the user, which must exit with 0, and returns its output. */
async function runProgram(name: string, code: string): Promise<string> {
  writeFileSync(join(project, name), code)
  const child = spawn(process.execPath, [name], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [ended]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(ended, output).toBe(0)
  return output
}

const command = (...options: readonly string[]) =>
  run([join(installed, manifest.bin['cat-directory-conformance'] ?? ''), ...options])

const build = () => spawn(process.execPath, [join(tree, '.ci', 'build.mjs')], { cwd: tree, stdio: 'ignore' })

const listFiles = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted()

describe('the package', () => {
  test('the package holds the runtime files, the contract, the schemas, and the texts of the licence, the README and .env.example', () => {
    const expected = [
      /^(package\.json|README\.md|LICENSE|\.env\.example|reports\/(report|events|recording)\.schema\.json)$/,
      /^suites\/docs\/pictures\/[\w-]+\.png$/,
      /^(suites\/docs\/[\w-]+|suites\/C[A-Z]+|fixtures\/contract\/README)\.md$/,
      /^fixtures\/contract\/(openapi|(profile|known)\.schema|profiles\/[\w-]+|schemas\/[\w-]+\.schema)\.json$/,
      /^dist\/(suites|reports|fixtures\/(contract|directory|service))\/[\w/.-]+(\.m?js|\.d\.m?ts|\.schema\.json|api\.json)$/,
    ]
    expect(shipped.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([])
    expect(shipped.filter((file) => /\.map$|\/tests?\/|\.test\.|\.suite\.|bench|stale|tsconfig/.test(file))).toEqual([])
    const fixed = ['.env.example', 'LICENSE', 'README.md', 'reports/events.schema.json', 'reports/report.schema.json']
    const contract = ['fixtures/contract/openapi.json', 'fixtures/contract/schemas/list.schema.json']
    expect(shipped).toEqual(expect.arrayContaining([...fixed, ...contract]))
  })

  test('the package holds every file that its files import', () => {
    const reach = /\b(?:from|import|require)\s*\(?\s*(['"])(\.[^'"]*)\1/g
    const missing = shipped
      .filter((file) => /\.(js|d\.ts)$/.test(file))
      .flatMap((file) =>
        [...readFileSync(join(installed, file), 'utf8').matchAll(reach)].map(([, , specifier = '']) => {
          const target = normalize(join(dirname(file), specifier)).replaceAll('\\', '/')
          return file.endsWith('.d.ts') ? target.replace(/(\.d)?\.[jt]s$/, '.d.ts') : target
        }),
      )
      .filter((target) => !shipped.includes(target))
    expect(missing).toEqual([])
  })

  test('the package holds every file that its package.json names', () => {
    const named = JSON.stringify([manifest.bin, manifest.exports]).match(/(?<=")\.?\/?[\w/-]+\.[\w.]+(?=":?)/g) ?? []
    const targets = named
      .filter((name) => /^(\.\/)?(dist|fixtures|reports)\//.test(name))
      .map((name) => normalize(name))
    expect(targets.length).toBeGreaterThan(5)
    expect(targets.filter((file) => !shipped.includes(file.replaceAll('\\', '/')))).toEqual([])
  })

  test('the package names only existing addresses in package.json', () => {
    expect(JSON.stringify(manifest)).not.toMatch(/https?:/)
    expect([manifest.keywords.length > 0, manifest.license]).toEqual([true, 'MIT'])
  })
})

describe('a user of the installed package', () => {
  test('a user of the installed package can request help and version of the command', () => {
    const help = command('--help')
    expect([help.status, help.stderr]).toEqual([0, ''])
    expect(help.stdout).toContain('--base-url')
    expect(command('--version').stdout).toBe(`${manifest.version}\n`)
  })

  test('a user of the installed package can judge the reference service and read the report with the library', () => {
    const { status, stdout, stderr } = command(...(everything ? [] : ['--effort', 'quick']))
    expect([status, removeProgressLines(stderr)], stdout).toEqual([0, ''])
    const report = readFileSync(join(project, 'cat-directory-report', 'report.json'), 'utf8')
    expect(parseReport(report).verdict).toBe('conformant')
    const example = findExampleOf('parseReport').replace('conformance/report.json', 'cat-directory-report/report.json')
    writeFileSync(join(project, 'render.mjs'), `${example}\nconsole.log(junit)`)
    const rendered = run(['render.mjs'])
    expect([rendered.status, rendered.stderr]).toEqual([0, ''])
    expect(rendered.stdout.trim()).toBe(readFileSync(join(project, 'cat-directory-report', 'junit.xml'), 'utf8').trim())
  })

  test.runIf(everything)(
    'a user of the installed package is not mistaken for a developer in a checkout, not even in the folder of the package',
    () => {
      const args = ['dist/suites/cli.js', '--only', 'service/answers']
      const { status, stdout } = spawnSync(process.execPath, args, {
        cwd: installed,
        env: createCleanEnvironment(),
        encoding: 'utf8',
      })
      expect([status, stdout]).toEqual([0, expect.stringContaining(' reports in cat-directory-report ')])
    },
  )

  test('a user of the installed package can judge from a program, as the README shows', async () => {
    const service = await startService()
    try {
      const example = createExampleAt('judge }', service.baseUrl)
      expect(await runProgram('judge.mjs', example)).toMatch(/^conformant \{/)
    } finally {
      await service.close()
    }
  })

  test.runIf(everything)(
    'a user of the installed package can run a check and an open point of their own, as the README shows',
    async () => {
      const service = await startService()
      try {
        const example = createExampleAt('broken', service.baseUrl)
        const shown = [example, example.replace('<= 9', '<= 0').replace("'zoo/at-most-nine-", "'zoo/no-")]
        const point = createExampleAt('judge, openPoint', service.baseUrl)
        expect(await runProgram('point.mjs', point)).toMatch(/id: 'O-HOW-MANY'[^]*\d+ cats/)
        const [passed, failed] = await Promise.all(shown.map((code, index) => runProgram(`own-${index}.mjs`, code)))
        expect(passed).toMatch(/^\W*conformant\b/)
        expect(failed).toMatch(/nonconformant[^]*zoo\/no-lives/)
      } finally {
        await service.close()
      }
    },
  )

  test('a user of the installed package can import the contract and the schema of reports as data', () => {
    const files = [
      'contract/openapi.json',
      'contract/schemas/list.schema.json',
      'report.schema.json',
      'events.schema.json',
      'package.json',
    ]
    const imports = files.map((file) => `await import('${manifest.name}/${file}', { with: { type: 'json' } })`)
    const { status, stderr } = run(['--input-type=module', '--eval', imports.join('\n')])
    expect(status, stderr).toBe(0)
  })

  test.runIf(everything)('a user of the installed package gets types for all exports', () => {
    const types = findExampleOf('judge }').replace('{ judge }', '{ judge, type JudgeOptions, type OwnPromise }')
    writeFileSync(
      join(project, 'typed.mts'),
      `${types}\nexport const options: JudgeOptions = { baseUrl: 'http://127.0.0.1:4010', effort: 'quick' }
export const userDefinedCheck: Partial<OwnPromise> = { operation: 'getLivesLeft', level: 'should' }
import { type ConformanceOptions, conformance } from 'cat-directory-conformance/vitest'
export const late: ConformanceOptions = { baseUrl: async () => 'http://127.0.0.1:4010' }
export const register = (): void => conformance(late)
import { parseReport, render, type Report } from 'cat-directory-conformance/report'
export const junit = (report: Report): string => render(parseReport(JSON.stringify(report)), 'junit.xml')
// @ts-expect-error a conclusion is a word: these are types, not any
export const wrong: number = conclusion\n`,
    )
    const tsc = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc')
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']
    const { status, stdout } = run([tsc, ...options, 'typed.mts'])
    expect([status, stdout]).toEqual([0, ''])
  })
})

describe('a user of vitest with the package', () => {
  beforeAll(() => linkPackage('vitest', project))

  /** Runs vitest in the folder of the user, whose tests are the examples of the README. */
  async function vitest(
    example: string,
    ...options: readonly string[]
  ): Promise<readonly [code: unknown, output: string]> {
    writeFileSync(join(project, 'conformance.test.mjs'), example)
    const bin = join(project, 'node_modules', 'vitest', 'vitest.mjs')
    const env = { ...createCleanEnvironment(), FORCE_COLOR: undefined, NO_COLOR: '1' }
    const child = spawn(process.execPath, [bin, 'run', ...options], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [output, wrong, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return [code, output + wrong]
  }

  test('a user of vitest with the package sees every check as a test in one line, with violations shown as by the command', async () => {
    const running = await mutants.find(({ id }) => id === 'lives-404')?.start()
    try {
      const example = createExampleAt('conformance', String(running?.baseUrl))
      const [code, output] = await vitest(example)
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/✗ .*\n {2}lives\/is-served {2}v3\n[^]*npx cat-directory-conf/),
      ])
      expect(output).toMatch(/Tests +1 failed \| \d+ passed \| \d+ skipped/)
      expect(output).not.toContain('❯ node_modules')
    } finally {
      await running?.close()
    }
  })

  test.runIf(everything)(
    'a user of vitest with the package can start the service before the tests and set its base URL then',
    async () => {
      const start = './node_modules/cat-directory-conformance/dist/fixtures/service/start.js'
      writeFileSync(join(project, 'service.js'), `export { startService as start } from '${start}'`)
      const own = `import { check, checks, once } from 'cat-directory-conformance'
const mine = check({ id: 'zoo/mine', title: 'mine', fix: 'mine', probes: [once(({ directory }, read) => read(directory.cats))] })
conformance({ baseUrl: () => service.baseUrl, checks: [...checks, mine], only: ['zoo/'] })\n`
      const [code, output] = await vitest(findExampleOf('afterAll, beforeAll') + own, '--reporter=verbose')
      expect([code, output]).toEqual([0, expect.stringMatching(/Tests +\d+ passed \(\d+\)/)])
      expect(output.match(/v[23] > zoo\/mine: mine/g)).toEqual(['v2 > zoo/mine: mine', 'v3 > zoo/mine: mine'])
    },
  )
})

describe.runIf(everything)('a build', () => {
  test('an interrupted build leaves the last one unchanged, and nothing else', async () => {
    const before = listFiles(join(tree, 'dist'))
    rmSync(join(tree, 'dist.interrupted'), { recursive: true, force: true })
    const child = build()
    const ended = once(child, 'close')
    while (!readdirSync(tree).some((name) => name.startsWith('dist.'))) await sleep(5)
    child.kill('SIGTERM')
    expect((await ended)[0]).not.toBe(0)
    expect(listFiles(join(tree, 'dist'))).toEqual(before)
    expect(readdirSync(tree).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
  })

  test('a failed build leaves the last one unchanged', async () => {
    const before = listFiles(join(tree, 'dist'))
    const file = join(tree, 'suites', 'judge', 'judge.ts')
    const source = readFileSync(file, 'utf8')
    writeFileSync(file, `${source}\nexport const wrong: string = 1\n`)
    expect((await once(build(), 'close'))[0]).toBe(1)
    writeFileSync(file, source)
    expect(listFiles(join(tree, 'dist'))).toEqual(before)
    expect(readFileSync(join(tree, 'dist', 'suites', 'judge', 'judge.d.ts'), 'utf8')).not.toContain('wrong')
  })
})

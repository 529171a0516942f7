import { homedir } from 'node:os'
import { dirname, join, normalize } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import {
  findCircularImport,
  findImports,
  findReachableFiles,
  groupImportsByFolder,
  type ImportStatement,
  importGraph,
  numberedLinesOf,
  readText,
  repositoryRoot,
  sourceFiles,
  trackedFiles,
} from './sources.test.support.ts'

/** A layer of the architecture. A file belongs to the first layer whose pattern it matches. */
interface Layer {
  readonly files: RegExp
  /** The folders from which files of the layer may import, in addition to those of the layer itself. */
  readonly folders: readonly string[]
  /** The packages that files of the layer may import. `node:` means all modules of Node.js, `*` all packages. */
  readonly packages: readonly string[]
  /** The folders from which files of the layer may import types only. */
  readonly types?: readonly string[]
}

const belowChecks = ['suites/engine', 'suites/directory', 'fixtures/contract']
const belowJudge = [...belowChecks, 'suites/checks', 'suites/open-points', 'suites/options', 'reports']
const belowWorkflows = [...belowJudge, 'suites/judge']

/**
 * The layers, from the lowest to the highest. Fixtures import only types of the suite; the suite imports the contract,
 * but never the reference service; reports import only types of results; the judge imports no command.
 */
const layers: Readonly<Record<string, Layer>> = {
  'fixtures/contract': { files: /^fixtures\/contract\//, folders: [], packages: [] },
  'fixtures/directory': { files: /^fixtures\/directory\//, folders: [], packages: [] },
  'test deployments': {
    files: /^fixtures\/(service|deployment|variants|mutants|null-servers|simulation)\//,
    folders: ['fixtures'],
    packages: ['node:'],
    types: ['suites/engine'],
  },
  'engine/http': { files: /^suites\/engine\/(http\/|[^/]+$)/, folders: [], packages: ['node:', 'undici'] },
  engine: { files: /^suites\/engine\//, folders: ['suites/engine'], packages: ['node:', 'fast-check', 'ajv'] },
  directory: { files: /^suites\/directory\//, folders: belowChecks, packages: ['fast-check'] },
  checks: { files: /^suites\/checks\//, folders: belowChecks, packages: [] },
  'open-points': { files: /^suites\/open-points\//, folders: belowChecks, packages: [] },
  reports: {
    files: /^reports\//,
    folders: [],
    packages: ['node:', 'ajv', 'get-east-asian-width'],
    types: ['suites/engine'],
  },
  options: { files: /^suites\/options\//, folders: [...belowChecks, 'reports'], packages: ['*'] },
  judge: { files: /^suites\/judge\//, folders: belowJudge, packages: ['*'] },
  workflows: { files: /^suites\/workflows\//, folders: [...belowWorkflows, 'package.json'], packages: ['*'] },
  command: { files: /^suites\/command\//, folders: [...belowWorkflows, 'suites/workflows'], packages: ['*'] },
  'entry points and tests': {
    files: /^(suites\/([^/]+|tests\/.+)|vitest\.config)\.ts$/,
    folders: [''],
    packages: ['*'],
  },
}

/** The files that may import test deployments: tests and entry points, but no layer of the judge. */
const importersOfDeployments = /^suites\/(tests\/.+|[^/]+\.suite|cli)\.ts$|^fixtures\//
const deployments = /^fixtures\/(service|deployment|variants|mutants|null-servers|simulation)\//

/** Returns why an import is forbidden; undefined if it is allowed. */
function explainForbiddenImport(file: string, { specifier, typeOnly }: ImportStatement): string | undefined {
  const [name, layer] = Object.entries(layers).find(([, { files }]) => files.test(file)) ?? []
  if (!name || !layer) return `${file} belongs to no layer`
  const allowsAll = layer.packages.includes('*')
  if (specifier === undefined) return allowsAll ? undefined : `${file} computes the module that it imports`
  if (!specifier.startsWith('.')) {
    const [, packageName = specifier] = /^(node:|@[^/]+\/[^/]+|[^/]+)/.exec(specifier) ?? []
    return allowsAll || layer.packages.includes(packageName)
      ? undefined
      : `${name} may not import ${specifier} (${file})`
  }
  const target = normalize(join(dirname(file), specifier))
  if (!/\.(ts|mjs|json)$/.test(target)) return `${file} imports ${specifier} without its file extension`
  if (deployments.test(target) && !importersOfDeployments.test(file))
    return `${file} knows the test deployment ${target}`
  const folders = [...layer.folders, ...(typeOnly ? (layer.types ?? []) : [])]
  const isAllowed =
    folders.some((folder) => folder === '' || `${target}/`.startsWith(`${folder}/`)) || layer.files.test(target)
  return isAllowed ? undefined : `${name} may not import ${target}${typeOnly ? ' (not even its types)' : ''} (${file})`
}

/** The files that are started or imported from outside: by users, npm, vitest or another process. */
const entryPoints = [
  /^(suites\/(cli|index|vitest|conformance\.suite)|reports\/index|vitest\.config)\.ts$|^suites\/start\.mjs$/,
  /^fixtures\/(service\/main\.ts|simulation\/main\.ts|variants\/independent\/[^/]+\.mjs)$/,
  /^suites\/tests\/.*(\.test\.ts|\.setup\.ts|\.mjs|\/(bench|bench-directory|docs|pictures|simulate)\.ts)$/,
]

const forbiddenImportsIn = (file: string, source: string) =>
  findImports(source).flatMap((found) => explainForbiddenImport(file, found) ?? [])

describe('the layers', () => {
  test('imports of every file keep to the layers', () => {
    const thisFile = 'suites/tests/layout/layout.test.ts'
    const others = sourceFiles.filter((file) => file !== thisFile)
    expect(others.flatMap((file) => forbiddenImportsIn(file, readText(file)))).toEqual([])
  })

  test('every source file belongs to a layer', () => {
    const known = Object.values(layers)
    expect(sourceFiles.filter((file) => !known.some((layer) => layer.files.test(file)))).toEqual([])
  })

  test.each([
    ['suites/checks/search.ts', "import { a } from '../../fixtures/service/app.ts'"],
    ['suites/checks/search.ts', "import type { A } from '../cli.ts'"],
    ['suites/checks/search.ts', "import { test } from 'vitest'"],
    ['suites/checks/search.ts', "import { readFileSync } from 'node:fs'"],
    ['suites/checks/search.ts', "import a, {\n  b, // from here\n  type C,\n} from 'undici'"],
    ['suites/checks/search.ts', "import '../open-points/index.ts'"],
    ['suites/checks/search.ts', "export * from '../open-points/index.ts'"],
    ['suites/checks/search.ts', "export * as x from '../../reports/report/report.ts'"],
    ['suites/checks/search.ts', "const x = await import(\n  '../../fixtures/mutants/a.ts')"],
    ['suites/checks/search.ts', 'const x = await import(`../../fixtures/${name}.ts`)'],
    ['suites/checks/search.ts', "const x = createRequire(import.meta.url)\nconst y = require('vitest')"],
    ['suites/checks/search.ts', "import { a } from '../engine/check'"],
    ['suites/checks/cats.ts', "import fc from 'fast-check'"],
    ['suites/engine/run/run.ts', "import { a } from '../../directory/shared/text.ts'"],
    ['suites/engine/run/run.ts', "import { a } from '../../../fixtures/contract/statements.ts'"],
    ['suites/engine/run/run.ts', "import a from 'ajv-formats'"],
    ['suites/engine/run/run.ts', "import { Agent } from 'undici'"],
    ['suites/engine/http/client/send.ts', "import fc from 'fast-check'"],
    ['suites/judge/catalogue.ts', "import { a } from '../command/main.ts'"],
    ['suites/judge/judge.ts', "import { a } from '../workflows/wait.ts'"],
    ['suites/options/options.ts', "import { a } from '../../fixtures/service/app.ts'"],
    ['suites/options/options.ts', "import { a } from '../judge/judge.ts'"],
    ['reports/formats/json.ts', "import { a } from '../../suites/engine/run/run.ts'"],
    ['reports/formats/json.ts', "import { type A } from '../../suites/engine/check/verdict.ts'"],
    ['reports/formats/json.ts', "import type { A } from '../../suites/options/options.ts'"],
    ['reports/formats/json.ts', "import { Agent } from 'undici'"],
    ['fixtures/contract/statements.ts', "import { a } from '../directory/cats.ts'"],
    ['fixtures/directory/cats.ts', "import { a } from 'node:fs'"],
    ['fixtures/service/app.ts', "import { serve } from '@hono/node-server'"],
    ['fixtures/service/app.ts', "import { a } from '../../suites/engine/check/verdict.ts'"],
    ['suites/nowhere/a.ts', "import { a } from './b.ts'"],
  ])('the file %s may not contain %j', (file, source) => {
    expect(forbiddenImportsIn(file, source)).toHaveLength(1)
  })

  test.each([
    [
      'suites/directory/inputs/a.ts',
      "import fc from 'fast-check'\nimport { a } from '../../../fixtures/contract/statements.ts'",
    ],
    ['suites/checks/search.ts', "import { a } from './b.ts'\n// import { c } from 'vitest'\n/* import 'vitest' */"],
    ['suites/engine/run/schema.ts', "import { Ajv2020 } from 'ajv/dist/2020.js'"],
    ['suites/engine/http/client/send.ts', "import { Agent } from 'undici'"],
    ['suites/cli.ts', "const { a } = await import('../../fixtures/service/start.ts')"],
    [
      'reports/formats/json.ts',
      "import type { Verdict } from '../../suites/engine/check/verdict.ts'\nimport { a } from './b.ts'",
    ],
    ['reports/formats/json.ts', "import schema from '../report.schema.json' with { type: 'json' }"],
    ['reports/report/parse.ts', "import { Ajv2020 } from 'ajv/dist/2020.js'"],
    ['fixtures/service/start.ts', "import { createServer } from 'node:http'\nexport const from = { a: 'vitest' }"],
  ])('the file %s may contain %j', (file, source) => {
    expect(forbiddenImportsIn(file, source)).toEqual([])
    expect(findImports(source).length).toBeGreaterThan(0)
  })

  test('imports make no circle of files or folders, not even of types', () => {
    expect(findCircularImport(importGraph).join(' imports ')).toBe('')
    expect(findCircularImport(groupImportsByFolder(importGraph)).join(' imports ')).toBe('')
    expect(
      findCircularImport(
        new Map([
          ['a', ['b']],
          ['b', ['c', 'd']],
          ['c', []],
          ['d', ['b']],
        ]),
      ),
    ).toEqual(['b', 'd', 'b'])
  })

  test('every source file is reachable from an entry point', () => {
    const reached = findReachableFiles(entryPoints)
    const left = [...importGraph.keys()].filter((file) => !reached.has(file))
    expect(left.map((file) => `nothing imports ${file}: is it missing in the index of its folder?`)).toEqual([])
  })

  test('one file of the reports uses the disk, and none of the engine', () => {
    const reach = (folder: string) =>
      sourceFiles.filter(
        (file) =>
          file.startsWith(folder) &&
          findImports(readText(file)).some(({ specifier }) => /^node:(fs|child_process)\b/.test(specifier ?? '')),
      )
    expect(reach('suites/engine/')).toEqual([])
    expect(reach('reports/').length).toBeLessThanOrEqual(1)
  })
})

describe('the source tree', () => {
  test('the engine contains no cat', () => {
    const named = sourceFiles
      .filter((file) => file.startsWith('suites/engine/'))
      .flatMap((file) => numberedLinesOf(file).filter((line) => /\b(cat|breed|lives)s?\b/i.test(line)))
    expect(named).toEqual([])
  })

  test('time comes from the clock only, and randomness from a seed or from the entropy of the process', () => {
    const names =
      /\b(?:setTimeout|setInterval|setImmediate|performance\.\w|Date\.now|new Date\(\)|Math\.random|AbortSignal\.timeout|hrtime|timers\/promises|perf_hooks|random(?:UUID|Bytes|Int)|getRandomValues)\b/
    const allowed = [
      /^suites\/engine\/(clock|entropy)\.ts$/,
      /^suites\/(tests\/|[^/]+\.suite\.ts$|(cli|index|vitest)\.ts$)/,
      // The browser of a report's reader runs this script.
      /^reports\/formats\/html\/script\.ts$/,
    ]
    const judged = sourceFiles.filter(
      (file) => /^(suites|reports)\//.test(file) && !allowed.some((one) => one.test(file)),
    )
    expect(judged.flatMap((file) => numberedLinesOf(file).filter((line) => names.test(line)))).toEqual([])
    expect(numberedLinesOf('suites/engine/clock.ts').filter((line) => names.test(line)).length).toBeGreaterThan(3)
  })

  test('folders have at most 20 files, except those of tests, and suites at most eight beside its folders', () => {
    const counts = new Map<string, number>()
    for (const file of sourceFiles) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    const full = [...counts].filter(
      ([folder, count]) => !folder.startsWith('suites/tests') && count > (folder === 'suites' ? 8 : 20),
    )
    expect(full.map(([folder, count]) => `${folder} has ${count} files`)).toEqual([])
  })

  test('no source has more than 300 lines', () => {
    const lengths = sourceFiles.map((file) => [file, readText(file).trimEnd().split('\n').length] as const)
    const long = lengths.filter(([, length]) => length > 300)
    expect(long.map(([file, length]) => `${file} has ${length} lines`)).toEqual([])
  })

  test('the top folder has the entries of the design, and otherwise only what tools require', () => {
    const designed = 'package.json tsconfig.json vitest.config.ts suites fixtures reports .env.example README.md'.split(
      ' ',
    )
    const demanded = /^(package-lock\.json|LICENSE|\..+)$/
    const top = [...new Set(trackedFiles.map((file) => file.split('/')[0] ?? ''))]
    expect(top.filter((name) => !designed.includes(name) && !demanded.test(name))).toEqual([])
  })

  test('no file names a path of the machine it was built on', () => {
    const homes = /(?<![\w.:-])\/(?:root|work|home\/\w+|Users\/\w+)\/|\b[A-Z]:\\Users\\/
    const here = [repositoryRoot, homedir()].filter((path) => path.split('/').filter(Boolean).length > 1)
    const named = trackedFiles.flatMap((file) =>
      numberedLinesOf(file).filter((line) => homes.test(line) || here.some((path) => line.includes(path))),
    )
    expect(named).toEqual([])
  })
})

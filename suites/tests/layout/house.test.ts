import { homedir } from 'node:os'
import { dirname, join, normalize } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import {
  circleIn,
  files,
  type Import,
  importGraph,
  importsOf,
  linesOf,
  reachedFrom,
  root,
  sources,
  textOf,
} from './house.test.support.ts'

/** Who may import what. A folder may always import from itself. */
interface Room {
  /** A file belongs to the first room whose pattern it matches. */
  readonly files: RegExp
  readonly folders: readonly string[]
  /** Names of packages; `node:` stands for all that is built in, `*` for everything. */
  readonly packages: readonly string[]
  /** Folders that only types may come from. */
  readonly types?: readonly string[]
}

const asking = ['suites/engine', 'suites/vocabulary', 'fixtures/contract']

/** The import law: fixtures know nobody; suites know the contract but never the service; reports know verdicts. */
const rooms: Readonly<Record<string, Room>> = {
  'fixtures/contract': { files: /^fixtures\/contract\//, folders: [], packages: [] },
  'fixtures/directory': { files: /^fixtures\/directory\//, folders: [], packages: [] },
  'fixtures, the accused': {
    files: /^fixtures\/(service|variants|mutants|nulls)\//,
    folders: ['fixtures'],
    packages: ['node:'],
  },
  'suites/engine/http': { files: /^suites\/engine\/(http\/|[^/]+$)/, folders: [], packages: ['node:', 'undici'] },
  'suites/engine/judging': {
    files: /^suites\/engine\/judging\//,
    folders: ['suites/engine'],
    packages: ['node:', 'fast-check', 'ajv'],
  },
  'suites/vocabulary': { files: /^suites\/vocabulary\//, folders: asking, packages: ['fast-check'] },
  'suites/checks': { files: /^suites\/checks\//, folders: asking, packages: [] },
  'suites/open-points': { files: /^suites\/open-points\//, folders: asking, packages: [] },
  'suites/judge/catalogue.ts': {
    files: /^suites\/catalogue\.ts$/,
    folders: [...asking, 'suites/checks'],
    packages: [],
  },
  reports: {
    files: /^reports\//,
    folders: [],
    packages: ['node:', 'ajv', 'get-east-asian-width'],
    types: ['suites/engine'],
  },
  'the lobby': {
    files: /^(suites\/([^/]+|(command|options|tests)\/.+)|vitest\.config)\.ts$/,
    folders: [''],
    packages: ['*'],
  },
}

/** Only these start the accused; whoever judges must not know them. */
const knowsTheAccused = /^suites\/(tests\/[^/]+|[^/]+\.suite|cli)\.ts$|^fixtures\//
const accused = /^fixtures\/(service|variants|mutants|nulls)\//

/** @returns what is wrong with an import, or undefined */
function offence(file: string, { specifier, typeOnly }: Import): string | undefined {
  const [name, room] = Object.entries(rooms).find(([, { files }]) => files.test(file)) ?? []
  if (!name || !room) return `${file} stands in no room`
  const isLobby = room.packages.includes('*')
  if (specifier === undefined) return isLobby ? undefined : `${file} computes what it imports`
  if (!specifier.startsWith('.')) {
    const [, packageName = specifier] = /^(node:|@[^/]+\/[^/]+|[^/]+)/.exec(specifier) ?? []
    return isLobby || room.packages.includes(packageName) ? undefined : `${name} may not import ${specifier} (${file})`
  }
  const target = normalize(join(dirname(file), specifier))
  if (!/\.(ts|mjs|json)$/.test(target)) return `${file} imports ${specifier} without its ending`
  if (accused.test(target) && !knowsTheAccused.test(file)) return `${file} knows the accused ${target}`
  const open = [...room.folders, ...(typeOnly ? (room.types ?? []) : [])]
  const isOpen = open.some((folder) => folder === '' || target.startsWith(`${folder}/`)) || room.files.test(target)
  return isOpen ? undefined : `${name} may not import ${target}${typeOnly ? ' (not even its types)' : ''} (${file})`
}

/** What is started, or imported from elsewhere: by users, npm, vitest, or another process. */
const doors = [
  /^(suites\/(cli|index|vitest|conformance\.suite)|reports\/index|vitest\.config)\.ts$|^suites\/start\.mjs$/,
  /^fixtures\/(service\/main\.ts|variants\/foreign\/[^/]+\.mjs)$/,
  /^suites\/tests\/([^/]+\.(test\.ts|setup\.(ts|mjs))|(bench|bench-directory|docs)\.ts)$/,
]

const offences = (file: string, source: string) => importsOf(source).flatMap((found) => offence(file, found) ?? [])

describe('the import law', () => {
  test('is kept by every file', () => {
    const quotingOffences = 'suites/tests/layout/house.test.ts'
    const others = sources.filter((file) => file !== quotingOffences)
    expect(others.flatMap((file) => offences(file, textOf(file)))).toEqual([])
  })

  test('gives every source a room', () => {
    const known = Object.values(rooms)
    expect(sources.filter((file) => !known.some((room) => room.files.test(file)))).toEqual([])
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
    ['suites/engine/run/run.ts', "import { a } from '../../vocabulary/text.ts'"],
    ['suites/engine/run/run.ts', "import { a } from '../../../fixtures/contract/statements.ts'"],
    ['suites/engine/run/run.ts', "import a from 'ajv-formats'"],
    ['suites/engine/run/run.ts', "import { Agent } from 'undici'"],
    ['suites/engine/http/client/send.ts', "import fc from 'fast-check'"],
    ['suites/judge/catalogue.ts', "import { a } from '../options/options.ts'"],
    ['suites/options/options.ts', "import { a } from '../../fixtures/service/app.ts'"],
    ['reports/formats/json.ts', "import { a } from '../suites/engine/run/run.ts'"],
    ['reports/formats/json.ts', "import { type A } from '../suites/engine/check/verdict.ts'"],
    ['reports/formats/json.ts', "import type { A } from '../options/options.ts'"],
    ['reports/formats/json.ts', "import { Agent } from 'undici'"],
    ['fixtures/contract/statements.ts', "import { a } from '../directory/cats.ts'"],
    ['fixtures/directory/cats.ts', "import { a } from 'node:fs'"],
    ['fixtures/service/app.ts', "import { serve } from '@hono/node-server'"],
    ['fixtures/service/app.ts', "import type { A } from '../../suites/engine/check/verdict.ts'"],
    ['suites/nowhere/a.ts', "import { a } from './b.ts'"],
  ])('%s may not say %j', (file, source) => {
    expect(offences(file, source)).toHaveLength(1)
  })

  test.each([
    [
      'suites/vocabulary/inputs/a.ts',
      "import fc from 'fast-check'\nimport { a } from '../../../fixtures/contract/statements.ts'",
    ],
    ['suites/checks/search.ts', "import { a } from './b.ts'\n// import { c } from 'vitest'\n/* import 'vitest' */"],
    ['suites/engine/judging/schema.ts', "import { Ajv2020 } from 'ajv/dist/2020.js'"],
    ['suites/engine/http/client/send.ts', "import { Agent } from 'undici'"],
    ['suites/cli.ts', "const { a } = await import('../../fixtures/service/start.ts')"],
    [
      'reports/formats/json.ts',
      "import type { Verdict } from '../suites/engine/check/verdict.ts'\nimport { a } from './b.ts'",
    ],
    ['reports/formats/json.ts', "import schema from './report.schema.json' with { type: 'json' }"],
    ['reports/report/parse.ts', "import { Ajv2020 } from 'ajv/dist/2020.js'"],
    ['fixtures/service/start.ts', "import { createServer } from 'node:http'\nexport const from = { a: 'vitest' }"],
  ])('%s may say %j', (file, source) => {
    expect(offences(file, source)).toEqual([])
    expect(importsOf(source).length).toBeGreaterThan(0)
  })

  test('has no circle, not even of types', () => {
    expect(circleIn(importGraph)).toEqual([])
    expect(
      circleIn(
        new Map([
          ['a', ['b']],
          ['b', ['c', 'd']],
          ['c', []],
          ['d', ['b']],
        ]),
      ),
    ).toEqual(['b', 'd', 'b'])
  })

  test('leads from a door to every source', () => {
    const reached = reachedFrom(doors)
    const left = [...importGraph.keys()].filter((file) => !reached.has(file))
    expect(left.map((file) => `nobody imports ${file}: does it stand in the index of its folder?`)).toEqual([])
  })

  test('lets only one file of the reports touch the disk, and none of the engine', () => {
    const reach = (room: string) =>
      sources.filter(
        (file) =>
          file.startsWith(room) &&
          importsOf(textOf(file)).some(({ specifier }) => /^node:(fs|child_process)\b/.test(specifier ?? '')),
      )
    expect(reach('suites/engine/')).toEqual([])
    expect(reach('reports/').length).toBeLessThanOrEqual(1)
  })
})

describe('the house', () => {
  test('has an engine that contains no cat', () => {
    const named = sources
      .filter((file) => file.startsWith('suites/engine/'))
      .flatMap((file) => linesOf(file).filter((line) => /\b(cat|breed|lives)s?\b/i.test(line)))
    expect(named).toEqual([])
  })

  test('takes time from the clock alone, and randomness from a seed or from the entropy of the process', () => {
    const names =
      /\b(?:setTimeout|setInterval|setImmediate|performance\.\w|Date\.now|new Date\(\)|Math\.random|AbortSignal\.timeout|hrtime|timers\/promises|perf_hooks|random(?:UUID|Bytes|Int)|getRandomValues)\b/
    const allowed = [
      /^suites\/engine\/(clock|entropy)\.ts$/,
      /^suites\/(tests\/|[^/]+\.suite\.ts$|(cli|index|vitest)\.ts$)/,
      // This text runs in the browser of whoever reads the page.
      /^reports\/html\/script\.ts$/,
    ]
    const judged = sources.filter((file) => /^(suites|reports)\//.test(file) && !allowed.some((one) => one.test(file)))
    expect(judged.flatMap((file) => linesOf(file).filter((line) => names.test(line)))).toEqual([])
    expect(linesOf('suites/engine/clock.ts').filter((line) => names.test(line)).length).toBeGreaterThan(5)
  })

  test('has no source of more than 300 lines', () => {
    expect(sources.filter((file) => textOf(file).trimEnd().split('\n').length > 300)).toEqual([])
  })

  test('has at its top what the design names, and beside it only what tools demand', () => {
    const designed = 'package.json tsconfig.json vitest.config.ts suites fixtures reports .env.example README.md'.split(
      ' ',
    )
    const demanded = /^(package-lock\.json|LICENSE|\..+)$/
    const top = [...new Set(files.map((file) => file.split('/')[0] ?? ''))]
    expect(top.filter((name) => !designed.includes(name) && !demanded.test(name))).toEqual([])
  })

  test('names no path of the machine it was built on', () => {
    const homes = /(?<![\w.:-])\/(?:root|work|home\/\w+|Users\/\w+)\/|\b[A-Z]:\\Users\\/
    const here = [root, homedir()].filter((path) => path.split('/').filter(Boolean).length > 1)
    const named = files.flatMap((file) =>
      linesOf(file).filter((line) => homes.test(line) || here.some((path) => line.includes(path))),
    )
    expect(named).toEqual([])
  })
})

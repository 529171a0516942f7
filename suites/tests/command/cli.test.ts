import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { catalogue } from '../../judge/catalogue.ts'
import { selectRowsToTest } from '../support/short.test.support.ts'
import {
  conformantDirectory,
  createTemporaryFolder,
  deployDirectory,
  directoryWithOneCatMissing,
  packageRoot,
  readReport,
  runCli,
  runCliProcess,
  startCliProcess,
  type TargetResponder,
} from './cli.test.support.ts'

/** A directory with different shapes in v2 and v3, which is permitted but gets advice. */
const shapesDiffer: TargetResponder = (target) => {
  const value = conformantDirectory(target)
  return target.startsWith('/v3/') && Array.isArray(value) ? value.map((name) => ({ name })) : value
}

const { everything } = inject('extent')

describe('the command judges', () => {
  test('the command judges the embedded reference service by default, and says so', async () => {
    const { code, stdout, stderr, reports } = await runCliProcess(['--effort', 'standard'])
    expect([code, stderr], stdout).toEqual([0, ''])
    expect(stdout).toMatch(/^\n✓ conformant +the embedded reference service/)
    expect(stdout).toContain('No --base-url was given')
    for (const name of ['v2', 'v3', 'parity']) {
      expect(stdout).toMatch(new RegExp(`^ +${name} +✓ conformant +\\d+ passed$`, 'm'))
    }
    const classes = { v2: 'conformant', v3: 'conformant', parity: 'conformant' }
    expect(readReport(reports)).toMatchObject({ verdict: 'conformant', target: { embedded: true }, classes })
  })

  test('the command judges a deployment below a path, with safe methods only and no request outside of the path', async () => {
    const { origin, requests } = await deployDirectory((target) =>
      target.startsWith('/pets/api/') ? conformantDirectory(target.slice('/pets/api'.length)) : undefined,
    )
    // Uses a seed with which no query is longer than Node.js accepts.
    const { code, stdout, reports } = await runCli(['--base-url', `${origin}/pets/api/`, '--seed', '1'])
    expect(code, stdout).toBe(0)
    expect(stdout).toContain(`✓ conformant  ${origin}/pets/api · v2 and v3`)
    const isRead = ({ method, target }: (typeof requests)[number]) =>
      method === 'GET' || (['HEAD', 'OPTIONS'].includes(method) && /\/cats(?:\?|$)/.test(target))
    const isForeign = (request: (typeof requests)[number]) =>
      !isRead(request) || !request.target.startsWith('/pets/api/')
    expect(requests.filter(isForeign)).toEqual([])
    expect(requests.filter(({ headers }) => headers['content-length'] ?? headers['transfer-encoding'])).toEqual([])
    expect(readReport(reports).requests).toBe(requests.length)
  })

  test('the command judges a single version, and reports that the other was not judged', async () => {
    const { origin, requests } = await deployDirectory((target) =>
      target.startsWith('/v3/') ? conformantDirectory(target) : undefined,
    )
    const { code, stdout, reports } = await runCli(['--base-url', origin, '--versions', 'v3', '--effort', 'quick'])
    expect(code, stdout).toBe(0)
    const classes = { v2: 'inconclusive', v3: 'conformant', parity: 'inconclusive' }
    expect(readReport(reports)).toMatchObject({ verdict: 'conformant', classes })
    expect((await runCli(['matrix', join(reports, 'report.json')])).stdout).toMatch(/^parity +not judged$/m)
    expect(stdout).toMatch(/^ +v3 +✓ conformant/m)
    expect(stdout).toMatch(/^ +v2 +– not judged/m)
    expect(stdout).toMatch(/^ +parity +– not judged/m)
    expect(requests.length).toBeGreaterThan(50)
  })

  test('the command judges the deployment that .env in the current folder names, and writes the reports there', async () => {
    const { origin, requests } = await deployDirectory(directoryWithOneCatMissing)
    const cwd = createTemporaryFolder()
    writeFileSync(join(cwd, '.env'), `CATS_BASE_URL=${origin}\nCATS_EFFORT=quick\n`)
    const { code } = await runCliProcess([], { cwd, env: { CATS_REPORT_DIR: '' } })
    expect(code).toBe(1)
    expect(requests.length).toBeGreaterThan(0)
    expect(readReport(join(cwd, 'cat-directory-report'))).toMatchObject({
      target: { baseUrl: origin, embedded: false },
      effort: 'quick',
    })
  })

  test('the command judges the checks that --only selects, with their prerequisites', async () => {
    const { origin, requests } = await deployDirectory(conformantDirectory)
    const { code, stdout, reports } = await runCli(['--base-url', origin, '--only', 'lives/,cats/have-names'])
    expect(code).toBe(0)
    const meant = catalogue.map(({ id }) => id).filter((id) => id.startsWith('lives/') || id === 'cats/have-names')
    expect([...new Set(readReport(reports).checks.map(({ id }) => id))]).toEqual(meant)
    expect(stdout).not.toContain('search/')
    expect(requests.some(({ target }) => target.endsWith('/lives_left'))).toBe(true)
  })
})

describe('the exit code', () => {
  test.each([
    ['0 when there is advice only', shapesDiffer, [], 0],
    ['1 when there is advice and --strict', shapesDiffer, ['--strict'], 1],
    ['3 when the requests allowed do not suffice', conformantDirectory, ['--max-requests', '20'], 3],
  ] as const)('the exit code is %s', async (_, directory, options, expected) => {
    const { origin } = await deployDirectory(directory)
    const { code, stdout, reports } = await runCli(['--base-url', origin, '--effort', 'quick', ...options])
    expect(code, stdout).toBe(expected)
    expect(stdout.includes('failed by --strict: 1 advises')).toBe(expected === 1)
    expect(readReport(reports).target.baseUrl).toBe(origin)
  })

  const closed = [
    ['1', directoryWithOneCatMissing, 1],
    ['0', conformantDirectory, 0],
  ] as const
  test.each(selectRowsToTest(closed))(
    'the exit code stays %s if the output is closed early, and the reports are complete',
    async (_, directory, expected) => {
      const { origin } = await deployDirectory(directory)
      const { child, ended } = startCliProcess(['--base-url', origin, '--effort', 'quick'])
      child.stdout?.destroy()
      const { code, stderr, reports } = await ended
      expect([code, stderr]).toEqual([expected, ''])
      expect(readReport(reports).verdict).toBe(expected === 0 ? 'conformant' : 'nonconformant')
    },
  )
})

describe('the command, without any request,', () => {
  const quietly = async (options: readonly string[]): Promise<string> => {
    const { origin, connections } = await deployDirectory(conformantDirectory)
    const { code, stdout, stderr } = await runCli(['--base-url', origin, ...options])
    expect([code, stderr, connections()]).toEqual([0, '', 0])
    return stdout
  }

  test('the command lists every check once, without any request', async () => {
    const ids = (await quietly(['--list']))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ', 1)[0])
    expect(ids).toEqual(catalogue.map(({ id }) => id))
  })

  test('the command lists the selected checks in the selected versions, without any request', async () => {
    const lines = (await quietly(['--list', '--only', 'lives/,cats/', '--versions', 'v3'])).trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) expect(line).toMatch(/^(lives|cats)\/\S+ +\w+ +v3 +/)
    for (const [only, version, complaint] of [
      ['serach/', 'v3', 'did you mean search/?'],
      ['lives/is-json', 'v2', 'no check selected by --only tests v2.'],
    ] as const) {
      const { code, stderr } = await runCli(['--list', '--only', only, '--versions', version])
      expect([code, stderr]).toEqual([2, expect.stringContaining(complaint)])
    }
  })

  test('the command explains a check without any request: its requirement, why it matters, how it is tested and how to fix a violation', async () => {
    const text = await quietly(['--explain', 'search/finds-every-cat-by-name'])
    expect(text).toMatch(/^search\/finds-every-cat-by-name\n/)
    for (const name of ['requirement', 'statement', 'operation', 'why', 'how', 'fix']) {
      expect(text).toMatch(new RegExp(`^ +${name} +\\S`, 'm'))
    }
    expect(text).toContain('S-SEARCH: GET /v2/search?q=')
  })

  test.each([
    ['S-LIVES', /^S-LIVES\n[^]*how many lives[^]*checks +lives\/is-served/],
    ['o-search-case', /^O-SEARCH-CASE\n[^]*Is search case-sensitive\?/],
    [
      '10',
      /^ruling 10\n[^]*in short +Do not serve lives in v2[^]*R10\.1 +\(violation\) For[^]*checks +lives\/only-in-v3/,
    ],
    ['ruling 7', /^ruling 7\n[^]*Search is complete/],
    [
      'R8.2',
      /^R8\.2\n[^]*clause +A search result must contain each cat only once\.\n[^]*checks +search\/names-stand-once\n/,
    ],
    ['t2', /^T2\n[^]*T2\.7 +\(violation\) If a name[^]*checks +cats\/do-not-come-and-go/],
    ['lives/only', /^lives\/only-in-v3\n[^]*fix /],
    ['lives/', /^lives\/is-served +every[^\n]*\n(lives\/[^\n]+\n)+$/],
  ])(
    'the command explains a statement, an open point, a ruling, a clause or a prefix, without any request: %s',
    async (id, expected) => {
      expect(await quietly(['--explain', id])).toMatch(expected)
    },
  )

  test('the command shows the interface, as a page and as OpenAPI, without any request', async () => {
    const file = (name: string) => readFileSync(join(packageRoot, 'fixtures', 'contract', name), 'utf8')
    expect(await quietly(['--service'])).toBe(file('README.md'))
    expect(JSON.parse(await quietly(['--openapi']))).toEqual(JSON.parse(file('openapi.json')))
  })

  test('the command shows its help and its version, without any request', async () => {
    expect(await quietly(['--help'])).toMatch(/^Usage: cat-directory-conformance \[options\]\n[^]*--base-url URL/)
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
    expect(await quietly(['--version'])).toBe(`${version}\n`)
  })

  describe('imported libraries', () => {
    const required = ['undici', 'undici/lib/dispatcher/pool.js']

    /**
     * Runs the command and returns the modules that it loaded and their imports. The modules `missing` cannot be
     * loaded.
     */
    async function findLoadedModules(args: readonly string[], missing: readonly string[] = []) {
      const resolve = 'export const resolve = (name, at, next) => (process._rawDebug(`loads ${name}`), next(name, at))'
      const hook = `
        import Module, { register } from 'node:module'
        register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(resolve)}`)})
        const find = Module._resolveFilename
        Module._resolveFilename = function (name, ...rest) {
          process._rawDebug('loads ' + name)
          if (${JSON.stringify(missing)}.includes(name)) throw new Error('no ' + name)
          return find.call(this, name, ...rest)
        }`
      const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` }
      const { code, stderr } = await runCliProcess(args, { env })
      const loaded = [...required, 'fast-check', 'ajv/dist/2020.js'].filter((name) =>
        stderr.includes(`loads ${name}\n`),
      )
      return { code, loaded }
    }

    test('the help loads no library, so that it starts at once', async () => {
      expect(await findLoadedModules(['--help'])).toEqual({ code: 0, loaded: [] })
    })

    test('a run loads only what it needs: of undici, the connection pool', async () => {
      const { code, loaded } = await findLoadedModules(['--only', 'service/answers'])
      expect({ code, loaded }).toEqual({
        code: 0,
        loaded: ['undici/lib/dispatcher/pool.js', 'fast-check'],
      })
    })

    test.runIf(everything)('a run works with another file layout of undici', async () => {
      const { code, loaded } = await findLoadedModules(['--only', 'service/answers'], ['undici/lib/dispatcher/pool.js'])
      expect({ code, loaded }).toEqual({ code: 0, loaded: [...required, 'fast-check'] })
    })
  })
})

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { helpText, loadEnvironment, type Options, parseOptions, UsageError } from './options.ts'
import { described, rows, takesValue } from './options-table.ts'

type Variables = Readonly<Record<string, string | undefined>>

const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')

const option = <K extends keyof Options>(key: K, argv: string[], env: Variables = {}): Options[K] =>
  parseOptions(argv, env)[key]

function folderWith(write: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'cats-options-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  write(folder)
  return folder
}

describe('what is given', () => {
  test('has a default for everything that is left out', () => {
    const { seed, ...others } = parseOptions([], {})
    expect(seed).toBe(seed | 0)
    expect(others).toEqual({
      mode: 'run',
      baseUrl: undefined,
      versions: ['v2', 'v3'],
      headers: [],
      token: undefined,
      tls: { ca: undefined, cert: undefined, key: undefined, insecure: false },
      http2: false,
      timeoutMs: 10_000,
      concurrency: 16,
      requestsPerSecond: undefined,
      retries: 1,
      only: [],
      path: undefined,
      effort: 'standard',
      maxRequests: undefined,
      maxTimeSeconds: undefined,
      waitSeconds: 0,
      reportDir: undefined,
      strict: false,
      explain: undefined,
    })
  })

  test.each<[keyof Options, string, string, string, unknown]>([
    ['baseUrl', '--base-url', 'CATS_BASE_URL', 'http://h', { origin: 'http://h', basePath: '', href: 'http://h' }],
    ['versions', '--versions', 'CATS_VERSIONS', 'v3', ['v3']],
    ['headers', '--header', 'CATS_HEADER', 'X-Key:  a:b ', [{ name: 'X-Key', value: 'a:b' }]],
    ['token', '--token', 'CATS_TOKEN', 'a.b-c_d~e+f/g=', 'a.b-c_d~e+f/g='],
    ['timeoutMs', '--timeout', 'CATS_TIMEOUT', '50', 50],
    ['concurrency', '--concurrency', 'CATS_CONCURRENCY', '256', 256],
    ['requestsPerSecond', '--rate', 'CATS_RATE', '20', 20],
    ['requestsPerSecond', '--rate', 'CATS_RATE', '0.5/s', 0.5],
    ['retries', '--retries', 'CATS_RETRIES', '0', 0],
    ['only', '--only', 'CATS_ONLY', 'search/,cats/listed, search/', ['search/', 'cats/listed']],
    ['seed', '--seed', 'CATS_SEED', '-2147483648', -(2 ** 31)],
    ['effort', '--effort', 'CATS_EFFORT', 'quick', 'quick'],
    ['maxRequests', '--max-requests', 'CATS_MAX_REQUESTS', '1000', 1000],
    ['maxTimeSeconds', '--max-time', 'CATS_MAX_TIME', '60', 60],
    ['waitSeconds', '--wait', 'CATS_WAIT', '30', 30],
    ['reportDir', '--report-dir', 'CATS_REPORT_DIR', 'my reports', 'my reports'],
  ])('%s is understood from %s, %s and from both the option wins', (key, flag, variable, text, value) => {
    expect(option(key, [flag, text])).toEqual(value)
    expect(option(key, [`${flag}=${text}`])).toEqual(value)
    expect(option(key, [], { [variable]: text })).toEqual(value)
    expect(option(key, [flag, text], { [variable]: 'overruled, and wrong \n at that' })).toEqual(value)
  })

  test('a switch is set by its flag or by yes in its variable, and left alone by no', () => {
    expect(option('strict', ['--strict'], { CATS_STRICT: '0' })).toBe(true)
    expect(option('strict', [], { CATS_STRICT: 'true' })).toBe(true)
    expect(option('strict', [], { CATS_STRICT: '0' })).toBe(false)
    expect(() => parseOptions([], { CATS_STRICT: 'perhaps' })).toThrow(/^CATS_STRICT: "perhaps" is neither yes nor no/)
  })

  test('an empty variable counts as unset, an empty option is refused', () => {
    expect(option('versions', [], { CATS_VERSIONS: '', CATS_TOKEN: ' ', CATS_HEADER: '\n', CATS_STRICT: '' })).toEqual([
      'v2',
      'v3',
    ])
    expect(() => parseOptions(['--token', ''], {})).toThrow(/^--token: its value is empty/)
  })

  test('CATS_HEADER holds one header a line, --header is repeated', () => {
    const both = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ]
    expect(option('headers', [], { CATS_HEADER: 'A: 1\r\n\n  B: 2\n' })).toEqual(both)
    expect(option('headers', ['--header', 'A: 1', '--header=B:2'], { CATS_HEADER: 'C: 3' })).toEqual(both)
  })

  test('seeds are drawn anew for each run', () => {
    expect(new Set(Array.from({ length: 5 }, () => option('seed', []))).size).toBeGreaterThan(1)
  })

  test('the mode is what was asked for, and help is had whatever else is wrong', () => {
    expect(option('mode', ['--list', '--base-url', 'http://h'])).toBe('list')
    expect(option('mode', ['--explain', 'search/parity'])).toBe('explain')
    expect(option('mode', ['--version', '--list'])).toBe('version')
    expect(option('mode', ['--explain', 'search/parity'], { CATS_LIST: '1' })).toBe('explain')
    expect(option('mode', ['--timeout', 'soon', '--help'], { CATS_TOKNE: 'x', CATS_RATE: 'x' })).toBe('help')
    expect(() => parseOptions(['--list', '--explain', 'a'], {})).toThrow(
      '--explain: cannot be had together with --list',
    )
  })

  test.each([
    ['https://cats.example.org', 'https://cats.example.org', ''],
    ['HTTPS://Cats.Example.org:443/', 'https://cats.example.org', ''],
    ['http://127.0.0.1:8080/api/', 'http://127.0.0.1:8080', '/api'],
    ['http://[::1]:8080/a/b', 'http://[::1]:8080', '/a/b'],
    ['https://h/@team/caf\u00e9//', 'https://h', '/@team/caf%C3%A9'],
  ])('the base URL %s keeps its path and loses the slash at its end', (text, origin, basePath) => {
    expect(option('baseUrl', ['--base-url', text])).toEqual({ origin, basePath, href: origin + basePath })
  })
})

describe('.env', () => {
  test('adds to the environment, which wins and is left as it was', () => {
    const cwd = folderWith((folder) =>
      writeFileSync(join(folder, '.env'), '# mine\nCATS_TOKEN="a#b"\nCATS_WAIT=3\nCATS_HEADER="A: 1\\nB: 2"\n'),
    )
    const before = { ...process.env }
    const env = loadEnvironment(cwd, { CATS_WAIT: '5' })
    expect(parseOptions([], env)).toMatchObject({
      token: 'a#b',
      waitSeconds: 5,
      headers: [{ name: 'A' }, { name: 'B' }],
    })
    expect(process.env).toEqual(before)
  })

  test('is overruled even by an empty variable', () => {
    const cwd = folderWith((folder) => writeFileSync(join(folder, '.env'), 'CATS_TOKEN=abc'))
    expect(option('token', [], loadEnvironment(cwd, { CATS_TOKEN: '' }))).toBeUndefined()
  })

  test('may be missing', () => {
    expect(
      loadEnvironment(
        folderWith(() => {}),
        { A: 'b' },
      ),
    ).toEqual({ A: 'b' })
  })

  test('that cannot be read is a usage error', () => {
    const cwd = folderWith((folder) => mkdirSync(join(folder, '.env')))
    expect(() => loadEnvironment(cwd, {})).toThrow(UsageError)
    expect(() => loadEnvironment(cwd, {})).toThrow(/^\.env: the file is there but cannot be read \(EISDIR\)/)
  })
})

describe('table, help and .env.example are in step', () => {
  test.each(rows.map((row) => [row.flag, row] as const))('%s', (flag, row) => {
    expect(row.variable).toBe(`CATS_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`)
    expect(helpText()).toMatch(new RegExp(`^  ${flag}[ \\n]`, 'm'))
    expect(helpText().replace(/\s+/g, ' ')).toContain(described(row))
    expect(example).toContain(`\n\n# ${described(row)}\n${row.variable}=\n`)
    expect(row.help).not.toMatch(/\n|\.$/)
  })

  test('.env.example holds no other variable and, copied as it is, changes nothing', () => {
    const cwd = folderWith((folder) => writeFileSync(join(folder, '.env'), example))
    const env = loadEnvironment(cwd, {})
    expect(Object.keys(env)).toEqual(rows.map((row) => row.variable))
    expect({ ...parseOptions([], env), seed: 0 }).toEqual({ ...parseOptions([], {}), seed: 0 })
  })

  test('every example that an error shows is right', () => {
    for (const row of rows.filter(takesValue).filter(({ placeholder }) => placeholder !== 'FILE')) {
      const place = { where: row.flag, example: '', spell: String }
      expect(row.parse(row.example, place)).toBeDefined()
      if (row.default !== undefined) expect(row.parse(row.default, place)).toBeDefined()
    }
  })

  test('the help fits 100 columns and tells every exit code', () => {
    const lines = helpText().split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
    for (const code of [0, 1, 2, 3, 4, 130]) expect(lines.join('\n')).toMatch(new RegExp(`^ +${code}  \\w`, 'm'))
  })

  test('every command line of the help is understood', () => {
    const shown = helpText().match(/(?<=^  cat-directory-conformance ).+$/gm) ?? []
    expect(shown.length).toBeGreaterThan(3)
    for (const line of shown) expect(option('mode', line.replace('"$TOKEN"', 'abc').split(' '))).toBe('run')
  })
})

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  describeOption,
  environmentVariableOf,
  exampleValueOf,
  takesValue,
  valueSourceOf,
} from '../../options/option.ts'
import { buildHelpText, loadEnvironment, type Options, parseOptions, UsageError } from '../../options/options.ts'
import { allOptions, defaultOptions } from '../../options/table.ts'

type Variables = Readonly<Record<string, string | undefined>>

const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')

const option = <K extends keyof Options>(key: K, argv: string[], env: Variables = {}): Options[K] =>
  parseOptions(argv, env)[key]

function folderWith(write: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'cats-options-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  write(folder)
  return folder
}

describe('options', () => {
  test('options that are not given have defaults', () => {
    const { seed, mode, transport, replayOptions, outsideOptions, ...others } = parseOptions([], {})
    expect(seed).toBe(Number(seed) | 0)
    expect({ mode, transport }).toEqual({ mode: 'run', transport: { proxies: {} } })
    expect({ replayOptions, outsideOptions }).toEqual({ replayOptions: [], outsideOptions: [] })
    expect(others).toEqual(defaultOptions)
    expect(defaultOptions).toMatchObject({
      versions: ['v2', 'v3'],
      timeoutMs: 10_000,
      concurrency: 16,
      retries: 1,
      effort: 'standard',
      waitSeconds: 0,
    })
  })

  test.each<[keyof Options, string, string, string, unknown]>([
    ['baseUrl', '--base-url', 'CATS_BASE_URL', 'http://h/', 'http://h'],
    ['versions', '--versions', 'CATS_VERSIONS', 'v3', ['v3']],
    ['headers', '--header', 'CATS_HEADER', 'X-Key:  a:b ', { 'X-Key': 'a:b' }],
    ['headers', '--token', 'CATS_TOKEN', 'a.b-c_d~e+f/g=', { Authorization: 'Bearer a.b-c_d~e+f/g=' }],
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
  ])(
    'the field %s is read from %s, %s, and the option has precedence over both',
    (key, flag, variable, text, value) => {
      expect(option(key, [flag, text])).toEqual(value)
      expect(option(key, [`${flag}=${text}`])).toEqual(value)
      expect(option(key, [], { [variable]: text })).toEqual(value)
      expect(option(key, [flag, text], { [variable]: 'overruled, and wrong \n at that' })).toEqual(value)
    },
  )

  test('a switch is set by its flag or by yes in its variable, and stays unset with no', () => {
    expect(option('strict', ['--strict'], { CATS_STRICT: '0' })).toBe(true)
    expect(option('strict', [], { CATS_STRICT: 'true' })).toBe(true)
    expect(option('strict', [], { CATS_STRICT: '0' })).toBeUndefined()
    expect(() => parseOptions([], { CATS_STRICT: 'perhaps' })).toThrow(/^CATS_STRICT: "perhaps" is neither yes nor no/)
  })

  test('options for TLS and HTTP/2 make the transport, with the proxies of the environment', () => {
    const pem = (label: string) => `-----BEGIN ${label}-----`
    // A bundle of certificates may be larger than a megabyte.
    const [ca, cert, key] = [pem('CERTIFICATE').repeat(50_000), pem('TRUSTED CERTIFICATE'), pem('EC PRIVATE KEY')]
    const folder = folderWith((pems) => {
      for (const [name, text] of Object.entries({ ca, cert, key })) writeFileSync(join(pems, name), text)
    })
    const files = ['ca', 'cert', 'key'].flatMap((name) => [`--${name}`, join(folder, name)])
    const env = { HTTPS_PROXY: 'http://upper', https_proxy: 'http://lower', HTTP_PROXY: 'http://p', http_proxy: '' }
    expect(option('transport', [...files, '--insecure', '--http2'], env)).toEqual({
      http2: true,
      proxies: { httpsProxy: 'http://lower' },
      tls: { ca, cert, key, rejectUnauthorized: false },
    })
  })

  test('a replay line repeats the effort and timeout that differ from the defaults', () => {
    expect(option('replayOptions', ['--effort', 'quick', '--timeout=+050', '--concurrency', '3'])).toEqual([
      '--timeout',
      '50',
      '--effort',
      'quick',
    ])
    expect(option('replayOptions', ['--effort', 'standard'], { CATS_TIMEOUT: '10000' })).toEqual([])
  })

  test('an empty variable counts as unset, an empty option is refused', () => {
    expect(option('versions', [], { CATS_VERSIONS: '', CATS_TOKEN: ' ', CATS_HEADER: '\n', CATS_STRICT: '' })).toEqual([
      'v2',
      'v3',
    ])
    expect(() => parseOptions(['--token', ''], {})).toThrow(/^--token: the value is empty/)
  })

  test('CATS_HEADER holds one header per line, --header is repeated', () => {
    const both = { A: '1', B: '2' }
    expect(option('headers', [], { CATS_HEADER: 'A: 1\r\n\n  B: 2\n' })).toEqual(both)
    expect(option('headers', ['--header', 'A: 1', '--header=B:2'], { CATS_HEADER: 'C: 3' })).toEqual(both)
  })

  test('each run draws a new seed', () => {
    expect(new Set(Array.from({ length: 5 }, () => option('seed', []))).size).toBeGreaterThan(1)
  })

  test('the mode is the requested one, and help works despite other errors', () => {
    expect([['-h'], ['help']].map((argv) => option('mode', argv))).toEqual(['help', 'help'])
    expect([['-v'], ['-V'], ['version']].map((argv) => option('mode', argv))).toEqual(['version', 'version', 'version'])
    expect(option('mode', ['--list', '--base-url', 'http://h'])).toBe('list')
    expect(option('mode', ['--explain', 'search/parity'])).toBe('explain')
    expect(option('mode', ['--version', '--list'])).toBe('version')
    expect(option('mode', ['--explain', 'search/parity'], { CATS_LIST: '1' })).toBe('explain')
    expect(option('mode', ['--timeout', 'soon', '--help'], { CATS_TOKNE: 'x', CATS_RATE: 'x' })).toBe('help')
    expect(() => parseOptions(['--list', '--explain', 'a'], {})).toThrow('--explain: cannot be combined with --list')
  })

  test.each([
    ['https://cats.example.org', 'https://cats.example.org'],
    ['HTTPS://Cats.Example.org:443/', 'https://cats.example.org'],
    ['http://127.0.0.1:8080/api/', 'http://127.0.0.1:8080/api'],
    ['http://[::1]:8080/a/b', 'http://[::1]:8080/a/b'],
    ['https://h/@team/caf\u00e9//', 'https://h/@team/caf%C3%A9'],
  ])('the base URL %s keeps its path and loses the slash at its end', (text, baseUrl) => {
    expect(option('baseUrl', ['--base-url', text])).toBe(baseUrl)
  })
})

describe('.env', () => {
  test('an .env adds to the environment, which has precedence and stays unchanged', () => {
    const cwd = folderWith((folder) =>
      writeFileSync(join(folder, '.env'), '# mine\nCATS_TOKEN="a#b"\nCATS_WAIT=3\nCATS_HEADER="A: 1\\nB: 2"\n'),
    )
    const before = { ...process.env }
    const env = loadEnvironment(cwd, { CATS_WAIT: '5' })
    expect(parseOptions([], env)).toMatchObject({
      waitSeconds: 5,
      headers: { A: '1', B: '2', Authorization: 'Bearer a#b' },
    })
    expect(process.env).toEqual(before)
  })

  test('an .env applies if a variable of the environment is empty, except that an empty one disables a proxy', () => {
    const cwd = folderWith((folder) => writeFileSync(join(folder, '.env'), 'CATS_TOKEN=abc\nHTTP_PROXY=http://p'))
    const env = loadEnvironment(cwd, { CATS_TOKEN: ' ', HTTP_PROXY: '' })
    expect(option('headers', [], env)).toEqual({ Authorization: 'Bearer abc' })
    expect(option('transport', [], env)).toEqual({ proxies: {} })
  })

  test('an .env may be missing', () => {
    expect(
      loadEnvironment(
        folderWith(() => {}),
        { A: 'b' },
      ),
    ).toEqual({ A: 'b' })
  })

  const misuseIn = (text: string, argv: string[] = []) => {
    const cwd = folderWith((folder) => writeFileSync(join(folder, '.env'), text))
    try {
      parseOptions(argv, loadEnvironment(cwd, {}))
    } catch (error) {
      return error instanceof UsageError ? error.message.split('\n', 1)[0] : error
    }
    return undefined
  }

  test.each([
    ['CATS_TOKEN=ab#cd', '.env, line 1: the value contains a # without quotation marks.'],
    ['\n# mine\nCATS_WAIT', '.env, line 3: the line is not an assignment.'],
    ['CATS_WAIT=3\nA=1\nCATS_WAIT=4', '.env, line 3: CATS_WAIT is already set in line 1.'],
    ['A="1\nCATS_WAIT=4', '.env, line 1: the value begins with ", but there is no closing ".'],
    ['CATS_TOKEN="a" b', '.env, line 1: there is more text after the closing quotation mark.'],
    ['A=1\nCATS_WAIT=soon', 'CATS_WAIT (.env, line 2): "soon" is not a whole number.'],
    ['A="1\n2"\nCATS_TOKNE=x', 'CATS_TOKNE (.env, line 3): no option has this variable.'],
    ['CATS_TOKEN="a\\"b"', '.env, line 1: the value contains \\", a quotation mark after a backslash.'],
    [
      'CATS_HTTP2=1\nCATS_BASE_URL=http://h',
      'CATS_HTTP2 (.env, line 1): HTTP/2 is only used with TLS, but the base URL begins with http:.',
    ],
  ])('an .env with %j is refused, with its line', (text, message) => {
    expect(misuseIn(text)).toBe(message)
  })

  test('an .env may contain unrelated variables, comments, quotation marks and line breaks', () => {
    const text = `\ufeffexport A=x#y\r\nA=again\n  CATS_WAIT = 3 # seconds\nB='a"#b\nc'\nCATS_TOKEN='a"b' # mine\nC=`
    const cwd = folderWith((folder) => writeFileSync(join(folder, '.env'), text))
    expect(loadEnvironment(cwd, {})).toEqual({ A: 'again', CATS_WAIT: '3', B: 'a"#b\nc', CATS_TOKEN: 'a"b', C: '' })
  })

  test('an unreadable .env is a usage error', () => {
    const cwd = folderWith((folder) => mkdirSync(join(folder, '.env')))
    expect(() => loadEnvironment(cwd, {})).toThrow(UsageError)
    expect(() => loadEnvironment(cwd, {})).toThrow(/^\.env: the file \.env exists but cannot be read \(EISDIR\)/)
  })
})

describe('table, help and .env.example are in step', () => {
  test('each flag appears once', () => {
    const flags = allOptions.map(({ flag }) => flag)
    expect(flags.filter((flag, index) => flags.indexOf(flag) < index)).toEqual([])
  })

  test.each(allOptions.map((row) => [row.flag, row] as const))(
    'the help shows the option %s as its row in the table describes it',
    (flag, row) => {
      expect(buildHelpText()).toMatch(new RegExp(`^  ${flag}[ \\n]`, 'm'))
      expect(buildHelpText().replace(/\s+/g, ' ')).toContain(describeOption(row))
      expect(row.help).not.toMatch(/\n|\.$/)
    },
  )

  test('.env.example holds no other variable and, copied unchanged, changes nothing', () => {
    const cwd = folderWith((folder) => writeFileSync(join(folder, '.env'), example))
    const env = loadEnvironment(cwd, {})
    const known = allOptions.map(environmentVariableOf)
    expect(Object.keys(env).filter((name) => !known.includes(name))).toEqual([])
    expect({ ...parseOptions([], env), seed: 0 }).toEqual({ ...parseOptions([], {}), seed: 0 })
  })

  test.each(allOptions.filter(takesValue).map((row) => [row.flag, row] as const))(
    'the example in errors about %s is valid, and so is its default',
    (_, row) => {
      expect(row.example ?? row.default).toBeDefined()
      if (row.placeholder !== 'FILE') expect(row.parse(exampleValueOf(row), valueSourceOf(row, true))).toBeDefined()
      if (row.default !== undefined) {
        expect(row.parse(String(row.default), valueSourceOf(row, true))).toEqual(row.default)
      }
    },
  )

  test('the help fits 100 columns and lists every exit code', () => {
    const lines = buildHelpText().split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
    for (const code of [0, 1, 2, 3, 4, 130]) expect(lines.join('\n')).toMatch(new RegExp(`^ +${code}  \\w`, 'm'))
  })

  test('every command line of the help is valid', () => {
    const shown = buildHelpText().match(/(?<=^  cat-directory-conformance ).+$/gm) ?? []
    expect(shown.length).toBeGreaterThan(3)
    for (const line of shown) expect(option('mode', line.replace('"$TOKEN"', 'abc').split(' '))).toBe('run')
  })
})
